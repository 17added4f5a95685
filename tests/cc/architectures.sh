# SPDX-License-Identifier: Apache-2.0
# Every architecture that a makefile names is taken; one is compiled for.
for arch in sm_13 sm_20 compute_35 sm_52 sm_75 sm_80 sm_86 sm_90a sm_100 sm_120 \
        compute_121f native all all-major; do
    $weftcc --dryrun -ptx -arch=$arch $here/hello.cu 2>&1 |
        grep -o -e '--cuda-gpu-arch=[^ ]*'
done | sort | uniq -c
$weftcc --list-gpu-arch | head -n 3
$weftcc --list-gpu-code | tail -n 1
