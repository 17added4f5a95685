#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# signatures.sh OUT CC ROOT FILE...: see signatures.awk
set -eu
out=$1 cc=$2 root=$3
shift 3
for file; do
    "$cc" -E -P "-I$root/include" "-I$root/src" "$file" || exit 1
done > "$out.i"
awk -f signatures.awk "$out.i" > "$out"
