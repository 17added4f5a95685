# SPDX-License-Identifier: Apache-2.0
# Every architecture that a makefile names is taken. Those that nvcc knows are
# compiled for; dropped ones, and newer ones than the device's, for the device.
for arch in sm_13 sm_20 compute_35 sm_52 sm_75 sm_80 sm_86 sm_90a sm_100 sm_120 \
        compute_121f native; do
    echo "$arch" $($weftcc --dryrun -ptx -arch=$arch $here/hello.cu 2>&1 |
        grep -o -e '--cuda-gpu-arch=[^ ]*')
done
for arch in all all-major; do
    echo "$arch" $($weftcc --dryrun -fatbin -arch=$arch $here/hello.cu 2>&1 |
        grep -o -e '--cuda-gpu-arch=[^ ]*' -e 'LIST__=[^ ]*')
done
$weftcc --list-gpu-arch | head -n 3
$weftcc --list-gpu-code | tail -n 1
