# SPDX-License-Identifier: Apache-2.0
# Every function of the CUDA Math API is there, with its types, and in our own
# headers, whatever toolkit is installed beside them.
for part in math half narrow; do
    $weftcc -std=c++17 -arch=sm_80 -ptx "$here/$part-api.cu" -o $part.ptx || exit
    echo "$part: $(grep -c '^\.visible \.entry' $part.ptx) groups"
    $weftcc -std=c++17 -M "$here/$part-api.cu" | tr ' ' '\n' |
        grep -E '/cuda_[a-z]*[0-9]*\.h(pp)?$' | grep -v -F "$build/include/"
done
true
