#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library exports the rows of its table and nothing else, and a test names
# every row that is DONE:
#     exports.sh source library cc
source=$1 library=$2 cc=$3
status=0

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
    status=1
}
rm -f driver-rows.$$ driver-exports.$$

grep -rhowE 'cu[A-Z][A-Za-z0-9_]*' "$source/tests" --include='*.c' --include='*.cu' \
    --include='*.h' --include='*.def' --include='*.sh' | sed 's/_v[0-9]*$//' | sort -u >driver-named.$$
printf '%s\n' '#define DONE(n) n' '#define REFUSES(n)' '#define NARROW_0(n)' \
    '#define NARROW_1(n)' '#define NARROW_2(n)' '#define NARROW_3(n)' \
    '#define CU_API(n, form, s, p, state) state(n)' '#include "driver/api.def"' |
    "$cc" -E -P -x c -I"$source/src" - | tr -s ' ;' '\n\n' | grep . | sort -u |
    comm -23 - driver-named.$$ >driver-unnamed.$$
if [ -s driver-unnamed.$$ ]; then
    sed 's/$/: no test calls it/' driver-unnamed.$$
    status=1
fi
rm -f driver-named.$$ driver-unnamed.$$
exit $status
