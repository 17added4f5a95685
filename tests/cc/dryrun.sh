# SPDX-License-Identifier: Apache-2.0
# --dryrun prints commands that a shell can run, and runs none.
$weftcc --dryrun -DNAME='"a b"' $here/hello.cu -o hello 2>&1 | grep -v '^#. [A-Z_]*=' > commands
ls
grep -c . commands
mkdir scratch
sed -E "s@^#. @@; s@[^ \"]*weftcc-X*@$PWD/scratch@g" commands | bash && ./hello
