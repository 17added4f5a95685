# SPDX-License-Identifier: Apache-2.0
# No room for the result: an error, and no half of it stays. Needs a file
# system of its own; where mounting one is not allowed, this is skipped.
mkdir small
cat > inside.sh <<'S2'
mount -t tmpfs -o size=8k tmpfs small || exit
head -c 4096 /dev/zero > small/filler
cat > big.cu <<C
__device__ int table[] = {$(seq -s, 9000)};
__global__ void k(int *p) { *p = table[*p]; }
int data[] = {$(seq -s, 9000)};
C
tail -n 1 big.cu > big.cpp
for options in "-ptx big.cu -o small/x.ptx" "-fatbin big.cu -o small/x.fatbin" \
    "-c big.cu -o small/x.o" "-c big.cpp -o small/y.o"; do
    $weftcc $options > log 2>&1 && echo "$options: worked"
    [ -s log ] || echo "$options: no message"
    ls small
done
S2
export weftcc
unshare -m -r mount -t tmpfs tmpfs small 2> /dev/null ||
    { echo "no file system can be mounted here"; exit 77; }
unshare -m -r bash inside.sh
