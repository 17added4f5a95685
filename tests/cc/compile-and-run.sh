# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# The shortest way from source to answer.
$weftcc $here/hello.cu -o hello && ./hello
$weftcc $here/hello.cu && ./a.out
$weftcc $here/hello.cu -run
