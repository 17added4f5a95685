# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# -keep leaves the intermediate results and nothing else, as with nvcc;
# otherwise nothing stays.
mkdir tmp kept
TMPDIR=$PWD/tmp $weftcc $here/hello.cu -o hello && ls tmp | wc -l
$weftcc -keep -keep-dir kept $here/hello.cu -o hello && ls kept
mkdir here && cd here && $weftcc -keep $here/hello.cu && ls
mkdir rdc && TMPDIR=$PWD/../tmp $weftcc -rdc=true -keep -keep-dir rdc $here/hello.cu &&
    ls rdc ../tmp
TMPDIR=/nonexistent $weftcc $here/hello.cu
echo "status $?"
