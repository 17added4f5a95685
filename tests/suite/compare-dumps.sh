#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: compare-dumps.sh BUILD
# scripts/compare-dumps finds no difference between a build and itself, and
# finds one line more in one way of four.
build=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
file=tests/simt/barrier-in-uniform-loop.ptx
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}

mkdir "$scratch/bin"
ln -s "$build/lib" "$scratch/lib"
cat >"$scratch/bin/weft" <<END
#!/bin/sh
"$build/bin/weft" "\$@" || exit
case "\$*" in *sse4.2*) echo "; one line more" ;; esac
END
chmod +x "$scratch/bin/weft"

same=$(scripts/compare-dumps "$build" "$build" "$file") ||
    fail "a build differs from itself: $same"
[ "$same" = "4 texts, 4 of files that compile, 0 differ" ] || fail "$same"

other=$(scripts/compare-dumps "$build" "$scratch" "$file") &&
    fail "a changed text is not found: $other"
grep -q "^$file, --llvm --isa sse4.2: differs" <<<"$other" || fail "$other"
[[ $other == *"4 of files that compile, 1 differ" ]] || fail "$other"

echo '.version 0' >"$scratch/broken.ptx"
none=$(scripts/compare-dumps "$build" "$build" "$scratch/broken.ptx") &&
    fail "what does not compile proves nothing: $none"
exit $failed
