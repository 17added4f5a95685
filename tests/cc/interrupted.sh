# SPDX-License-Identifier: Apache-2.0
# A signal while compiling ends the compiler and removes the scratch folder.
mkdir tmp
cat > slow-clang <<'C'
#!/bin/bash
echo $$ > clang.pid
exec sleep 20
C
chmod +x slow-clang
TMPDIR=$PWD/tmp WEFT_CLANG=$PWD/slow-clang $weftcc $here/hello.cu &
while [ ! -s clang.pid ]; do sleep 0.05; done
ls tmp | wc -l
kill -TERM $!
wait $!
echo "status $?"
ls tmp | wc -l
# It may take a moment until its new parent has taken note; by itself it would
# go on for 20 seconds.
for ((i = 0; i < 100; i++)); do
    kill -0 "$(cat clang.pid)" 2>/dev/null || break
    sleep 0.05
done
kill -0 "$(cat clang.pid)" 2>/dev/null || echo "clang is gone"
