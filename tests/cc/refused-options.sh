# SPDX-License-Identifier: Apache-2.0
# What cannot be honoured is refused, with the reason.
for option in -cuda -optix-ir -astoolspatch; do
    $weftcc $option $here/hello.cu
    echo "status $?"
done
