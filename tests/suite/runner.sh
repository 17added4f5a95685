#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What tests/run says of tests that pass, fail and cannot be tried, in each
# kind of folder. The tools are stand-ins: a test of kind x says itself what
# they print, so all of this takes a second.
run=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/run
work=$(mktemp -d "${TMPDIR:-/tmp}/weft-suite-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
failed=0

mkdir -p build/bin ptx simt kernels device libraries programs guide cc link
# weft: prints the lines behind `// prints:`, and ends with `// ends:`.
cat > build/bin/weft <<'C'
#!/bin/bash
for file; do case $file in *.ptx) break ;; esac; done
sed -n 's@^// prints: @@p' "$file"
exit "$(sed -n 's@^// ends: @@p' "$file" | grep . || echo 0)"
C
# weftcc: its programs are scripts that do the same.
cat > build/bin/weftcc <<'C'
#!/bin/bash
{
    echo '#!/bin/bash'
    sed -n "s@^// prints: \(.*\)@echo '\1'@p; s@^// if \(.*\)=\(.*\): \(.*\)@[ \"\$\1\" = \2 ] \&\& echo '\3'@p" "$1"
    echo "exit $(sed -n 's@^// ends: @@p' "$1" | grep . || echo 0)"
} > "$3"
chmod +x "$3"
C
chmod +x build/bin/*

# expect STATUS FILE: tests/run on this test ends with that.
expect() {
    local found
    "$run" --build build "$work/$2" > log 2>&1
    found=$?
    [ $found -eq "$1" ] && return
    echo "$2: tests/run ends with $found, expected $1:"
    cat log "$2"
    failed=1
}

# test_is FILE LINE...: writes a test.
test_is() {
    local file=$1
    shift
    printf '%s\n' "$@" > "$file"
}

# Output as expected; other output; none expected where there has to be.
for kind in ptx/x.ptx.out simt/x.ptx.cfg kernels/x.ptx.out device/x.cu.out \
    libraries/x.cu.out programs/x.cu.out guide/x.cu.out; do
    file=${kind%.*} expected=${kind%%.*}.${kind##*.}
    test_is "$file" '// prints: right' '// kernel: k 1 1 1'
    echo right > "$expected"
    [ "${file%/*}" = kernels ] && sed -i '1i k' "$expected"
    expect 0 "$file"
    echo wrong > "$expected"
    expect 1 "$file"
    rm "$expected"
    case $file in
    programs/* | guide/*) expect 0 "$file" ;;
    *) expect 1 "$file" ;;
    esac
done

# An error where output is expected, and the other way round.
test_is ptx/x.ptx '// ends: 1'
: > ptx/x.out
expect 1 ptx/x.ptx
rm ptx/x.out
test_is ptx/x.ptx '// prints: right'
: > ptx/x.err
expect 1 ptx/x.ptx

# Programs that check themselves.
test_is programs/x.cu '// ends: 1'
expect 1 programs/x.cu
test_is programs/x.cu '// status: 3' '// ends: 3'
expect 0 programs/x.cu
test_is programs/x.cu '// status: 3' '// ends: 0'
expect 1 programs/x.cu
# On the second engine alone it goes wrong, or in a way that it asks for itself.
test_is guide/x.cu '// if WEFT_ENGINE=simd: right' \
    '// if WEFT_ENGINE=emu: wrong'
echo right > guide/x.out
expect 1 guide/x.cu
test_is programs/x.cu '// also: WAY=crooked' '// prints: right' \
    '// if WAY=crooked: wrong'
echo right > programs/x.out
expect 1 programs/x.cu
sed -i '/crooked: wrong/d' programs/x.cu
expect 0 programs/x.cu

# Scripts.
for folder in cc link; do
    test_is $folder/x.sh 'echo right'
    echo right > $folder/x.out
    expect 0 $folder/x.sh
    echo wrong > $folder/x.out
    expect 1 $folder/x.sh
    test_is $folder/x.sh 'echo wrong; exit 1'
    expect 1 $folder/x.sh
    test_is $folder/x.sh 'echo there is no such compiler; exit 77'
    expect 77 $folder/x.sh
    grep -q 'no such compiler' log && grep -q '1 skipped' log || {
        echo "$folder: a skip is not counted, or without its reason:"
        cat log
        failed=1
    }
done

exit $failed
