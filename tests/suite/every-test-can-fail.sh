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

# without SUFFIX FILE...: those with no expectation beside them.
without() {
    local suffix=$1 file
    shift
    for file; do
        [ -s "${file%.*}.$suffix" ] || echo "$file"
    done
}

# none_of PATTERN WHAT FILE...: each file has a line like this.
none_of() {
    local pattern=$1 what=$2 file
    shift 2
    while IFS= read -r file; do
        say "$file: $what"
    done < <(grep -LE "$pattern" "$@" /dev/null | grep -v '^/dev/null$')
}

# What is compared, and that main tells whether it was right.
assertion='\<(EXPECT|EXPECT_EQ|EXPECT_ERROR|FAIL|CHECK_MAP|expect_same|expect_sticky)\(|failures|return .*(bad|wrong|[!=]= )|// status: |by_name\(\) &&'
verdict='return finish\(\);|return expect_sticky\(|return failures|return .*(bad|wrong|failures|[!=]= )|if \(failures\)|\? 0 : 1;|// status: [1-9]'

for file in ptx/*.ptx; do expects "$file" out err; done
for file in simt/*.ptx; do expects "$file" cfg shapes schedule plan; done
for file in kernels/*.ptx device/*.cu libraries/*.cu; do expects "$file" out; done
none_of '^// kernel: ' 'no `// kernel:` line, nothing runs' kernels/*.ptx
mapfile -t alone < <(without out programs/*.cu programs/guide/*.cu)
none_of "$verdict" "no .out, and main's result is no verdict" "${alone[@]}"
none_of "$assertion" 'no .out, and nothing is compared (check.h)' "${alone[@]}"
mapfile -t alone < <(without out */*.sh programs/guide/*.sh)
none_of '^ *(set -eu?|exit (1|\$[a-z]+))$|# status: [1-9]' \
    'no .out, and its status says nothing' "${alone[@]}"

# ---- expectations: somebody compares them ------------------------------------

while read -r file; do
    base=${file%.*} folder=${base%/*}
    folder=${folder##*/}
    case $folder.${file##*.} in # what `run` compares there
    ptx.err | simt.cfg | simt.shapes | simt.schedule | simt.plan) ;;
    simt.*) say "$file: tests/run compares no .${file##*.} in simt/" ;;
    *.out) ;;
    *) say "$file: tests/run compares no .${file##*.} in $folder/" ;;
    esac
    [ -e "$base.ptx" ] || [ -e "$base.cu" ] || [ -e "$base.sh" ] ||
        say "$file: there is no such test"
done < <(find . -name '*.out' -o -name '*.err' -o -name '*.cfg' \
    -o -name '*.shapes' -o -name '*.schedule' -o -name '*.plan' | sed 's@^\./@@')

# ---- programs in C -----------------------------------------------------------

# A tool that makes inputs or pages is no test: others compare what it prints.
tools="truth/record.c ptx/coverage.c"
while IFS= read -r file; do
    case " $tools " in *" $file "*) continue ;; esac
    sed -n '/^int main(/,/^}/p' "$file" | grep -qE 'return [^0-9; ]' && continue
    # With cases that end the program where they fail.
    grep -qE '\<(exit|_exit)\((1|EXIT_FAILURE)\)|\<(abort|assert)\(' "$file" ||
        say "$file: main returns the same whatever happened"
done < <(grep -l "^int main(" */*.c)

# ---- what is not tried is skipped, not passed ----------------------------------

while IFS= read -r line; do
    say "$line: what cannot be tried ends with 77"
done < <(grep -nE '(\|\||then) *exit 0' */*.sh programs/guide/*.sh run |
    grep -v 'every-test-can-fail.sh')

# ---- CTest knows them ------------------------------------------------------------

mapfile -t known < <(ctest --test-dir "$build" --show-only=json-v1 |
    grep -oE '"[^"]*tests/[^"]*\.(ptx|cu|sh)"' | tr -d '"' | sed "s@^$PWD/@@")
[ ${#known[@]} -gt 0 ] || say "ctest lists no tests in $build"
while IFS= read -r file; do
    say "$file: CTest does not run it"
done < <(printf '%s\n' ptx/*.ptx simt/*.ptx kernels/*.ptx device/*.cu \
    programs/*.cu programs/guide/*.cu programs/guide/*.sh cc/*.sh link/*.sh \
    suite/*.sh | grep -vxF -f <(printf '%s\n' "${known[@]}"))

exit $failed
