# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Texture and surface functions, objects and references: they compile to PTX
# that our own reader takes, and the program links and starts.
$weftcc -ptx $here/textures.cu -o t.ptx || exit
for instruction in tex tld4 suld sust; do
    echo "$instruction $(grep -oE "\b$instruction\.[a-z0-9.]+" t.ptx | sort -u | wc -l)"
done
$weft dump --ptx t.ptx > out.ptx && grep -c '^\.visible \.entry' t.ptx
$weftcc $here/textures.cu -o t && ./t
echo "status $?"
