# SPDX-License-Identifier: Apache-2.0
# The container, byte by byte, as NVIDIA's tools read it.
cat > x.ptx <<'P'
.version 7.8
.target sm_80
.address_size 64
P
$weftcc -fatbin x.ptx && od -A d -t x1 -v x.fatbin
