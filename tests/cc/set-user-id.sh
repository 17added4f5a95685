# SPDX-License-Identifier: Apache-2.0
# A program that runs with its owner's rights asks no variable and no file of
# its caller's where code is to be loaded from or what is to be written.
export CUDA_CACHE_PATH=$PWD/cache WEFT_LIB_DIR=$PWD/lib
export CUBLAS_LOGINFO_DBG=1 CUBLAS_LOGDEST_DBG=cublas.log
export CUDA_LOG_FILE=errors.log
mkdir cache lib
$weft info | grep -c "code cache .*$PWD/cache"
own() { cp "$1" "$2" && chown 65534 "$2" && chmod 4755 "$2"; }
own "$(command -v id)" id 2> /dev/null && [ "$(./id -u)" = 65534 ] ||
    { echo "no set-user-id program can be made or run here"; exit 77; }
own "$weft" weft
./weft info | grep -o 'code cache .*'

cat > planted.c <<'C'
#include <stdio.h>
__attribute__((constructor)) static void run(void) { puts("planted"); }
C
gcc -shared -fPIC planted.c -o planted.so || exit 1
echo "NVBLAS_CPU_BLAS_LIB ./planted.so" > nvblas.conf
cat > product.c <<'C'
#include "cuda_runtime_api.h"
#include "nvblas.h"
#include <stdio.h>
int main(void)
{
    double a = 3, b = 4, c = 0, one = 1, none = 0;
    int n = 1;
    cudaMalloc(NULL, 1); /* an error, for the log */
    dgemm_("N", "N", &n, &n, &n, &one, &a, &n, &b, &n, &none, &c, &n);
    printf("%g\n", c);
    return 0;
}
C
$weftcc product.c -o plain -lnvblas -lcublas -Xlinker -rpath,$build/lib || exit 1
own plain product
./plain
ls *.log
rm -f *.log
chmod 777 .
./product 2>&1
ls *.log 2> /dev/null | wc -l
