# SPDX-License-Identifier: Apache-2.0
# Compute modes: nvidia-smi -c says which processes may use a device; a program
# that has chosen no device gets the next one that it may use. nvidia-smi lists
# all devices, whichever CUDA_VISIBLE_DEVICES names.
PATH=$build/nvcc/bin:$PATH
export WEFT_DEVICES=2 XDG_RUNTIME_DIR=$PWD/run
mkdir -m 700 run
cat >use.cu <<'C'
#include <cstdio>
#include <cstring>
#include <cuda.h>
static void say(const char *what, cudaError_t e)
{
    printf(" %s %s", what, cudaGetErrorName(e));
}
/* Words: a digit chooses that device, "valid" prefers 1 to 0, "use" allocates,
 * "which" names the device, "create" makes a context of the driver's on 0,
 * "reset" gives the device back, "wait" waits for a line. */
int main(int argc, char **argv)
{
    int order[] = {1, 0}, n = 0, mode;
    char line[8];
    void *p;
    CUcontext ctx;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "valid"))
            say("valid", cudaSetValidDevices(order, 2));
        else if (!strcmp(argv[i], "use"))
            say("use", cudaMalloc(&p, 64));
        else if (!strcmp(argv[i], "which"))
            cudaGetDevice(&n), printf(" on %d", n);
        else if (!strcmp(argv[i], "reset"))
            say("reset", cudaDeviceReset());
        else if (!strcmp(argv[i], "mode"))
            cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0),
                printf(" mode %d", mode);
        else if (!strcmp(argv[i], "create"))
            cuInit(0), printf(" create %d", cuCtxCreate(&ctx, NULL, 0, 0));
        else if (!strcmp(argv[i], "destroy"))
            printf(" destroy %d", cuCtxDestroy(ctx));
        else if (!strcmp(argv[i], "wait"))
            puts(" waits"), fflush(stdout), fgets(line, sizeof line, stdin);
        else
            say("set", cudaSetDevice(atoi(argv[i])));
    }
    puts("");
    return 0;
}
C
$weftcc use.cu -lcuda -o use || exit 1
modes() { nvidia-smi --query-gpu=index,compute_mode --format=csv,noheader; }

echo '--- default'
./use mode use which
echo '--- another process has device 0'
nvidia-smi -i 0 -c 3 | sed 's/GPU [0-9A-F:.]*/GPU/'
modes
mkfifo go came
./use use wait reset wait <go >came &
exec 3>go 4<came
read -r -u 4 line && echo "$line"
./use use which
./use valid use which
./use 0 use
./use create
nvidia-smi -i 1 -c PROHIBITED >one.txt && ./use use
nvidia-smi | grep -o -e 'E\. Process' -e Prohibited
echo '--- it lets the device go'
echo >&3
read -r -u 4 line && echo "$line"
./use create which destroy
nvidia-smi -c 0 | grep -c mode
modes
echo >&3
exec 3>&- 4<&-
wait
echo '--- a holder that is killed holds no longer'
nvidia-smi -i 0 -c EXCLUSIVE_PROCESS >one.txt
./use use wait <go >came &
exec 3>go 4<came
read -r -u 4 line && echo "$line"
./use 0
{ kill -9 $!; wait $!; } 2>one.txt
./use 0
echo '--- not the place of others'
chmod 777 run
./use mode
nvidia-smi -c 2 2>&1 || echo "status $?"
echo '--- what nvidia-smi takes and does not'
nvidia-smi -c sometimes 2>&1 || echo "status $?"
nvidia-smi -pm 1 2>&1 || echo "status $?"
nvidia-smi nvlink 2>&1 || echo "status $?"
nvidia-smi -i 5 || echo "status $?"
CUDA_VISIBLE_DEVICES=1 nvidia-smi -i 0,1 --query-gpu=index --format=csv,noheader
nvidia-smi --help-query-gpu | grep -x -e compute_mode -e 'name or gpu_name'
nvidia-smi --help-query-compute-apps | head -2
nvidia-smi -f out.txt -L && wc -l <out.txt
nvidia-smi | awk 'NR > 1 && length($0) % 91 { print "ragged:", $0 }'
