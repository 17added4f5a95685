# SPDX-License-Identifier: Apache-2.0
# No room for scratch files: said in one line, and nothing is left behind.
# Needs a file system of its own; where mounting one is not allowed, this is
# skipped.
mkdir small
cat > inside.sh <<'S'
mount -t tmpfs -o size=4k tmpfs small || exit
head -c 4096 /dev/zero > small/filler
TMPDIR=$PWD/small $weftcc $here/hello.cu 2> err
echo "status $?"
sed 's@in .*/weftcc-[^;]*;@in SCRATCH;@' err
ls small
S
export weftcc here
unshare -m -r mount -t tmpfs tmpfs small 2> /dev/null ||
    { echo "no file system can be mounted here"; exit 77; }
unshare -m -r bash inside.sh
ls a.out 2>/dev/null
$weftcc --version > /dev/full
echo "status $?"
