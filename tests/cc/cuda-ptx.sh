# SPDX-License-Identifier: Apache-2.0
# precompiled: yes
# Every function of <cuda/ptx>, each once: the text of its instruction is good.
cat > a.cu <<'C'
#include <cuda/ptx>
namespace ptx = cuda::ptx;
#define EACH_SREG(X) \
    X(tid_x) X(tid_y) X(tid_z) X(ntid_x) X(ntid_y) X(ntid_z) X(ctaid_x) \
    X(ctaid_y) X(ctaid_z) X(nctaid_x) X(nctaid_y) X(nctaid_z) X(laneid) \
    X(warpid) X(nwarpid) X(smid) X(nsmid) X(gridid) X(clusterid_x) \
    X(clusterid_y) X(clusterid_z) X(nclusterid_x) X(nclusterid_y) \
    X(nclusterid_z) X(cluster_ctaid_x) X(cluster_ctaid_y) X(cluster_ctaid_z) \
    X(cluster_nctaid_x) X(cluster_nctaid_y) X(cluster_nctaid_z) \
    X(cluster_ctarank) X(cluster_nctarank) X(lanemask_eq) X(lanemask_le) \
    X(lanemask_lt) X(lanemask_ge) X(lanemask_gt) X(clock) X(clock_hi) \
    X(clock64) X(globaltimer) X(globaltimer_lo) X(globaltimer_hi) \
    X(total_smem_size) X(aggr_smem_size) X(dynamic_smem_size) \
    X(current_graph_exec) X(is_explicit_cluster)
