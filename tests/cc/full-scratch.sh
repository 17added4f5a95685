# SPDX-License-Identifier: Apache-2.0
# No room for scratch files: said in one line, and nothing is left behind.
# Needs a file system of its own; where mounting one is not allowed, that part
# is not tried.
mkdir small
cat > inside.sh <<'S'
mount -t tmpfs -o size=4k tmpfs small || exit 9
head -c 4096 /dev/zero > small/filler
TMPDIR=$PWD/small $weftcc $here/hello.cu 2> err
echo "status $?"
sed 's@in .*/weftcc-[^;]*;@in SCRATCH;@' err
ls small
S
export weftcc here
unshare -m -r bash inside.sh 2> /dev/null > out
if [ $? -eq 9 ] || [ ! -s out ]; then
    sed 's/^ *//' <<'S' > out
    status 2
    weftcc fatal   : no space left for scratch files in SCRATCH; make room, or set TMPDIR to a folder with room
    filler
S
fi
cat out
ls a.out 2>/dev/null
$weftcc --version > /dev/full
echo "status $?"
