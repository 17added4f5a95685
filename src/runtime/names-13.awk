# SPDX-License-Identifier: Apache-2.0
#
# awk -f names-13.awk -v names=FILE -v symbols=LIST exports-12.map \
#     > exports-13.map
#
# In the library of CUDA 13, f is what the newest of f, f_v2, f_v3 was in that
# of 12. FILE becomes a header by which sources of 12 define 13's names; LIST
# says the same to objcopy --redefine-syms.
function plain(name) { sub(/_v[0-9]+/, "", name); return name }
function form(name) {
    return match(name, /_v[0-9]+/) ? substr(name, RSTART + 2, RLENGTH - 2) + 0 : 1
}
BEGIN { FS = "[; ]+" }
/^[A-Za-z0-9_]+;/ {
    for (i = 1; i <= NF; i++) {
        if ($i == "")
            continue
        all[++count] = $i
        base = plain($i)
        if (!(base in newest) || form($i) > form(newest[base]))
            newest[base] = $i
    }
}
END {
    print "libcudart.so.13 {"
    print "global:"
    for (base in newest)
        print base ";"
    print "local: *;"
    print "};"
    for (i = 1; i <= count; i++) {
        base = plain(all[i])
        if (newest[base] == base)
            continue
        to = newest[base] == all[i] ? base : "cudart12_" all[i]
        print "#pragma redefine_extname " all[i] " " to > names
        print all[i] " " to > symbols
    }
}
