# SPDX-License-Identifier: Apache-2.0
#
# awk -f names-13.awk -v names=FILE exports-12.map > exports-13.map
#
# In the library of CUDA 13, f is what f_v2 was in that of 12. FILE becomes a
# header by which the same sources define it so.
BEGIN { FS = "[; ]+" }
/^[A-Za-z0-9_]+;/ {
    for (i = 1; i <= NF; i++) {
        if ($i == "")
            continue
        all[++count] = $i
        base = $i
        if (sub(/_v2/, "", base))
            second[base] = $i
    }
}
END {
    print "libcudart.so.13 {"
    print "global:"
    for (i = 1; i <= count; i++) {
        if (all[i] in second)
            continue
        base = all[i]
        sub(/_v2/, "", base)
        print base ";"
    }
    print "local: *;"
    print "};"
    for (base in second) {
        print "#pragma redefine_extname " base " cudart12_" base > names
        print "#pragma redefine_extname " second[base] " " base > names
    }
}
