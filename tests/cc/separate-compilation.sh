# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# -dc, -dlink and a link, where no device code crosses files.
$weftcc -dc $here/hello.cu -o hello.o
$weftcc -dlink hello.o -o dlink.o
$weftcc hello.o dlink.o -lcudadevrt -lcudart_static -o hello && ./hello
$weftcc -rdc=true $here/hello.cu -o hello && ./hello
