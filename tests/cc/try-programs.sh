# SPDX-License-Identifier: Apache-2.0
# The script that tries public programs, on seven of ours: three files, a folder,
# three makefiles with their own rule to run, two for programs whose input is
# not there. An eighth takes too long.
# status: 1
mkdir -p public/own/several public/own/made/one-cuda public/own/made/shared
echo 'int main(int n, char **) { return cudaDeviceSynchronize() || n != 2; }' > public/own/right.cu
echo 'int main() { puts("mismatch at 3"); }' > public/own/wrong.cu
echo 'int main() { return nothing; }' > public/own/broken.cu
echo 'int two(); int main() { printf("two %d\n", two()); }' > public/own/several/a.cu
echo 'int two() { return 2; }' > public/own/several/b.cpp
echo 'int main() { return SHARED; }' > public/own/made/one-cuda/main.cu
echo '#define SHARED 0' > public/own/made/shared/x.h
cat > public/own/made/one-cuda/Makefile <<'M'
main: main.cu
	$(CC) -include ../shared/x.h $< -o $@
run: main
	./main && echo PASS
M
mkdir public/own/made/two-cuda
printf 'main:\nrun:\n\t@cat ../data/none\n' > public/own/made/two-cuda/Makefile
mkdir public/own/made/zero-cuda
printf 'main:\nrun:\n\t@echo "none was not opened successfully"; false\n' > public/own/made/zero-cuda/Makefile
cat > list <<'L'
# comment
who/own | [rw]*.cu | -std=c++17 | 1 | lacks mismatch|nothing
who/own | broken.cu | | | exit
who/own | [!m]*/ | | | prints two 2
who/own | made/*/Makefile | CC={weftcc} | run | prints PASS
who/elsewhere | x.cu | | | exit
L
"$here"/../../scripts/try-programs --list list --build $build public > out
status=$?
sed "s/ *[0-9.]* s / /; s@/tmp/[^ ]*/@@" out
ls public/own/made/one-cuda
# Again in two runs, of which the first has no time: nothing is tried twice.
options="--list list --build $build --results tried"
"$here"/../../scripts/try-programs $options --for 0 public | tail -1
"$here"/../../scripts/try-programs $options --every 2 public | tail -4
"$here"/../../scripts/try-programs $options public | sed 's/ *[0-9.]* s / /' | head -3
# What is too slow ends, with all that it began.
mkdir -p public/own/late/one-cuda
printf 'main:\nrun:\n\t(sleep 3; touch %s/late)\n' "$PWD" > public/own/late/one-cuda/Makefile
echo 'who/own | late/*/Makefile | | run | exit' > list
"$here"/../../scripts/try-programs --list list --build $build --limit 1 public | grep -o '^slow'
# Other ways to say that there is no input.
for says in "Error: Could not stat data/x.img" "File data/x.mtx not found" \
    "No such folder: data/test/" "File x.hpp cannot be opened for read." \
    "main.cpp:3: Assertion \`file' failed."; do
    mkdir -p "public/own/lacking/$(echo "$says" | tr -dc a-z)"
    printf "main:\nrun:\n\t@echo \"%s\"; false\n" "$(echo "$says" | sed 's/`/\\`/')" > "public/own/lacking/$(echo "$says" | tr -dc a-z)/Makefile"
done
echo 'who/own | lacking/*/Makefile | | run | exit' > list
"$here"/../../scripts/try-programs --list list --build $build public | grep -c '^no input'
# One that counts its processors has one; what it printed is kept; nvcc is ours.
mkdir -p public/own/alone/one-cuda
printf 'main:\nrun:\n\t@echo $$(command -v nvcc | grep -o nvcc/bin) processors $$(nproc)\n' > public/own/alone/one-cuda/Makefile
cp -r public/own/alone/one-cuda public/own/alone/one_cuda
echo 'who/own | alone/*/Makefile | | run | prints processors 1$' > list
for again in 1 2; do
    "$here"/../../scripts/try-programs --list list --build $build --jobs 2 --cores 1 --logs logs public | grep -o '^right'
done
tail -n 9 logs/*
sleep 3
[ -e late ] && echo "late: still running"
exit $status