__global__ void registers(unsigned long long *out)
{
#define PUT(name) *out++ = ptx::get_sreg_##name();
    EACH_SREG(PUT)
}
template <typename Scope> __device__ void fences(Scope s, void *p)
{
    ptx::fence(ptx::sem_sc, s);
    ptx::fence(ptx::sem_acq_rel, s);
    ptx::fence(ptx::sem_acquire, s);
    ptx::fence(ptx::sem_release, s);
    ptx::fence_proxy_tensormap_generic(ptx::sem_release, s);
    ptx::fence_proxy_tensormap_generic(ptx::sem_acquire, s, p,
                                       ptx::n32_t<128>());
    __shared__ alignas(128) char map[128];
    ptx::tensormap_cp_fenceproxy(ptx::sem_release, s, p, map,
                                 ptx::n32_t<128>());
}
__global__ void all_fences(void *p)
{
    fences(ptx::scope_cta, p);
    fences(ptx::scope_cluster, p);
    fences(ptx::scope_gpu, p);
    fences(ptx::scope_sys, p);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    ptx::fence_proxy_alias();
    ptx::fence_sync_restrict(ptx::sem_acquire, ptx::space_cluster,
                             ptx::scope_cluster);
    ptx::fence_sync_restrict(ptx::sem_release, ptx::space_shared,
                             ptx::scope_cluster);
    ptx::fence_proxy_async_generic_sync_restrict(
        ptx::sem_acquire, ptx::space_cluster, ptx::scope_cluster);
    ptx::fence_proxy_async_generic_sync_restrict(
        ptx::sem_release, ptx::space_shared, ptx::scope_cluster);
    ptx::fence_proxy_async();
    ptx::fence_proxy_async(ptx::space_global);
    ptx::fence_proxy_async(ptx::space_cluster);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    ptx::barrier_cluster_arrive(ptx::sem_release);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::setmaxnreg_inc(ptx::n32_t<64>());
    ptx::setmaxnreg_dec(ptx::n32_t<32>());
}
template <typename Scope>
__device__ int barriers_of(Scope s, uint64_t *bar)
{
    uint64_t state = ptx::mbarrier_arrive(ptx::sem_release, s,
                                          ptx::space_shared, bar);
    state += ptx::mbarrier_arrive(ptx::sem_release, s, ptx::space_shared, bar,
                                  2);
    state += ptx::mbarrier_arrive_expect_tx(ptx::sem_release, s,
                                            ptx::space_shared, bar, 16);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, s, ptx::space_shared, bar, 16);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, s, ptx::space_cluster, bar, 16);
    state += ptx::mbarrier_arrive(ptx::sem_relaxed, s, ptx::space_shared, bar);
    state += ptx::mbarrier_arrive_expect_tx(ptx::sem_relaxed, s,
                                            ptx::space_shared, bar, 16);
    return ptx::mbarrier_test_wait(ptx::sem_relaxed, s, bar, state) +
           ptx::mbarrier_try_wait(ptx::sem_relaxed, s, bar, state) +
           ptx::mbarrier_try_wait_parity(ptx::sem_relaxed, s, bar, 1, 9) +
           ptx::mbarrier_test_wait(ptx::sem_acquire, s, bar, state) +
           ptx::mbarrier_test_wait_parity(ptx::sem_acquire, s, bar, 1) +
           ptx::mbarrier_try_wait(ptx::sem_acquire, s, bar, state) +
           ptx::mbarrier_try_wait(ptx::sem_acquire, s, bar, state, 9) +
           ptx::mbarrier_try_wait_parity(ptx::sem_acquire, s, bar, 1) +
           ptx::mbarrier_try_wait_parity(ptx::sem_acquire, s, bar, 1, 9);
}
__global__ void barriers(int *out)
{
    __shared__ uint64_t bar;
    ptx::mbarrier_init(&bar, 4);
    uint64_t state = ptx::mbarrier_arrive(&bar) +
                     ptx::mbarrier_arrive(&bar, 2) +
                     ptx::mbarrier_arrive_no_complete(&bar, 1);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_cluster, &bar);
    ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster,
                         ptx::space_cluster, &bar, 2);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster,
                                   ptx::space_cluster, &bar, 16);
    ptx::cp_async_mbarrier_arrive(&bar);
    ptx::cp_async_mbarrier_arrive_noinc(&bar);
    *out = ptx::mbarrier_test_wait(&bar, state) +
           ptx::mbarrier_test_wait_parity(&bar, 1) +
           ptx::mbarrier_try_wait(&bar, state) +
           ptx::mbarrier_try_wait(&bar, state, 9) +
           ptx::mbarrier_try_wait_parity(&bar, 1) +
           ptx::mbarrier_try_wait_parity(&bar, 1, 9) +
           barriers_of(ptx::scope_cta, &bar) +
           barriers_of(ptx::scope_cluster, &bar);
    ptx::mbarrier_inval(&bar);
}
template <typename Op, typename T>
__device__ void reduce(Op op, T *to, T *from, uint64_t *bar)
{
    ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, op, from,
                              from, 64, bar);
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, op, to,
                              from, 64);
    ptx::red_async(op, from, *from, bar);
}
template <typename Op, typename T>
__device__ void reduce_far(Op op, T *to, T *from)
{
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, op, to,
                              from, 64);
}
__global__ void copies(uint32_t *to, const uint32_t *from, void *any)
{
    __shared__ alignas(128) uint32_t u[64];
    __shared__ alignas(128) unsigned long long l[32];
    __shared__ uint64_t bar;
    int32_t *i = (int32_t *)u;
    uint64_t *ul = (uint64_t *)l;
    int64_t *il = (int64_t *)l;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, u, from, 64,
                       &bar);
    ptx::cp_async_bulk(ptx::space_shared, ptx::space_global, u, from, 64, &bar);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, u, from, 64,
                       &bar, 3);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, u, u, 64, &bar);
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, u, 64);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<2>());
    reduce(ptx::op_add, to, u, &bar);
    reduce(ptx::op_min, to, u, &bar);
    reduce(ptx::op_max, to, u, &bar);
    reduce(ptx::op_inc, to, u, &bar);
    reduce(ptx::op_dec, to, u, &bar);
    reduce(ptx::op_and_op, to, u, &bar);
    reduce(ptx::op_or_op, to, u, &bar);
    reduce(ptx::op_xor_op, to, u, &bar);
    reduce(ptx::op_add, (int32_t *)to, i, &bar);
    reduce(ptx::op_min, (int32_t *)to, i, &bar);
    reduce(ptx::op_max, (int32_t *)to, i, &bar);
    reduce(ptx::op_add, (uint64_t *)to, ul, &bar);
    reduce(ptx::op_add, (int64_t *)to, il, &bar);
    reduce_far(ptx::op_min, (int64_t *)to, il);
    reduce_far(ptx::op_max, (uint64_t *)to, ul);
    reduce_far(ptx::op_and_op, (uint64_t *)to, ul);
    reduce_far(ptx::op_add, (float *)to, (float *)u);
    reduce_far(ptx::op_add, (double *)to, (double *)u);
    reduce_far(ptx::op_add, (__half *)to, (__half *)u);
    reduce_far(ptx::op_min, (__half *)to, (__half *)u);
    reduce_far(ptx::op_add, (__nv_bfloat16 *)to, (__nv_bfloat16 *)u);
    reduce_far(ptx::op_max, (__nv_bfloat16 *)to, (__nv_bfloat16 *)u);
    const uint32_t two[2] = {1, 2}, four[4] = {1, 2, 3, 4};
    const double pair[2] = {1, 2};
    ptx::st_async(u, *from, &bar);
    ptx::st_async(u, two, &bar);
    ptx::st_async(u, four, &bar);
    ptx::st_async((double *)u, 2.5, &bar);
    ptx::st_async((double *)u, pair, &bar);
}
template <int N>
__device__ void tensor(const void *map, const int32_t (&at)[N], void *s,
                       uint64_t *bar)
{
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, map, at,
                              bar);
    ptx::cp_async_bulk_tensor(ptx::space_shared, ptx::space_global, s, map, at,
                              bar);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, map, at,
                              bar, 3);
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, s);
#define REDUCE(op) \
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, \
                                     ptx::op_##op, map, at, s);
    REDUCE(add) REDUCE(min) REDUCE(max) REDUCE(inc) REDUCE(dec)
    REDUCE(and_op) REDUCE(or_op) REDUCE(xor_op)
}
template <typename Space> __device__ void replace(Space space, void *map)
{
    ptx::n32_t<1> one;
    ptx::tensormap_replace_global_address(space, map, (uint64_t)map);
    ptx::tensormap_replace_rank(space, map, 1);
    ptx::tensormap_replace_box_dim(space, map, one, 1);
    ptx::tensormap_replace_global_dim(space, map, one, 1);
    ptx::tensormap_replace_global_stride(space, map, one, (uint64_t)64);
    ptx::tensormap_replace_element_stride(space, map, one, 1);
    ptx::tensormap_replace_element_size(space, map, one, 1);
    ptx::tensormap_replace_elemtype(space, map, one);
    ptx::tensormap_replace_interleave_layout(space, map, one);
    ptx::tensormap_replace_swizzle_mode(space, map, one);
    ptx::tensormap_replace_fill_mode(space, map, one);
}
__global__ void tensors(void *map)
{
    __shared__ alignas(128) char s[128];
    __shared__ uint64_t bar;
    int32_t a[1] = {0}, b[2] = {}, c[3] = {}, d[4] = {}, e[5] = {};
    tensor(map, a, s, &bar);
    tensor(map, b, s, &bar);
    tensor(map, c, s, &bar);
    tensor(map, d, s, &bar);
    tensor(map, e, s, &bar);
    replace(ptx::space_global, map);
    replace(ptx::space_shared, s);
}
__global__ void the_end(unsigned *out)
{
    if (ptx::elect_sync(~0u))
        ptx::exit();
    if (ptx::getctarank(ptx::space_cluster, out) > 3)
        ptx::trap();
}
C
$weftcc -fatbin -arch=sm_90a a.cu -o a.fatbin && echo good
# What a device does not have says so.
$weftcc -fatbin -arch=sm_90 a.cu -o a.fatbin 2> a.err
echo $? $(grep -c 'error: .setmaxnreg.*needs sm_90a' a.err)
cat > b.cu <<'C'
#include <cuda/ptx>
int main() { return sizeof(cuda::ptx::scope_cta) == 0; }
C
$weftcc b.cu -o b && ./b && echo used by nobody
