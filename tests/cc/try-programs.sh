# SPDX-License-Identifier: Apache-2.0
# The script that tries public programs, on three of ours.
# status: 1
mkdir -p public/own
echo 'int main(int n, char **) { return cudaDeviceSynchronize() || n != 2; }' > public/own/right.cu
echo 'int main() { puts("mismatch at 3"); }' > public/own/wrong.cu
echo 'int main() { return nothing; }' > public/own/broken.cu
cat > list <<'L'
# comment
who/own | [rw]*.cu | -std=c++17 | 1 | lacks mismatch|nothing
who/own | broken.cu | | | exit
who/elsewhere | x.cu | | | exit
L
"$here"/../../scripts/try-programs --list list --build $build public > out
status=$?
sed "s/ *[0-9.]* s / /; s@/[^ ]*/@@" out
exit $status
