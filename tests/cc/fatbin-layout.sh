# SPDX-License-Identifier: Apache-2.0
# The container, byte by byte, as NVIDIA's tools read it.
cat > x.ptx <<'P'
.version 7.8
.target sm_80
.address_size 64
P
$weftcc -fatbin x.ptx && od -A d -t x1 -v x.fatbin
# Code for one device, or for one family, says so in its flags.
for target in sm_90 sm_90a sm_100f; do
    sed "s/sm_80/$target/" x.ptx >y.ptx
    $weftcc -fatbin y.ptx && echo "$target" $(od -A n -t x4 -j 56 -N 4 y.fatbin)
done
