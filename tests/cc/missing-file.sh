# SPDX-License-Identifier: Apache-2.0
# Input files that are not there.
$weftcc nowhere.cu
echo "status $?"
$weftcc nowhere.cpp
echo "status $?"
$weftcc hello.txt
echo "status $?"
$weftcc
echo "status $?"
$weftcc -c -o x.o a.cu b.cu
echo "status $?"
echo '#include <nowhere.h>' > includes.cu
$weftcc -c includes.cu 2>&1 | head -n 1
ls
