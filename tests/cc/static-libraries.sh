# SPDX-License-Identifier: Apache-2.0
# Links that name NVIDIA's static libraries, in their guides' words.
cat > libraries.c <<'EOF'
#include <stdio.h>

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvJitLink.h>
#include <nvrtc.h>

int main(void)
{
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    cusparseHandle_t sparse;
    unsigned major = 0, minor = 0;
    int version[2] = {0};
    printf("%d %d %d", cublasCreate(&blas), cusolverDnCreate(&solver),
           cusparseCreate(&sparse));
    printf(" %d %d\n", nvJitLinkVersion(&major, &minor),
           nvrtcVersion(version, version + 1));
    return 0;
}
EOF
lib=$build/nvcc/lib64
[ -e "$lib/libcusolver_static.a" ] || {
    echo "no cuSOLVER here"
    exit 77
}
link() { # ARGUMENTS...: with gcc
    gcc $sanitizers libraries.c -I "$build/nvcc/include" -L "$lib" -o program "$@" \
        -lpthread -ldl -lm -Wl,-rpath,"$lib" && ./program
}
tools='-lnvJitLink_static -lnvrtc_static -lnvrtc-builtins_static'
link -lcusolver_static -lcusolver_lapack_static -lcusolver_metis_static \
    -lcublas_static -lcublasLt_static -lcusparse_static -lculibos $tools \
    -lcudart_static
link -lcusolver_static -llapack_static -lmetis_static -lcublas_static \
    -lcublasLt_static -lcusparse_static -lculibos $tools -lcudart_static
