# SPDX-License-Identifier: Apache-2.0
# __cluster_dims__ as directives of PTX, of templates too.
cat > plain.cu <<'C'
__global__ void __cluster_dims__(4, 2) wide(int *p) { *p = 1; }
static __global__ void __cluster_dims__(2) __launch_bounds__(64, 2) own(int *p) { *p = 2; }
template <typename T> __global__ void __cluster_dims__(1, 1, 3) deep(T *p) { *p = 3; }
__global__ void none(int *p) { *p = 4; }
void launch(int *p) { own<<<2, 64>>>(p); deep<<<dim3(1, 1, 3), 1>>>(p); }
C
$weftcc -arch=sm_90 -ptx plain.cu -o plain.ptx || exit
grep -E "^\.visible \.entry|^\.entry|cluster|maxntid|init_array" plain.ptx | sed 's@ *//.*@@'
$weftcc -arch=sm_80 -ptx plain.cu -o old.ptx && grep -c cluster old.ptx
cat > template.cu <<'C'
template <int n> __global__ void __cluster_dims__(n, 2) sized(int *p) { *p = n; }
void launch(int *p) { sized<2><<<dim3(4, 2), 1>>>(p); sized<4><<<dim3(4, 2), 1>>>(p); }
C
$weftcc -arch=sm_90 -ptx template.cu -o template.ptx && grep reqn template.ptx | sed 's@ *//.*@@'
exit 0
