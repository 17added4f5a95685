#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: headers.sh [FILE ...]
# Each function that a header of src/ declares, or defines inline, has a comment:
# above it, behind it, or above the lines that it stands among, without an empty
# one in between. A comment speaks for 12 of them at most.
# Headers of src/lib that are code for several types are read as code.
# Each folder has a header that says who may call, how functions fail, who owns what
# and in which units, unless a function's comment says otherwise; of the headers of
# libraries that programs include each says it, or names the one that does: "are as
# cuda.h says".
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

if [ $# -gt 0 ]; then
    exit $failed
fi

# ---- for all functions of a folder ---------------------------------------------

while IFS= read -r folder; do
    headers=("$folder"/*.h "$folder"/*/*.h)
    for word in threads errors owners units; do
        [ "$(cat "${headers[@]}" 2> /dev/null | grep -cE "^ \*   $word +[^ ]")" = 1 ] && continue
        echo "$folder: one of its headers has to say, once: $word"
        failed=1
    done
done < <(find src -name '*.h' | sed -E 's@^(src/(lib/)?[a-z]+)/.*@\1@' | sort -u)

# ---- what programs include --------------------------------------------------------

# said FILE: the comments of a header, and of those that it names.
said() {
    local name
    sed -nE '/\/\*/,/\*\//p' "$1"
    while read -r name; do
        [ -e "include/$name" ] && [ "include/$name" != "$1" ] && said "include/$name"
    done < <(tr -s ' *\n' ' ' < "$1" | grep -oE 'are as [A-Za-z0-9_]+\.h says' | cut -d' ' -f3)
}
while IFS= read -r file; do
    text=$(said "$file")
    for words in 'threads:[Tt]hread' 'errors:[Ee]rror|[Ss]tatus|Result_?t?|fail' \
        'owners:[Cc]aller|belong|own|copied|program.s' 'units:byte|element|number|millisecond'; do
        grep -qE "${words#*:}" <<< "$text" && continue
        echo "$file: says nothing of ${words%%:*}"
        failed=1
    done
done < <(grep -lE '^extern "C" \{' include/*.h | xargs grep -lE '^[A-Za-z_].*\(.*[,;]$|^[A-Za-z_].*\($')

exit $failed
