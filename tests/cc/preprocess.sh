# SPDX-License-Identifier: Apache-2.0
# -E writes to stdout or to -o.
echo 'VALUE' > p.cu
$weftcc -E -DVALUE=found p.cu | tail -n 1
$weftcc -E -DVALUE=found p.cu -o p.ii && tail -n 1 p.ii
echo 'VALUE' > p.cpp
$weftcc -E -DVALUE=found p.cpp | tail -n 1
$weftcc -x cu -E -DVALUE=__CUDACC_VER_MAJOR__ p.cpp | tail -n 1
