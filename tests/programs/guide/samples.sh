#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every row of samples.def leads to a program and a function in it, no sample is
# there twice or left out, and no program is without a sample.
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2
rows=$(grep -E '^GUIDE_(SAMPLE|LATER)\(' samples.def)
failed=0
say() {
    echo "samples.def: $*"
    failed=1
}

while IFS='"' read -r _ text _ sample mark program function; do
    function=$(tr -d ' )' <<< "$function")
    [ -n "$text" ] && [ -n "$sample" ] || say "not a row: $text $sample"
    case $mark in
    *WHOLE* | *PART* | *TEXT* | *WRONG* | *GRAPHICS*) ;;
    *) say "$text $sample: no mark" ;;
    esac
    [ -f "$program" ] || { say "$text $sample: there is no $program"; continue; }
    grep -q -w "${function#,}" "$program" ||
        say "$text $sample: $program has no ${function#,}"
done < <(grep '^GUIDE_SAMPLE' <<< "$rows")

twice=$(cut -d'"' -f2,4 <<< "$rows" | sort | uniq -d)
[ -z "$twice" ] || say "twice: $twice"

# numbered TEXT FORMAT LAST: so many samples of this name are there.
numbered() {
    local i name
    for ((i = 1; i <= $3; i++)); do
        printf -v name "$2" "$i"
        grep -q "\"$1\", *\"$name\"" <<< "$rows" || say "$1 has no row $name"
    done
}
numbered 4.0 S%02d 63
numbered 4.0 B%02d 34
numbered 11.5 S%d 46
for letter in {a..m}; do
    for name in 3.0:S1 slides:S3; do
        grep -q "\"${name%:*}\", *\"${name#*:}-$letter\"" <<< "$rows" ||
            say "${name%:*} has no row ${name#*:}-$letter"
    done
done

for program in *.cu; do
    grep -q "\"$program\"" <<< "$rows" || say "no sample is in $program"
done
exit $failed
