// SPDX-License-Identifier: Apache-2.0
//
// A program without a single #include: what the compiler includes by itself
// declares printf, malloc, free and the runtime. A device variable is set,
// changed by a kernel and read back, with no other synchronisation than the
// copy's. The slides' program for "__device__ variables".

__device__ float variable;

__global__ void add_two()
{
    variable += 2.0f;
}

static bool by_name()
{
    float value = 2.0f;
    cudaMemcpyToSymbol(variable, &value, sizeof(float));
    add_two<<<1, 1>>>();
    cudaMemcpyFromSymbol(&value, variable, sizeof(float));
    printf("after the kernel: %f\n", value);
    return value == 4.0f;
}

static bool by_address()
{
    float *address, *value = (float *)malloc(sizeof(float));
    *value = 7.0f;
    cudaGetSymbolAddress((void **)&address, variable);
    cudaMemcpy(address, value, sizeof(float), cudaMemcpyHostToDevice);
    add_two<<<1, 1>>>();
    cudaMemcpy(value, address, sizeof(float), cudaMemcpyDeviceToHost);
    bool right = *value == 9.0f;
    free(value);
    return right;
}

int main()
{
    return by_name() && by_address() ? 0 : 1;
}
