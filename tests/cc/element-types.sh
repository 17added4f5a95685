# SPDX-License-Identifier: Apache-2.0
# Types that fetches and surface functions take: those of nvcc, and where a
# toolkit of NVIDIA's is installed, nvcc is asked, too.
scalars='char,signed char,unsigned char,short,unsigned short,int,unsigned int'
scalars+=',long,unsigned long,long long,unsigned long long,float,double,bool'
scalars+=',__half,__nv_bfloat16,__half2'
vectors=$(echo {char,uchar,short,ushort,int,uint,long,ulong,longlong,ulonglong,float,double}{1,2,3,4})
IFS=, read -r -a types <<<"$scalars,${vectors// /,}"

write() { # NAME STATEMENT
    echo '#include <cuda_fp16.h>'
    echo '#include <cuda_bf16.h>'
    for i in "${!types[@]}"; do
        echo "__global__ void k$i(unsigned long long t, void *p)" \
            "{ using T = ${types[i]}; $2 }"
    done
}
refused() { # NAME COMPILER OPTION...: line 3 is the first type's
    "${@:2}" -w -std=c++17 -arch=sm_90 -ptx "$1.cu" -o x.ptx 2>&1 |
        grep -o "$1\.cu[:(][0-9]*\|at line [0-9]* of $1\.cu" |
        grep -o '[0-9][0-9]*\( of\|$\)' | sort -nu | while read -r line _; do
            printf '%s' "${comma-} ${types[line - 3]}" && comma=,
        done
    echo
}

nvcc=${CUDA_HOME:-/usr/local/cuda}/bin/nvcc
compare() { # NAME STATEMENT
    write "$@" >"$1.cu"
    echo "$1 refuses$(refused "$1" "$weftcc" --device-option -ferror-limit=0)" |
        tee ours | fold -s -w 78
    [ ! -x "$nvcc" ] ||
        echo "$1 refuses$(refused "$1" "$nvcc" -Xcudafe --error_limit=1000)" |
        diff ours - >&2
}
compare fetch 'T v = tex2D<T>(t, 0.f, 0.f); *(T *)p = v;'
compare fetch-by-pointer 'T v; texCubemapLod(&v, t, 0.f, 0.f, 0.f, 0.f); *(T *)p = v;'
compare gather 'T v = tex2Dgather<T>(t, 0.f, 0.f); *(T *)p = v;'
compare read 'T v = surf2Dread<T>(t, 0, 0); *(T *)p = v;'
compare read-by-pointer 'T v; surfCubemapread(&v, t, 0, 0, 0); *(T *)p = v;'
compare write 'surf1Dwrite(*(T *)p, t, 0);'
