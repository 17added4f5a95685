# SPDX-License-Identifier: Apache-2.0
# With -rdc=true each object's id replaces one in its symbols' names. LLVM may
# have stored a short name as the end of such a name: it stays.
digits='0 1 2 3 4 5 6 7 8 9 a b c d e f'
for x in a b c d e f; do
    echo $x
    for y in $digits; do
        echo $x$y
        for z in $digits; do echo $x$y$z; done
    done
done | sort > names
for unit in 1 2; do
    {
        echo "extern \"C\" { extern int"
        sed 's/$/,/' names
        echo "last; }"
        echo "__global__ void kernel_$unit() {}"
        echo "int *used_$unit[] = {"
        sed 's/.*/\&&,/' names
        echo "};"
    } > unit_$unit.cu
    $build/bin/weftcc -rdc=true -c unit_$unit.cu -o unit_$unit.o
    nm -u unit_$unit.o | awk '{print $2}' | sort > found
    comm -23 names found
done
echo "$(wc -l < names) names looked for"
