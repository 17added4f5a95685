# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# -c, then a link of objects, as makefiles do it.
$weftcc -c $here/hello.cu && ls *.o
$weftcc -c $here/hello.cu -o named.o
$weftcc named.o -o hello && ./hello
mkdir out && $weftcc -c $here/hello.cu -odir out && ls out
