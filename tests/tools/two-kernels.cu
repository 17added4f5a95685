/* SPDX-License-Identifier: Apache-2.0 */
__global__ void first(int *p)
{
    p[threadIdx.x] += 1;
}

__global__ void second(int *p)
{
    p[threadIdx.x] *= 3;
}

int main(void)
{
    return 0;
}
