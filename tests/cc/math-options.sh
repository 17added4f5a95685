# SPDX-License-Identifier: Apache-2.0
# Precision options reach the PTX: the arithmetic of each kernel, compared with
# what nvcc 13 makes of it where that is installed.

# arithmetic FILE.ptx: a line for each kernel with its floating point operations
arithmetic() {
    awk '/^\.visible \.entry/ { name = $3; sub(/\(.*/, "", name); list = "" }
        /^}/ && name {
            count = split(list, ops, " ")
            for (i = 2; i <= count; i++)
                for (j = i; j > 1 && ops[j] < ops[j - 1]; j--) {
                    t = ops[j]; ops[j] = ops[j - 1]; ops[j - 1] = t
                }
            printf "%s:", name
            for (i = 1; i <= count; i++)
                printf " %s", ops[i]
            print ""
            name = ""
        }
        name && match($0, /[a-z0-9]+\.[a-z0-9.]*f(32|64)[.a-z0-9]*/) &&
            $0 !~ /\t(ld|st|mov|cvta)\./ {
            list = list " " substr($0, RSTART, RLENGTH)
        }' "$1"
}

nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
"$nvcc" --version 2>/dev/null | grep -q 'release 13' || nvcc=
before=
for options in "" "-use_fast_math -DFAST" -ftz=true -prec-div=false \
    -prec-sqrt=false -fmad=false; do
    $weftcc -arch=sm_80 -ptx $options "$here/math-options.cu" -o ours.ptx
    arithmetic ours.ptx > ours
    echo "== ${options:-no option}"
    # all of the first, and what the others change
    if [ -z "$before" ]; then cp ours first; cat ours; before=yes
    else grep -v -x -F -f first ours; fi
    [ -n "$nvcc" ] || continue
    "$nvcc" -arch=sm_80 -w -ptx $options "$here/math-options.cu" -o theirs.ptx
    arithmetic theirs.ptx > theirs
    # exponentials have a product more here (docs/nvcc-differences.md)
    diff <(grep -v _exp theirs) <(grep -v _exp ours)
done
