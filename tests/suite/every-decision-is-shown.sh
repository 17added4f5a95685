#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every decision of the plan is made in one of the golden texts of tests/simt,
# and each reason not to make one is given there: decisions.def.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
failed=0

# One note a line: `uniform`, `no vector: SUCH A REASON`.
notes=$(sed -E 's/^[^#]*#  ?//; s/^b[0-9]+: //' tests/simt/*.plan | sed 's/; /\n/g' |
    sort -u)

# rows KIND: name and text of each row.
rows() {
    sed -nE "s/^SIMT_$1\( *([A-Z0-9_]+), *\"([^\"]*)\".*/\1 \2/p" \
        src/simt/plan/decisions.def
}

# shown KIND LEAST BEFORE AFTER: some note is the row's text between the two.
shown() {
    local name text count=0
    while read -r name text; do
        count=$((count + 1))
        text=$(sed -E 's/[+*.]/\\&/g; s/%lld/[0-9]+/g' <<< "$text")
        # The head of each kernel says this one: `k: 32 lanes to a call`.
        [ "$name" = VECTORS ] && text='[a-z_]+: 32 lanes to a call'
        grep -qE "^$3$text$4\$" <<< "$notes" && continue
        echo "decisions.def: $1 $name: no tests/simt/*.plan shows it"
        failed=1
    done < <(rows "$1")
    [ $count -ge "$2" ] || { echo "decisions.def: $count rows of $1"; failed=1; }
}

shown DECISION 30 '' '(, .*)?'
shown REASON 30 'no [^:]*: ' ''

exit $failed
