# SPDX-License-Identifier: Apache-2.0
# The implicit header is precompiled by the first program and serves the next
# ones, whatever their macros and levels; a damaged file is made again. A program
# for which one of its headers has to be changed is compiled without it, and
# leaves it to the others.
export CUDA_CACHE_PATH=$PWD/cache
unset CUDA_CACHE_DISABLE
cat > p.c <<'C'
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
/* A header of ours calls the host's constructor, which clang refuses. */
static const char of_host[] =
    "struct S { int x; S() = default; __host__ S(int y) : x(y) {} };\n"
    "__host__ __device__ int positive(int n) {"
    "    return n < 0 ? weft_value<S>(n, 0).x : n; }\n"
    "extern \"C\" __global__ void k(int *p) { *p = positive(*p); }";
int main(int argc, char **argv)
{
    static const char usual[] =
        "#ifdef NDEBUG\n"
        "const int checks = 0;\n"
        "#else\n"
        "const int checks = 1;\n"
        "#endif\n"
        "extern \"C\" __global__ void k(float *p, int *n) {\n"
        "    assert(*n); *n = __CUDA_ARCH__ + checks; *p = sinf(*p) * M; }";
    const char *source = getenv("OF_HOST") ? of_host : usual;
    nvrtcProgram p;
    size_t bytes;
    nvrtcCreateProgram(&p, source, "p.cu", 0, NULL, NULL);
    nvrtcResult err =
        nvrtcCompileProgram(p, argc - 2, (const char **)argv + 2);
    nvrtcGetProgramLogSize(p, &bytes);
    char *text = calloc(bytes + 1, 1);
    nvrtcGetProgramLog(p, text);
    printf("%s%s", err ? nvrtcGetErrorString(err) : "", text);
    nvrtcGetPTXSize(p, &bytes);
    text = calloc(bytes + 1, 1);
    nvrtcGetPTX(p, text);
    FILE *f = fopen(argv[1], "w");
    fputs(text, f);
    return fclose(f);
}
C
gcc $sanitizers p.c -I$build/nvcc/include -L$build/nvcc/lib64 -lnvrtc \
    -Wl,-rpath,$build/lib -o p
headers() { # the large files of the cache
    find cache -type f -size +1M
}
./p first.ptx -DM=2
headers | wc -l
./p second.ptx -DM=3.f -DNDEBUG
headers | wc -l
CUDA_CACHE_DISABLE=1 ./p alone.ptx -DM=3.f -DNDEBUG
cmp second.ptx alone.ptx && grep -l __assertfail first.ptx second.ptx
./p other.ptx -DM=2 -arch=compute_70 --std=c++20 && grep .target other.ptx
headers | wc -l
before=$(headers | xargs ls -i)
OF_HOST=1 ./p host.ptx && grep -c "^.visible .entry k" host.ptx
[ "$before" = "$(headers | xargs ls -i)" ] && echo "the same files"
for damage in "truncate -s 600K" "cp p.c"; do
    for file in $(headers); do $damage $file; done
    ./p third.ptx -DM=4 "-DX_$((n += 1))"
    headers | wc -l
done
find cache -name '*tmp*'
