# SPDX-License-Identifier: Apache-2.0
# Rules for make, and the names they get.
echo '#include "mine.h"' > d.cu
touch mine.h
rules() { sed -E 's@[^ ]*/include/[^ ]*@@g' "$1" | tr '\\\n' '  ' | tr -s ' '; echo; }
$weftcc -MM d.cu > list && rules list
$weftcc -c -MMD d.cu && rules d.d
$weftcc -c -MMD d.cu -o obj.o && rules obj.d
$weftcc -c -MMD -MF x.dep -MT target -MP d.cu && rules x.dep
$weftcc -MD -MT t -MF full.dep -c d.cu && grep -c cuda_runtime.h full.dep
