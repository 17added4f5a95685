#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: measure.sh BUILD PROGRAM SAMPLES [FILE or OPTION for weftcc]...
# Compiles a program of this folder, with what else it is linked with, and runs
# it. The time of a second run would not show compiling: the cache is empty.
set -eu
build=$1
program=$2
samples=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/weftcc" -O2 -std=c++17 "$here/$program.cu" "$@" -lm \
    -o "$work/$program"
CUDA_CACHE_PATH=$work/cache "$work/$program" "$samples"
