# SPDX-License-Identifier: Apache-2.0
# Headers of the user's come before ours, as with nvcc, but for those of another
# CUDA: these come behind ours, and a library that weft lacks is named.
mkdir -p mine/cuda/std system/nv toolkit/crt toolkit/extra
echo '#define MY_ARRAY 1' > mine/cuda/std/array
echo '#define MY_TARGET 1' > system/nv/target
for header in cuda_runtime.h cuda_runtime_api.h vector_types.h cudss.h crt/host_config.h; do
    echo "#error $header of another CUDA" > toolkit/$header
done
echo '#define EXTRA 1' > toolkit/extra/x.h
cat > order.cu <<'C'
#include <cuda/std/array>
#include <nv/target>
#include <cuda_runtime.h>
#include <extra/x.h>
#if !MY_ARRAY || !MY_TARGET || !EXTRA
#error ours came first
#endif
#ifdef WANTS_FFT
#include <cudss.h>
cudssHandle_t handle;
#endif
C
sed 's@.*nv/target.*@#define MY_TARGET 1@' order.cu > order.cpp
folders="-I$build/include -Itoolkit -Imine -isystem system"
$weftcc $folders -ptx order.cu -o order.ptx && $weftcc $folders -c order.cpp && echo taken
$weftcc $folders -DWANTS_FFT -ptx order.cu 2>&1 | head -n 1

# NVRTC: a program's own headers, none of the host's, and its own macros.
cat > n.c <<'C'
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void compile(const char *text, const char *option)
{
    const char *names[] = {"cuda/std/array", "stdint.h"};
    const char *headers[] = {"#define OURS 0\n", "#define OWN_STDINT 1\n"};
    nvrtcProgram p;
    size_t bytes;
    nvrtcCreateProgram(&p, text, "n.cu", 2, headers, names);
    printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(p, 1, &option)));
    nvrtcGetProgramLogSize(p, &bytes);
    char *log = malloc(bytes);
    nvrtcGetProgramLog(p, log);
    char *path = strstr(log, " (/");
    printf("%.*s\n", path ? (int)(path - log) : (int)strlen(log), log);
    free(log);
    nvrtcDestroyProgram(&p);
}
int main(void)
{
    compile("#include <cuda/std/array>\n#include <stdint.h>\n"
            "#if OURS || !OWN_STDINT\n#error not the program's own\n#endif\n"
            "#define INFINITY (__int_as_float(0x7f800000))\n"
            "#define NAN (__int_as_float(0x7fffffff))\n"
            "#include <cuda_fp8.h>\n#include <cuda_fp16.h>\n"
            "__global__ void k(float *p, __nv_fp8_e4m3 *q)\n"
            "{ p[0] = INFINITY + NAN + (float)q[0]; assert(p[0] != 1); }\n",
            "-Itoolkit");
    compile("#include <stdio.h>\n", "-DX");
    compile("#include <stdio.h>\n", "-I/usr/include");
    return 0;
}
C
gcc $sanitizers n.c -I$build/nvcc/include -L$build/nvcc/lib64 -lnvrtc \
    -Wl,-rpath,$build/lib -o n && ./n
