# SPDX-License-Identifier: Apache-2.0
# CUDA_VISIBLE_DEVICES: numbers and ids up to the first that is none; without
# a device every call says so, and launches do nothing.
cat >device.cu <<'C'
#include <cstdio>
__managed__ int managed = 5;
__global__ void kernel(int *p)
{
    *p = 1;
}
static void say(const char *what, cudaError_t e)
{
    printf(" %s %s", what, cudaGetErrorName(e));
}
int main(int argc, char **argv)
{
    int n = -1;
    void *p = nullptr;
    cudaDeviceProp prop;
    cudaError_t e = cudaGetDeviceCount(&n);
    if (n > 0) {
        if (cudaGetDeviceProperties(&prop, 0))
            return 1;
        for (int i = 0; argc > 2 && i < n; i++) {
            int bus = -1;
            cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, i);
            printf(" %d", bus);
        }
        if (argc > 2)
            return 0;
        if (argc > 1) {
            printf("GPU-");
            for (int i = 0; i < 16; i++)
                printf("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
                       (unsigned char)prop.uuid.bytes[i]);
            return 0;
        }
        kernel<<<1, 1>>>(&managed);
        printf("%d device, %s, %d\n", n, cudaGetErrorName(cudaDeviceSynchronize()),
               managed);
        return 0;
    }
    printf("%d devices:", n);
    say("count", e);
    say("set", cudaSetDevice(0));
    say("properties", cudaGetDeviceProperties(&prop, 0));
    say("malloc", cudaMalloc(&p, 4));
    kernel<<<1, 1>>>(nullptr);
    say("launch", cudaGetLastError());
    say("synchronize", cudaDeviceSynchronize());
    say("reset", cudaDeviceReset());
    printf("\n");
}
C
$weftcc device.cu -o device || exit 1
id=$(./device id)
for list in 0 0,1 " 0" 0x0 +0 "0;1" "$id" "${id::9}" "" -1 1 1,0 none GPU- ,0 0,0; do
    name=${list/$id/the id}
    echo "'${name/${id::9}/its beginning}': $(CUDA_VISIBLE_DEVICES=$list ./device)"
done
echo "order 'x': $(CUDA_DEVICE_ORDER=x ./device | cut -d ' ' -f 1-4)"
echo "order 'PCI_BUS_ID': $(CUDA_DEVICE_ORDER=PCI_BUS_ID ./device)"
# Of two: the place of each on the bus. Numbers and ids do not mix.
export WEFT_DEVICES=2
second=$(CUDA_VISIBLE_DEVICES=1 ./device id)
for list in 0,1 1,0 1 01 "$second" "$second,0" "$second,$id" 0,"$second"; do
    name=${list//$id/first}
    echo "'${name//$second/second}':$(CUDA_VISIBLE_DEVICES=$list ./device on bus)"
done
