# SPDX-License-Identifier: Apache-2.0
# An unknown option is refused, with the nearest known one.
for option in -archh=sm_80 --expt-relaxed-constexp --bogus -Xcompile; do
    $weftcc $option $here/hello.cu
    echo "status $?"
done
$weftcc -fPIC $here/hello.cu
echo "status $?"
$weftcc -forward-unknown-to-host-compiler -fPIC -c $here/hello.cu && ls
