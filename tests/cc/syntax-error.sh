# SPDX-License-Identifier: Apache-2.0
# Errors of the user's code: as clang prints them, once.
cat > bad.cu <<'C'
__global__ void k(int *p) { *p = "text"; }
int main() { return undeclared; }
C
$weftcc bad.cu
echo "status $?"
echo 'int main() { return undeclared; }' > bad.cpp
$weftcc bad.cpp 2>&1 | head -n 1
$weftcc -c bad.cpp 2>/dev/null
echo "status $?"
ls
