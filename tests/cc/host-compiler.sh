# SPDX-License-Identifier: Apache-2.0
# -ccbin: clang compiles, with the C++ library of the gcc that is named; what
# clang cannot stand in for is refused.
gcc_folder=$(dirname "$(g++ -print-libgcc-file-name)")
for ccbin in g++ "$(command -v g++)" "$(dirname "$(command -v g++)")"; do
    $weftcc --dryrun -ccbin $ccbin $here/hello.cu 2>&1 |
        grep -o -e "--gcc-install-dir=$gcc_folder" | sort | uniq -c
done
$weftcc -ccbin=g++ $here/hello.cu -o hello && ./hello
$weftcc -v -ccbin g++ -c $here/hello.cu 2>&1 | grep -c _CCBIN_
cat > mpicxx <<'C'
#!/bin/bash
case $1 in
--showme:compile) echo -I/opt/mpi/include -DMPI_SEEN ;;
--showme:link) echo -L/opt/mpi/lib -lmpi ;;
*) exec g++ "$@" ;;
esac
C
printf '#!/bin/bash\necho "icpc (ICC) 2021"\n' > icpc
chmod +x mpicxx icpc
$weftcc --dryrun -ccbin ./mpicxx $here/hello.cu 2>&1 |
    grep -o -e '-I/opt/mpi/include -DMPI_SEEN\|-L/opt/mpi/lib -lmpi'
NVCC_CCBIN=./icpc $weftcc -c $here/hello.cu
echo "status $?"
$weftcc -c $here/hello.cu -ccbin /nonexistent/g++
echo "status $?"
# What configure scripts ask the host compiler itself.
test "$($weftcc .c -Xcompiler "-dumpfullversion -dumpversion")" = \
    "$(gcc -dumpfullversion -dumpversion)" && echo "the version of gcc"
$weftcc .c -Xcompiler --version -ccbin g++ | grep -c 'g++'
$weftcc .c -Xcompiler --print-nonsense >/dev/null 2>&1 || echo "status $?"
