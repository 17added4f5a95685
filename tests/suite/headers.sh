#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: headers.sh [FILE ...]
# Each function that a header of src/ declares, or defines inline, has a comment:
# above it, behind it, or above the lines that it stands among, without an empty
# one in between. A comment speaks for 12 of them at most.
# Headers of src/lib that are code for several types are read as code.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
if [ $# -eq 0 ]; then
    mapfile -t files < <(find src -name '*.h')
else
    files=("$@")
fi
failed=0
while IFS= read -r line; do
    echo "$line"
    failed=1
done < <(awk '
    function name_of(text) {
        sub(/ *\(.*/, "", text)
        sub(/.*[ *]/, "", text)
        return text
    }
    # A declaration: its text, all of it, and where it begins.
    function judge(text, line, has_body) {
        if (text ~ /^(typedef|struct [a-z_0-9]+ *\{|union|enum|#|static_assert|extern "C"|_Pragma)/)
            return
        if (text ~ /^static/ && text !~ /inline/ && has_body)
            return
        if (has_body && FILENAME ~ /^src\/lib\//)
            return
        if (text !~ /^[A-Za-z_].*[ *][A-Za-z_0-9]+ *\(.*\)/ || text ~ /=/)
            return
        if (text ~ /\(\*[a-z_]+\)\(/ && text !~ /^[a-zA-Z_ *]+[a-z_0-9]+\([^(]/)
            return
        if (text ~ /^[A-Z_0-9]+\(/)
            return
        if (behind || (covered && covered <= 12)) {
            if (covered)
                covered++
            return
        }
        print FILENAME ":" line ": " name_of(text) ": says nowhere what it does"
    }
    FNR == 1 { covered = 0; depth = 0; text = ""; in_comment = 0; in_macro = 0 }
    {
        raw = $0
        behind = 0
        if (in_comment) {
            if (raw ~ /\*\//) {
                in_comment = 0
                covered = 1
            }
            next
        }
        if (in_macro || raw ~ /^#/) {
            in_macro = raw ~ /\\$/
            next
        }
        if (raw ~ /^[ \t]*\/\*/ && text == "" && !depth) {
            if (raw !~ /\*\//)
                in_comment = 1
            else
                covered = 1
            next
        }
        if (raw ~ /^[ \t]*$/) {
            if (!depth && text == "")
                covered = 0
            next
        }
        if (raw ~ /;.*\/\*/ || (raw ~ /\/\*.*\*\/ *$/))
            behind = 1
        if (raw ~ /;.*\/\*/ && raw !~ /\*\//)
            in_comment = 1
        code = raw
        gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
        sub(/\/\*.*/, "", code)
        sub(/\/\/.*/, "", code)
        if (!depth) {
            if (text == "")
                from = FNR
            text = text == "" ? code : text " " code
            if (code ~ /\{/) {
                judge(text, from, 1)
                depth = gsub(/\{/, "", code) - gsub(/\}/, "", code)
                if (!depth)
                    text = ""
            } else if (code ~ /; *$/) {
                judge(text, from, 0)
                text = ""
            }
        } else {
            depth += gsub(/\{/, "", code) - gsub(/\}/, "", code)
            if (depth <= 0) {
                depth = 0
                text = ""
            }
        }
    }' "${files[@]}")
exit $failed
