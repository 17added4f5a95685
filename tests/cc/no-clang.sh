# SPDX-License-Identifier: Apache-2.0
# clang is missing: one line, and the package's name.
WEFT_CLANG=/nonexistent $weftcc $here/hello.cu
echo "status $?"
WEFT_CLANG=no-such-program $weftcc $here/hello.cu
echo "status $?"
ls
