#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# gathers.sh WEFT: where that takes less time, what all lanes gather is loaded
# lane by lane, up to so many loads in a function; what some lanes gather is not.
set -u
weft=$1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-gathers-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
export CUDA_CACHE_DISABLE=1
failed=0
"$weft" info | grep -q '^instruction set *avx512' || {
    echo "skipped: needs AVX-512"
    exit 77
}

# kernel COUNT: so many words of a table that an index in memory names, and one
# that only some threads read.
kernel() {
    echo '.version 8.0 .target sm_80 .address_size 64'
    echo '.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)'
    echo '{ .reg .u64 %i, %o, %a, %w; .reg .u32 %t, %x, %s, %n; .reg .pred %p;'
    echo '  ld.param.u64 %i, [in]; ld.param.u64 %o, [out];'
    echo '  ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;'
    echo '  mul.wide.u32 %w, %t, 4; add.u64 %o, %o, %w; add.u64 %w, %i, %w;'
    echo '  ld.global.u32 %x, [%w]; mov.u32 %s, 0;'
    for ((i = 0; i < $1; i++)); do
        echo '  and.b32 %x, %x, 0xffff; mul.wide.u32 %a, %x, 4;'
        echo '  add.u64 %a, %i, %a; ld.global.u32 %x, [%a];'
        echo '  add.u32 %s, %s, %x;'
    done
    echo '  setp.lt.u32 %p, %x, %n; and.b32 %x, %x, 0xffff;'
    echo '  mul.wide.u32 %a, %x, 4; add.u64 %a, %i, %a;'
    echo '  @%p ld.global.u32 %x, [%a]; add.u32 %s, %s, %x;'
    echo '  st.global.u32 [%o], %s; ret; }'
}

# expect COUNT WAY LEAST MOST: how many gathers its code has.
expect() {
    local got
    kernel "$1" >"$scratch/k.ptx"
    got=$(WEFT_GATHERS=$2 "$weft" dump --asm --block 256 "$scratch/k.ptx" |
        grep -c gather)
    [ "$got" -ge "$3" ] && [ "$got" -le "$4" ] && return
    echo "$1 loads, $2: $got gathers, expected $3 to $4"
    failed=1
}
expect 4 vector 5 999
expect 4 loads 1 4
expect 60 loads 60 119 # of 120 and one, each of half of the lanes
message=$(WEFT_GATHERS=words "$weft" dump --asm "$scratch/k.ptx" 2>&1) &&
    { echo "WEFT_GATHERS=words is taken"; failed=1; }
[[ $message = *'expected loads or vector'* ]] || { echo "$message"; failed=1; }
exit $failed
