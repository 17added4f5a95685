# SPDX-License-Identifier: Apache-2.0
# Values that an option does not have.
for option in -std=c++99 -arch=sm_81 -arch=volta -gencode=code=sm_80 -Ofoo \
        -rdc=maybe -c=1 --default-stream=mine -cudart=old -Werror=everything \
        -threads=many -m=32 -x=fortran; do
    $weftcc $option $here/hello.cu
    echo "status $?"
done
$weftcc $here/hello.cu -o
echo "status $?"
$weftcc -gencode arch=compute_80,code=[sm_80,sm_75] -c $here/hello.cu
echo "status $?"
# Where there may be one value, the last one counts.
$weftcc -o a -o b -O2 -O3 -ftz=true -ftz=true -c $here/hello.cu
echo "status $?" [ab]
