# SPDX-License-Identifier: Apache-2.0
# -time appends a table, -clean removes what the same command would make.
without_times() { sed -E 's/ , [0-9]+\.[0-9]+ , ms$/ , T , ms/; s/ [^ ]*weft-link / LINKER /'; }
cp $here/hello.cu .
$weftcc -time times.csv -c hello.cu && $weftcc -time times.csv hello.o -o hello
without_times < times.csv
$weftcc -time - -ptx hello.cu | without_times
ls hello*
$weftcc -clean hello.cu -o hello && $weftcc -clean -c hello.cu
$weftcc -clean -ptx hello.cu && $weftcc -clean -dlink hello.cu
ls hello*
