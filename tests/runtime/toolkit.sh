#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Our headers against those of NVIDIA's toolkit, where there is one: every
# enumerator with its value, every structure with its size and offsets, every
# function by its name:  toolkit.sh include-folder clang
include=$1 clang=$2
toolkit=${CUDA_HOME:-/usr/local/cuda}/include
[ -e "$toolkit/cuda.h" ] || {
    echo "skipped: no CUDA toolkit to compare with"
    exit 77
}
version=$(sed -n 's/^#define CUDA_VERSION //p' "$toolkit/cuda.h")
[ "$version" -le 13000 ] || {
    echo "skipped: the toolkit is newer than 13.0"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# Structures in the layout of CUDA 12: 13 has more reserved members behind, and
# other device properties (properties-13.c). Ours ask for no alignment in C.
twelve="cudaResourceDesc cudaResourceViewDesc cudaPointerAttributes
    cudaDeviceProp cudaExternalMemoryHandleDesc cudaExternalMemoryBufferDesc
    cudaExternalMemoryMipmappedArrayDesc cudaExternalSemaphoreHandleDesc
    CUtensorMap_st"

headers='#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_runtime_api.h>
#include <cuda_profiler_api.h>
#include <library_types.h>'
# What these include themselves may be missing.
for header in cudaGL.h cuda_gl_interop.h cudaEGL.h cuda_egl_interop.h \
    cudaVDPAU.h cuda_vdpau_interop.h; do
    echo "#include <$header>" | "$clang" -xc -fsyntax-only -I"$toolkit" - \
        2>/dev/null && headers="$headers
#include <$header>"
done

read_with() { # include folder, option of the front end
    echo "$headers" | "$clang" -xc -fsyntax-only -I"$1" -Xclang "$2" -
}

read_with "$toolkit" -ast-dump >"$work/theirs.ast"
names() { # of declarations of this kind
    sed -n "s/.*$1 .*:[0-9]* \(cu[A-Za-z0-9_]*\|[CN][UV][A-Za-z0-9_]*\) '.*/\1/p" \
        "$work/theirs.ast" | sort -u
}

# ---- enumerators and their values

{
    echo "$headers"
    echo '#include <stdio.h>'
    echo 'int main(void) {'
    names EnumConstantDecl |
        sed 's/.*/printf("& %lld\\n", (long long)&);/'
    echo 'return 0; }'
} >"$work/values.c"
for folder in "$toolkit" "$include"; do
    "$clang" -w -ferror-limit=0 -I"$folder" "$work/values.c" \
        -o "$work/values" 2>"$work/errors" || {
        grep error: "$work/errors"
        status=1
    }
    "$work/values" | grep -v '_MAX \|DevAttrMax ' >"$work/now"
    [ -e "$work/values.out" ] || cp "$work/now" "$work/values.out"
    diff "$work/values.out" "$work/now" || status=1
done

# ---- structures

# One line each: its name, its members with their offsets, its size.
layouts() {
    read_with "$1" -fdump-record-layouts-complete | sed 's/(unnamed[^)]*)/?/g;
        s/(anonymous[^)]*)/?/g' | awk '
        / 0 [|] (struct|union) [A-Za-z0-9_]*$/ && !depth {
            line = $NF; depth = 1; next
        }
        /^[*][*][*]/ { depth = 0; next }
        depth && /\[sizeof=/ { print line, $2, $3; depth = 0; next }
        depth { $1 = $1; line = line ";" $0 }' |
        grep -i '^cu' | sort -u
}
layouts "$toolkit" >"$work/theirs"
layouts "$include" >"$work/ours"
for name in $twelve; do
    sed -i "/^$name[; ]/d" "$work/theirs"
done
[ "$(wc -l <"$work/theirs")" -gt 100 ] || {
    echo "the toolkit's structures could not be read: $(wc -l <"$work/theirs")"
    status=1
}
comm -23 "$work/theirs" "$work/ours" >"$work/other"
[ ! -s "$work/other" ] || {
    echo "structures that are missing or laid out otherwise:"
    tr ';' '\n' <"$work/other"
    status=1
}

# ---- functions

{
    echo "$headers"
    names FunctionDecl | sed 's/.*/void *address_of_&(void) { return \&&; }/'
} >"$work/functions.c"
"$clang" -w -ferror-limit=0 -fsyntax-only -I"$include" "$work/functions.c" ||
    status=1
exit $status
