# SPDX-License-Identifier: Apache-2.0
# No room for the result: an error, and no half of it stays. Needs a file
# system of its own; where mounting one is not allowed, that is said.
mkdir small
cat > inside.sh <<'S2'
mount -t tmpfs -o size=8k tmpfs small || exit 9
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
unshare -m -r bash inside.sh 2> /dev/null > out
if [ $? -eq 9 ] || [ ! -s out ]; then
    echo "not tried: no file system can be mounted here" >&2
    printf 'filler\nfiller\nfiller\nfiller\n'
else
    cat out
fi
