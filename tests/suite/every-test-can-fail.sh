#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: every-test-can-fail.sh BUILD
# Every test has an expectation beside it or makes assertions, every expectation
# belongs to a test, every text test is known to CTest, and nothing that could
# not be tried counts as passed.
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
failed=0
say() {
    echo "$*"
    failed=1
}

# ---- text tests: run's folders ----------------------------------------------

# expects FILE SUFFIX...: at least one of them is there, and not empty.
expects() {
    local file=$1 suffix
    shift
    for suffix in "$@"; do
        [ -s "${file%.*}.$suffix" ] && return
    done
    say "$file: nothing is expected: no .${*// /, no .} with text beside it"
}

# What is compared, and that main tells whether it was right.
assertion='\<(EXPECT|EXPECT_EQ|EXPECT_ERROR|FAIL|CHECK_MAP|expect_same|expect_sticky)\(|failures'
verdict='return finish\(\);|return expect_sticky\(|return failures|return wrong|if \(failures\)|\? 0 : 1;|// status: [1-9]'

program_checks_itself() {
    [ -s "${1%.cu}.out" ] && return
    grep -qE "$verdict" "$1" || say "$1: no .out, and main's result is no verdict"
    grep -qE "$assertion|return wrong|// status: |by_name\(\) &&" "$1" ||
        say "$1: no .out, and nothing is compared (check.h)"
}

script_checks_itself() {
    [ -s "${1%.sh}.out" ] && return
    grep -qE '^(set -eu?|exit \$[a-z]+)$|# status: [1-9]' "$1" ||
        say "$1: no .out, and its status says nothing"
}

for file in ptx/*.ptx; do expects "$file" out err; done
for file in simt/*.ptx; do expects "$file" cfg shapes schedule plan; done
for file in kernels/*.ptx; do
    expects "$file" out
    grep -q '^// kernel: ' "$file" || say "$file: no \`// kernel:\` line, nothing runs"
done
for file in device/*.cu libraries/*.cu; do expects "$file" out; done
for file in programs/*.cu programs/guide/*.cu; do program_checks_itself "$file"; done
for file in */*.sh programs/guide/*.sh; do script_checks_itself "$file"; done

# ---- expectations: somebody compares them ------------------------------------

# reads_of FOLDER: the kinds of expectations that `run` compares there.
reads_of() {
    case $1 in
    ptx) echo out err ;;
    simt) echo cfg shapes schedule plan ;;
    *) echo out ;;
    esac
}
while read -r file; do
    base=${file%.*} folder=$(basename "$(dirname "$file")")
    case " $(reads_of "$folder") " in
    *" ${file##*.} "*) ;;
    *) say "$file: tests/run compares no .${file##*.} in $folder/" ;;
    esac
    [ -e "$base.ptx" ] || [ -e "$base.cu" ] || [ -e "$base.sh" ] ||
        say "$file: there is no such test"
done < <(find . -name '*.out' -o -name '*.err' -o -name '*.cfg' \
    -o -name '*.shapes' -o -name '*.schedule' -o -name '*.plan' | sed 's@^\./@@')

# ---- programs in C -----------------------------------------------------------

# A tool that makes inputs or pages is no test: others compare what it prints.
tools="truth/record.c ptx/coverage.c"
for file in */*.c; do
    case " $tools " in *" $file "*) continue ;; esac
    main=$(sed -n '/^int main(/,/^}/p' "$file")
    [ -n "$main" ] || continue
    grep -qE "return [^0-9; ]" <<< "$main" && continue
    # With cases that end the program where they fail.
    grep -qE '\<(exit|_exit)\((1|EXIT_FAILURE)\)|\<(abort|assert)\(' "$file" ||
        say "$file: main returns the same whatever happened"
done

# ---- what is not tried is skipped, not passed ----------------------------------

while IFS= read -r line; do
    say "$line: what cannot be tried ends with 77"
done < <(grep -nE '(\|\||then) *exit 0' ./*/*.sh programs/guide/*.sh run |
    grep -v 'every-test-can-fail.sh')

# ---- CTest knows them ------------------------------------------------------------

known=$(ctest --test-dir "$build" --show-only=json-v1 |
    grep -oE '"[^"]*tests/[^"]*\.(ptx|cu|sh)"' | tr -d '"' | sed "s@^$PWD/@@" | sort -u)
[ -n "$known" ] || say "ctest lists no tests in $build"
while IFS= read -r file; do
    grep -qxF "$file" <<< "$known" || say "$file: CTest does not run it"
done < <(ls ptx/*.ptx simt/*.ptx kernels/*.ptx device/*.cu programs/*.cu \
    programs/guide/*.cu programs/guide/*.sh cc/*.sh link/*.sh suite/*.sh)

exit $failed
