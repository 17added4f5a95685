#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: complete.sh weft-device.bc llvm-version
# Compares the functions that clang's __clang_cuda_libdevice_declares.h
# declares with those that the device library defines.
set -eu
library=$1
version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

header=$("clang-$version" -print-resource-dir)/include
printf '#define __device__\n#include <__clang_cuda_libdevice_declares.h>\n' |
    "clang-$version" -E -P -x c -D__CUDA__ -DCUDA_VERSION=9010 \
        -isystem "$header" - |
    grep -o '__nv_[a-z0-9_]*(' | tr -d '(' | sort -u >"$work/wanted"
"llvm-nm-$version" --defined-only "$library" |
    awk '$2 == "T" { print $3 }' | sort -u >"$work/there"

comm -23 "$work/wanted" "$work/there" >"$work/missing"
if [ -s "$work/missing" ]; then
    echo "$library lacks:"
    cat "$work/missing"
    exit 1
fi
