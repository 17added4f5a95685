#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every row of the table of entry points that is DONE is named by a test, and
# the library exports the rows and nothing else:  rows.sh source library cc
source=$1 library=$2 cc=$3
tests=$source/tests/runtime
status=0

rows() { # prints what RT_API expands to
    printf '%s\n#include "runtime/api.def"\n' "$1" |
        "$cc" -E -P -x c -I"$source/src" - | tr -s ' ;' '\n\n'
}

is='#define NO(n) n
#define PTDS(n) n n##_ptds
#define PTSZ(n) n n##_ptsz
'
rows "$is#define RT_API(n, s, p, state) p(n)" | grep . | sort > rows.$$
nm -D --defined-only "$library" | sed -n 's/.* [TD] \([^@]*\).*/\1/p' |
    sort > exports.$$
diff rows.$$ exports.$$ || {
    echo "the table's rows (<) are not the exports (>)"
    status=1
}
rm -f rows.$$ exports.$$

for name in $(rows '#define DONE(n) n
#define REFUSES(n)
#define RT_API(n, s, p, state) state(n)'); do
    grep -qwE "${name%_v2}|$name" "$tests"/*.[ch] \
        "$source"/tests/graphics/*.c || {
        echo "no test calls $name"
        status=1
    }
done
exit $status
