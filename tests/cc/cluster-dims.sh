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
# An empty kernel keeps its clusters, and they may be left to the launch.
cat > other.cu <<'C'
__global__ void __cluster_dims__(2) empty() {}
__global__ void __cluster_dims__() any() {}
__global__ void __block_size__((64, 2)) block(int *p) { *p = 1; }
template <int n> __global__ void __block_size__((n, 1, 1), (2, 4, 1)) both(int *p) { *p = n; }
void launch(int *p) { both<1024><<<1, 1024>>>(p); both<32><<<1, 32>>>(p); }
C
$weftcc -arch=sm_90 -ptx other.cu -o other.ptx || exit
grep -E "entry|cluster|maxntid|reqn" other.ptx | sed 's@ *//.*@@'
$weftcc -arch=sm_80 -ptx other.cu -o older.ptx && grep -E "cluster|reqn" older.ptx |
    sed 's@ *//.*@@'
# Launch bounds as large, which are the program's own.
cat > large.cu <<'C'
__global__ void __launch_bounds__(2147483647) first(int *p) { *p = 1; }
__global__ void __launch_bounds__(2000000000, 1 << 30) second(int *p) { *p = 2; }
__global__ void __launch_bounds__(256, 2) third(int *p) { *p = 3; }
__global__ void __block_size__((64)) fourth(int *p) { *p = 4; }
C
$weftcc -arch=sm_90 -ptx large.cu -o large.ptx &&
    grep -E "entry|cluster|maxntid|minn|reqn" large.ptx | sed 's@ *//.*@@'
for bad in '__cluster_dims__(0)' '__cluster_dims__(2, 0)' '__block_size__((0))' \
    '__block_size__((64, 32))' '__attribute__((constructor)) __device__'; do
    echo "${bad%__device__}__global__ void k() {}" > bad.cu
    [ "$bad" = "${bad%__device__}" ] || echo "$bad void k() {}" > bad.cu
    $weftcc -arch=sm_90 -ptx bad.cu -o bad.ptx 2>&1 | grep -o -m 1 "error: .*" |
        sed 's/requirement .*: //; s/.*: \(k is\|_Z1kv\)/\1/'
done
exit 0
