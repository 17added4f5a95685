#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library exports the rows of its table and nothing else:
#     exports.sh source library cc
source=$1 library=$2 cc=$3

printf '%s\n' '#define NO(n) n' '#define PTDS(n) n n##_ptds' \
    '#define PTSZ(n) n n##_ptsz' \
    '#define CU_API(n, form, s, p, state) p(n##form)' \
    '#include "driver/api.def"' |
    "$cc" -E -P -x c -I"$source/src" - | tr -s ' ;' '\n\n' | grep . |
    sort >driver-rows.$$
nm -D --defined-only "$library" | sed -n 's/.* [TD] \([^@]*\).*/\1/p' |
    sort >driver-exports.$$
diff driver-rows.$$ driver-exports.$$ || {
    echo "the table's rows (<) are not the exports (>)"
    rm -f driver-rows.$$ driver-exports.$$
    exit 1
}
rm -f driver-rows.$$ driver-exports.$$
