# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# -ptx, -fatbin and -cubin leave device code only.
$weftcc -ptx $here/hello.cu && grep -c '^.visible .entry' hello.ptx
$weftcc -ptx -arch=sm_52 -lineinfo $here/hello.cu -o h.ptx && grep '^.target' h.ptx
$weftcc -fatbin $here/hello.cu && od -A n -t x4 -N 4 hello.fatbin
$weftcc -fatbin hello.ptx -o from-ptx.fatbin && od -A n -t x4 -N 4 from-ptx.fatbin
$weftcc -cubin $here/hello.cu && ls hello.cubin
$weftcc -c hello.ptx
echo "status $?"
echo 'no ptx' > bad.ptx
$weftcc -fatbin bad.ptx
echo "status $?, $(ls bad.fatbin* 2>&1 | wc -l) line about bad.fatbin"
