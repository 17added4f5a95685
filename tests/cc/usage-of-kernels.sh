# SPDX-License-Identifier: Apache-2.0
# -Xptxas -v and -res-usage: what kernels use, as ptxas prints it; not where
# there is PTX alone.
cat > k.cu <<'C'
__device__ int counter;
__constant__ int table[4];
__global__ void k(int *p)
{
    __shared__ int s[8];
    s[threadIdx.x] = table[threadIdx.x & 3];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1] + counter;
}
C
plain() { sed 's/Used [1-9][0-9]* registers/Used SOME registers/'; }
for options in "-Xptxas -v" "-Xptxas=-v -arch=sm_90" "-res-usage -dc" \
    "-Xptxas -O3,-v -gencode arch=compute_80,code=[sm_80,compute_80]" \
    "-Xptxas -v -arch=compute_80" "-Xptxas -O3"; do
    echo "--- $options"
    $weftcc $options -c k.cu -o k.o 2>&1 | plain
done
# A file of PTX is looked at as well.
$weftcc -ptx k.cu -o k.ptx && $weftcc -cubin -arch=sm_90 -Xptxas -v k.ptx 2>&1 |
    plain
sed -i 's/ret;/bogus;/' k.ptx && $weftcc -cubin -arch=sm_90 k.ptx 2>&1 |
    grep -c 'no instruction `bogus`'
