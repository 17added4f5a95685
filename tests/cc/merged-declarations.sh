# SPDX-License-Identifier: Apache-2.0
# Execution spaces of declarations are merged, a '%' in asm may be text. What
# is wrong beside that is said with the file's own lines.
cp $here/merged-declarations.cu x.cu
$weftcc x.cu -o x && ./x
cp $here/merged-declarations.cu folder.cu
mkdir -p folder/deeper && mv folder.cu folder/
(cd folder/deeper && $weftcc ../folder.cu -o x && ./x | tail -n 1)
sed -i 's/return (U)value;/return (U)valeu;/' x.cu
$weftcc -c x.cu 2>&1 | grep -o '^x.cu:30:.*error: .*valeu.'
echo "left behind: $(ls *mended* 2>/dev/null)"
cmp -s folder/folder.cu $here/merged-declarations.cu && echo unchanged
