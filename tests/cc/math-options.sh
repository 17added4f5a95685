# SPDX-License-Identifier: Apache-2.0
# Precision options reach the PTX.
cat > m.cu <<'C'
__global__ void k(float *p) { p[0] = p[1] / p[2] + p[3] * p[4]; p[5] = sqrtf(p[6]); }
C
for options in "" -use_fast_math -prec-div=false -prec-sqrt=false -ftz=true -fmad=false; do
    $weftcc -ptx $options m.cu
    echo "$options: $(grep -o -E '(div|fma|mul|sqrt)\.[a-z.0-9]*' m.ptx | sort -u | tr '\n' ' ')"
done
