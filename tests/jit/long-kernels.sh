#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# long-kernels.sh WEFT JIT-SCALING: what LLVM gets for a kernel grows with the
# kernel, and no function of it does: then time grows with the kernel, too.
# Times themselves are compared with a limit that a busy machine keeps.
set -u
weft=$1 scaling=$2
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weft-long-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
export CUDA_CACHE_DISABLE=1 WEFT_QUICK=0
failed=0

# sizes KIND SIZE: lines of LLVM code, lines of the largest function, masks in
# the function that has most of them.
sizes() {
    "$scaling" --kernel "$1" "$2" >"$scratch/k.ptx" || exit 2
    "$weft" dump --llvm --block 64 "$scratch/k.ptx" | awk '
        /^define/ { lines = masks = 0 }
        { all++; lines++ }
        / = alloca <32 x i1>/ { masks++ }
        lines > largest { largest = lines }
        masks > most { most = masks }
        END { print all, largest, most + 0 }'
}

expect() { # WHAT WHERE CONDITION
    [ "$3" = 1 ] && return
    echo "$2: $1"
    failed=1
}

for test in 'straight 8000' 'loops 8000' 'branches 8000' 'memory 8000' \
    'apart 8000' 'atomics 2000'; do
    read -r kind size <<<"$test"
    read -r all_1 largest_1 masks_1 <<<"$(sizes $kind $size)"
    read -r all_4 largest_4 masks_4 <<<"$(sizes $kind $((size * 4)))"
    expect "$all_1 lines for $size instructions, $all_4 for 4 times as many" $kind \
        $((all_1 > size && all_4 * 10 < all_1 * 44))
    expect "$largest_1 lines in one function, then $largest_4" $kind \
        $((largest_1 > 1000 && largest_4 * 10 < largest_1 * 15))
    expect "$masks_1 masks in one function, then $masks_4" $kind \
        $((masks_4 <= masks_1 && masks_4 < 20))
done

# seconds KIND SIZE COMMAND...: processor time for the kernel, the least of two.
seconds() {
    "$scaling" --kernel "$1" "$2" >"$scratch/k.ptx" || exit 2
    shift 2
    TIMEFORMAT=%U
    for _ in 1 2; do
        { time "$@" "$scratch/k.ptx" >/dev/null 2>&1; } 2>&1
    done | sort -g | head -n 1
}
compile() {
    "$weft" run --block 64 "$1" out:u32:64
}

short=$(seconds branches 2000 compile)
long=$(seconds branches 8000 compile)
expect "$short s for 2,000 instructions, $long s for 8,000" branches \
    "$(awk -v s="$short" -v l="$long" 'BEGIN { print(l < 3 * 4 * s && s > 0) }')"
# What is done before LLVM is quick, unless something looks for every access
# through the whole kernel.
short=$(seconds memory 8000 "$weft" dump --llvm)
long=$(seconds memory 64000 "$weft" dump --llvm)
expect "$short s for 8,000 instructions, $long s for 64,000" memory \
    "$(awk -v s="$short" -v l="$long" 'BEGIN { print(l < 3 * 8 * s && s > 0) }')"
exit $failed
