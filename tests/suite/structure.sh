#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: structure.sh BUILD
# What docs/style.md says in numbers: knots of files, lines, asserted facts,
# partners of atomics, what stands twice. A bound that is reached is no goal.
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
failed=0
say() {
    echo "$*"
    failed=1
}

# ---- knots: files that call each other round in a circle ---------------------

# knots FOLDER MOST: the object files' symbols say who calls whom. A file of
# tables names all functions, and is called only through what it fills.
knots() {
    local objects
    mapfile -t objects < <(find "$build/src/$1"/CMakeFiles/*.dir -name '*.c.o' ! -name emitters.c.o)
    [ ${#objects[@]} -gt 5 ] || { say "$1: no object files in $build"; return; }
    nm -A "${objects[@]}" | sed "s@^.*\.dir/@@" | awk -v most="$2" -v in_="$1" '
        { split($1, at, ":"); file = at[1]; files[file] = 1 }
        $(NF - 1) ~ /^[TDBRVW]$/ { home[$NF] = file }
        $(NF - 1) == "U" { asks[file, $NF] = 1 }
        END {
            for (a in asks) {
                split(a, part, SUBSEP)
                to = home[part[2]]
                if (to && to != part[1])
                    reach[part[1], to] = 1
            }
            for (k in files)
                for (i in files)
                    if ((i, k) in reach)
                        for (j in files)
                            if ((k, j) in reach)
                                reach[i, j] = 1
            for (i in files) {
                if (!((i, i) in reach))
                    continue
                count = 0
                names = ""
                for (j in files)
                    if ((i, j) in reach && (j, i) in reach) {
                        count++
                        names = names " " j
                    }
                if (count > most)
                    knot[count] = names
            }
            for (count in knot)
                print in_ ": " count " files in one knot, at most " most ":" knot[count]
        }'
}

while IFS= read -r line; do
    say "$line"
done < <(
    for folder in emit cc simt ptx jit codegen exec core runtime driver emu nvrtc; do
        knots $folder 6
    done
)

# ---- lines ---------------------------------------------------------------------

# Tables of numbers and of names may be wider.
tables='include/curand_mtgp32dc_p_11213.h include/weft/per_thread_stream.h
include/weft/egl_formats.h'
while IFS= read -r line; do
    say "$line"
done < <(find src include -name '*.h' -o -path 'src/*' -name '*.c' | grep -vxF "${tables// /$'\n'}" |
    xargs awk 'FNR == 1 { lines = 0 }
        length > 80 && FILENAME !~ /weft\/library\// { print FILENAME ":" FNR ": " length " columns" }
        FNR == 1001 && FILENAME ~ /^src/ { print FILENAME ": over 1000 lines" }')

# The line above a part of a file is one line.
while IFS= read -r line; do
    say "$line: the end of a line of dashes"
done < <(find src include tests bench -name '*.[ch]' | xargs awk '
    /^ \*?[ -]*\*\/$/ && before ~ /^\/\* ---- / { print FILENAME ":" FNR }
    { before = FNR == 1 ? "" : $0 }')

# ---- what one function compiles with ------------------------------------------------

fields=$(sed -n '/^struct emit_fn {/,/^};/p' src/emit/core/state.h | sed 's@/\*.*\*/@@' | grep -o '[,;]' | wc -l)
[ "$fields" -gt 1 ] && [ "$fields" -lt 31 ] ||
    say "src/emit/core/state.h: struct emit_fn has $((fields - 1)) fields, at most 29"

# ---- no function stands twice ------------------------------------------------------

# Those of a file that are another file's word for word, blanks and comments
# aside; very short ones may.
while IFS= read -r line; do
    say "$line"
done < <(find src -name '*.[ch]' | xargs awk '
    FNR == 1 { where = body = "" }
    /^static / { where = FILENAME ":" FNR; head = body = "" }
    where && !body && !/^{/ { head = head $0 }
    where && /^{/ { body = head; sub(/^[^(]*/, "", body) }
    where && body { body = body $0 }
    where && !body && /[;=]/ { where = "" }
    /^}/ && where && body {
        gsub(/[ \t]+|\/\*([^*]|\*[^\/])*\*\//, "", body)
        if (length(body) > 50) {
            if (body in home)
                print where ": stands in " home[body] ", too"
            home[body] = where
        }
        where = body = ""
    }')

# A number that two files know by one name stands in a header. (What a format is
# made of, and lines of caches, many know.)
while read -r what; do
    say "$what: stands in $(grep -rlE "(#define ${what%% *} +|^ *${what%% *} = )" src | grep -v '^src/lib/' | xargs)"
done < <(find src -path src/lib -prune -o -name '*.[ch]' -print | xargs sed -nE \
    's@/\*.*@@; s@^#define ([A-Z][A-Z0-9_]{5,}) +([^a-z]*[0-9][^"]*[^ ]) *$@\1 \2@p; s@^ +([A-Z][A-Z0-9_]{5,}) = ([^,]*[0-9][^,]*),.*@\1 \2@p' |
    sed 's/ *$//' | sort | uniq -d | grep -vE '^(FLOAT_BIAS|DOUBLE_BIAS|LEAST_HALF|LINE_BYTES|CACHE_LINE|EXEC_[AT]SAN) ')

# An environment variable is spelled in one place: base/environment.h, if several
# files read or set it.
while read -r name; do
    say "$name: its name stands twice in getenv or setenv: $(grep -rlE "env\($name" src | xargs)"
done < <(grep -rhoE '(getenv|setenv)\("[A-Z_0-9]+"' --include='*.[ch]' src | grep -o '".*"' |
    grep -vx '"PATH"\|"TMPDIR"\|"HOME"' | sort | uniq -d)

# ---- a profile shows names, not files --------------------------------------------

# A static function's name has two words; macros that make one are in capitals.
while IFS= read -r line; do
    say "$line"
done < <(find src -name '*.[ch]' | xargs awk '
    FNR == 1 { head = "" }
    /^(__attribute__.* )?static / { head = " "; at = FILENAME ":" FNR }
    head != "" {
        head = head " " $0
        gsub(/__attribute__\(\(([^()]|\([^()]*\))*\)\) */, "", head)
        if (head !~ /[(;={]/)
            next
        if (match(head, /^[^(;={]*[ *]([a-z][a-z0-9]*)\(/)) {
            sub(/\(.*/, "", head)
            sub(/.*[ *]/, "", head)
            print at ": static function " head ": its name has one word"
        }
        head = ""
    }')

# ---- a folder's header is its table of contents ------------------------------------

for folder in driver runtime cache fatbin link; do
    for file in src/$folder/*.c; do
        grep -q "\b$(basename "$file")" src/$folder/*.h ||
            say "$file: no header of its folder says what it is for"
    done
done

# ---- comments name what exists ------------------------------------------------------

# A name with _ in a comment of src/ stands in some code, or is a file's. Names
# of other people's things are listed here.
others='arch_prctl clamp_ogl dark_api seq_cst'
while IFS= read -r line; do
    say "$line"
done < <(find src include device tests -type f -regex '.*\.\(c\|h\|def\|cu\|txt\)' | xargs awk -v others="$others" '
    # Words of code; words of comments with the place where they stand.
    function words(text, is_comment,    n, i, w, part) {
        if (is_comment && FILENAME !~ /^src\//)
            return
        if (is_comment) # not: parts of paths, options, registers, macros
            gsub(/[%.\/:-]+[A-Za-z0-9_]+/, " ", text)
        gsub(/[^A-Za-z0-9_]+/, " ", text)
        n = split(text, part, " ")
        for (i = 1; i <= n; i++) {
            w = part[i]
            if (!is_comment)
                code[w] = 1
            else if (w ~ /^[a-z][a-z]+(_[a-z][a-z0-9]+)+$/ && !(w in named))
                named[w] = FILENAME ":" FNR
        }
    }
    BEGIN { split(others, o, " "); for (i in o) code[o[i]] = 1 }
    FNR == 1 {
        inside = 0
        base = FILENAME
        gsub(/^.*\/|\..*$/, "", base)
        code[base] = 1
    }
    {
        rest = $0
        while (rest != "") {
            if (inside) {
                at = index(rest, "*/")
                words(at ? substr(rest, 1, at - 1) : rest, 1)
                rest = at ? substr(rest, at + 2) : ""
                inside = !at
            } else {
                block = index(rest, "/*")
                line = index(rest, "//")
                if (line && (!block || line < block)) {
                    words(substr(rest, 1, line - 1), 0)
                    words(substr(rest, line + 2), 1)
                    rest = ""
                } else {
                    words(block ? substr(rest, 1, block - 1) : rest, 0)
                    rest = block ? substr(rest, block + 2) : ""
                    inside = block > 0
                }
            }
        }
    }
    END {
        for (w in named)
            if (!(w in code))
                print named[w] ": its comment names " w ", which exists nowhere"
    }')

# ---- what must hold is asserted --------------------------------------------------

for folder in emit simt exec core; do
    mapfile -t files < <(find "src/$folder" -name '*.[ch]')
    asserts=$(cat "${files[@]}" | grep -cE '(^|[^_a-z])assert\(')
    lines=$(cat "${files[@]}" | wc -l)
    [ $((asserts * 1000)) -ge $((lines * 10)) ] ||
        say "src/$folder: $asserts asserts in $lines lines, fewer than 10 in 1000"
done

# ---- each order of an atomic names its partner -------------------------------------

while IFS= read -r line; do
    say "$line: pairs with what?"
done < <(find src -name '*.[ch]' | xargs awk '
    FNR == 1 { said = -99 }
    /[Pp]air/ { said = FNR }
    /memory_order_(acquire|release|acq_rel)/ && FNR - said > 9 {
        print FILENAME ":" FNR
    }')

# ---- memory that has run out is noticed ---------------------------------------------

# What an array or a map lacks would be wrong code, or a message too few. With
# (void) in front, the line before says why that does not matter.
while IFS= read -r line; do
    say "$line: and if memory has run out?"
done < <(find src -name '*.c' | xargs awk '
    /^ *(vec_push|map_put)\(/ && before !~ /(&&|\|\||[=(,])$/ { print FILENAME ":" FNR }
    { before = $0 }')

exit $failed
