# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# -keep leaves the intermediate files, otherwise nothing stays.
mkdir tmp kept
TMPDIR=$PWD/tmp $weftcc $here/hello.cu -o hello && ls tmp | wc -l
$weftcc -keep -keep-dir kept $here/hello.cu -o hello && ls kept | grep -v log
mkdir here && cd here && $weftcc -keep $here/hello.cu && ls | grep -v log
TMPDIR=/nonexistent $weftcc $here/hello.cu
echo "status $?"
