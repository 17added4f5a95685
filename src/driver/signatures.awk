# SPDX-License-Identifier: Apache-2.0
#
# awk -f signatures.awk preprocessed-sources > signatures.h
#
# Of each function that is declared, its parameters with and without their
# types: #define SIGNATURE_f (int a, char *b), (a, b)
# and of what the headers make another name, that it is none.
BEGIN { RS = ";" }
{
    gsub(/[ \n]+/, " ")
    sub(/^.*}/, "")
}
/CUresult +cu[A-Za-z0-9_]+ *\(/ && !/{|typedef/ {
    sub(/^.*CUresult +cu/, "cu")
    name = substr($0, 1, index($0, "(") - 1)
    sub(/ +$/, "", name)
    if (name in seen)
        next
    seen[name] = 1
    parameters = substr($0, index($0, "("))
    sub(/\)[^)]*$/, ")", parameters)
    count = split(substr(parameters, 2, length(parameters) - 2), each, ",")
    arguments = ""
    for (i = 1; i <= count; i++) {
        sub(/\[.*/, "", each[i])
        sub(/ +$/, "", each[i])
        if (match(each[i], /[A-Za-z0-9_]+$/) && each[i] !~ /^ *void$/)
            arguments = arguments (i > 1 ? ", " : "") substr(each[i], RSTART)
    }
    print "#undef " name
    print "#define SIGNATURE_" name " " parameters ", (" arguments ")"
}
