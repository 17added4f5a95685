/* SPDX-License-Identifier: Apache-2.0 */
/* cuFFT's entry points for plans and their execution. */
#include "handles.h"

#include "core/core.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- arguments -------------------------------------------------------- */

/* Room for the int arrays of a call as long long. */
struct wide {
    long long n[FFT_RANK_MAX], in[FFT_RANK_MAX], out[FFT_RANK_MAX];
};

static const long long *widen_ints(const int *from, int rank, long long *to)
{
    for (int k = 0; from && k < rank && k < FFT_RANK_MAX; k++)
        to[k] = from[k];
    return from ? to : NULL;
}

struct int_call {
    int rank;
    const int *n, *inembed, *onembed;
    int istride, idist, ostride, odist, batch;
};

/* w: keeps the arrays; the call refers to it. */
static struct layout_call call_of(const struct int_call *i, struct wide *w)
{
    return (struct layout_call){
        .rank = i->rank,
        .n = widen_ints(i->n, i->rank, w->n),
        .inembed = widen_ints(i->inembed, i->rank, w->in),
        .onembed = widen_ints(i->onembed, i->rank, w->out),
        .istride = i->istride,
        .idist = i->idist,
        .ostride = i->ostride,
        .odist = i->odist,
        .batch = i->batch,
    };
}

static cufftResult make_by_type(cufftHandle plan, cufftType type,
                                struct layout_call *c, size_t *work_bytes)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    if (!layout_types(type, c))
        return CUFFT_INVALID_TYPE;
    return handle_make(h, c, work_bytes);
}

static cufftResult make_int(cufftHandle plan, const struct int_call *i,
                            cufftType type, size_t *work_bytes)
{
    struct wide w;
    struct layout_call c = call_of(i, &w);
    return make_by_type(plan, type, &c, work_bytes);
}

static cufftResult create_and_make(cufftHandle *plan, const struct int_call *i,
                                   cufftType type)
{
    size_t work_bytes;
    if (!plan)
        return CUFFT_INVALID_VALUE;
    cufftResult err = cufftCreate(plan);
    if (err)
        return err;
    err = make_int(*plan, i, type, &work_bytes);
    if (err) {
        cufftDestroy(*plan);
        *plan = 0;
    }
    return err;
}

static cufftResult size_of(struct layout_call *c, cufftType type,
                           size_t *work_bytes)
{
    struct fft_request r;
    bool is_default;
    if (!layout_types(type, c))
        return CUFFT_INVALID_TYPE;
    if (!work_bytes)
        return CUFFT_INVALID_VALUE;
    cufftResult err = layout_request(c, &r, &is_default);
    if (!err)
        *work_bytes = layout_work_bytes(&r, is_default);
    return err;
}

static cufftResult size_of_int(const struct int_call *i, cufftType type,
                               size_t *work_bytes)
{
    struct wide w;
    struct layout_call c = call_of(i, &w);
    return size_of(&c, type, work_bytes);
}

/* ---- handles ---------------------------------------------------------- */

EXPORT cufftResult cufftCreate(cufftHandle *handle)
{
    if (!handle)
        return CUFFT_INVALID_VALUE;
    if (lib_start())
        return CUFFT_SETUP_FAILED;
    *handle = handle_create();
    return *handle < 0 ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

EXPORT cufftResult cufftDestroy(cufftHandle plan)
{
    struct handle *h = handle_remove(plan);
    if (!h)
        return plan == CUFFT_PLAN_NULL ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
    handle_destroy(h);
    return CUFFT_SUCCESS;
}

/* ---- plans ------------------------------------------------------------ */

#define PLAN_1D(nx, batch) ((struct int_call){1, (int[]){nx}, .batch = batch})
#define PLAN_2D(nx, ny)    ((struct int_call){2, (int[]){nx, ny}, .batch = 1})
#define PLAN_3D(nx, ny, nz)                                                    \
    ((struct int_call){3, (int[]){nx, ny, nz}, .batch = 1})
#define PLAN_MANY                                                              \
    ((struct int_call){rank, n, inembed, onembed, istride, idist, ostride,     \
                       odist, batch})
#define PLAN_MANY64                                                            \
    ((struct layout_call){rank, n, inembed, onembed, istride, idist, ostride,  \
                          odist, batch, 0, 0, 0})

EXPORT cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type,
                               int batch)
{
    return create_and_make(plan, &PLAN_1D(nx, batch), type);
}

EXPORT cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny,
                               cufftType type)
{
    return create_and_make(plan, &PLAN_2D(nx, ny), type);
}

EXPORT cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz,
                               cufftType type)
{
    return create_and_make(plan, &PLAN_3D(nx, ny, nz), type);
}

EXPORT cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n,
                                 int *inembed, int istride, int idist,
                                 int *onembed, int ostride, int odist,
                                 cufftType type, int batch)
{
    return create_and_make(plan, &PLAN_MANY, type);
}

EXPORT cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type,
                                   int batch, size_t *workSize)
{
    return make_int(plan, &PLAN_1D(nx, batch), type, workSize);
}

EXPORT cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny,
                                   cufftType type, size_t *workSize)
{
    return make_int(plan, &PLAN_2D(nx, ny), type, workSize);
}

EXPORT cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz,
                                   cufftType type, size_t *workSize)
{
    return make_int(plan, &PLAN_3D(nx, ny, nz), type, workSize);
}

EXPORT cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n,
                                     int *inembed, int istride, int idist,
                                     int *onembed, int ostride, int odist,
                                     cufftType type, int batch,
                                     size_t *workSize)
{
    return make_int(plan, &PLAN_MANY, type, workSize);
}

EXPORT cufftResult cufftMakePlanMany64(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, long long int *onembed,
    long long int ostride, long long int odist, cufftType type,
    long long int batch, size_t *workSize)
{
    return make_by_type(plan, type, &PLAN_MANY64, workSize);
}

EXPORT cufftResult cufftXtMakePlanMany(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, cudaDataType inputtype,
    long long int *onembed, long long int ostride, long long int odist,
    cudaDataType outputtype, long long int batch, size_t *workSize,
    cudaDataType executiontype)
{
    struct layout_call c = PLAN_MANY64;
    struct handle *h = handle_find(plan);
    c.in = inputtype;
    c.out = outputtype;
    c.execution = executiontype;
    return h ? handle_make(h, &c, workSize) : CUFFT_INVALID_PLAN;
}

/* ---- sizes of work areas ---------------------------------------------- */

EXPORT cufftResult cufftEstimate1d(int nx, cufftType type, int batch,
                                   size_t *workSize)
{
    return size_of_int(&PLAN_1D(nx, batch), type, workSize);
}

EXPORT cufftResult cufftEstimate2d(int nx, int ny, cufftType type,
                                   size_t *workSize)
{
    return size_of_int(&PLAN_2D(nx, ny), type, workSize);
}

EXPORT cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type,
                                   size_t *workSize)
{
    return size_of_int(&PLAN_3D(nx, ny, nz), type, workSize);
}

EXPORT cufftResult cufftEstimateMany(int rank, int *n, int *inembed,
                                     int istride, int idist, int *onembed,
                                     int ostride, int odist, cufftType type,
                                     int batch, size_t *workSize)
{
    return size_of_int(&PLAN_MANY, type, workSize);
}

EXPORT cufftResult cufftGetSize(cufftHandle handle, size_t *workSize)
{
    struct handle *h = handle_find(handle);
    if (!h)
        return CUFFT_INVALID_PLAN;
    if (!workSize)
        return CUFFT_INVALID_VALUE;
    if (!h->is_made)
        return CUFFT_INVALID_PLAN;
    *workSize = h->work_bytes;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type,
                                  int batch, size_t *workSize)
{
    return handle_find(handle) ? cufftEstimate1d(nx, type, batch, workSize)
                               : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny,
                                  cufftType type, size_t *workSize)
{
    return handle_find(handle) ? cufftEstimate2d(nx, ny, type, workSize)
                               : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz,
                                  cufftType type, size_t *workSize)
{
    return handle_find(handle) ? cufftEstimate3d(nx, ny, nz, type, workSize)
                               : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n,
                                    int *inembed, int istride, int idist,
                                    int *onembed, int ostride, int odist,
                                    cufftType type, int batch, size_t *workArea)
{
    return handle_find(handle) ? size_of_int(&PLAN_MANY, type, workArea)
                               : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftGetSizeMany64(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, long long int *onembed,
    long long int ostride, long long int odist, cufftType type,
    long long int batch, size_t *workSize)
{
    return handle_find(plan) ? size_of(&PLAN_MANY64, type, workSize)
                             : CUFFT_INVALID_PLAN;
}

EXPORT cufftResult cufftXtGetSizeMany(
    cufftHandle plan, int rank, long long int *n, long long int *inembed,
    long long int istride, long long int idist, cudaDataType inputtype,
    long long int *onembed, long long int ostride, long long int odist,
    cudaDataType outputtype, long long int batch, size_t *workSize,
    cudaDataType executiontype)
{
    struct layout_call c = PLAN_MANY64;
    struct fft_request r;
    bool is_default;
    c.in = inputtype;
    c.out = outputtype;
    c.execution = executiontype;
    if (!handle_find(plan))
        return CUFFT_INVALID_PLAN;
    if (!workSize)
        return CUFFT_INVALID_VALUE;
    cufftResult err = layout_request(&c, &r, &is_default);
    if (!err)
        *workSize = layout_work_bytes(&r, is_default);
    return err;
}

/* ---- settings of a handle --------------------------------------------- */

EXPORT cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    h->stream = (CUstream)stream;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetAutoAllocation(cufftHandle plan, int autoAllocate)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    h->allocates = autoAllocate != 0;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftSetWorkArea(cufftHandle plan, void *workArea)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    h->user_work = workArea;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftXtSetWorkArea(cufftHandle plan, void **workArea)
{
    return workArea ? cufftSetWorkArea(plan, workArea[0]) : CUFFT_INVALID_VALUE;
}

EXPORT cufftResult cufftXtSetWorkAreaPolicy(cufftHandle plan,
                                            cufftXtWorkAreaPolicy policy,
                                            size_t *workSize)
{
    (void)workSize;
    struct handle *h = handle_find(plan);
    if (!h || !h->is_made)
        return CUFFT_INVALID_PLAN;
    if ((unsigned)policy > CUFFT_WORKAREA_PERFORMANCE)
        return CUFFT_INVALID_VALUE;
    if (policy != CUFFT_WORKAREA_USER)
        return CUFFT_SUCCESS;
    explain_not_supported("cufftXtSetWorkAreaPolicy with CUFFT_WORKAREA_USER");
    return CUFFT_NOT_SUPPORTED;
}

/* ---- execution -------------------------------------------------------- */

static bool is_aligned(const struct handle *h, enum fft_type real_side,
                       const void *p)
{
    size_t bytes =
        h->request.in.format != FFT_OWN ? 2 : h->plan->engine->real_bytes;
    if (h->request.type != real_side)
        bytes *= 2;
    return p && (uintptr_t)p % bytes == 0;
}

/* The plan decides the types, whichever function is called. Plans from and to
 * reals have one direction. */
static cufftResult run_transform(cufftHandle plan, void *in, void *out,
                                 int direction)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
        return CUFFT_INVALID_VALUE;
    if (!h->is_made)
        return CUFFT_INVALID_PLAN;
    if (!is_aligned(h, FFT_R2C, in) || !is_aligned(h, FFT_C2R, out) ||
        (direction == CUFFT_INVERSE && h->request.type == FFT_R2C) ||
        (direction == CUFFT_FORWARD && h->request.type == FFT_C2R))
        return CUFFT_INVALID_VALUE;
    if (h->is_distributed) /* only descriptors will do */
        return CUFFT_EXEC_FAILED;
    return handle_exec(h, in, out, direction == CUFFT_INVERSE);
}

EXPORT cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata,
                                cufftComplex *odata, int direction)
{
    return run_transform(plan, idata, odata, direction);
}

EXPORT cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata,
                                cufftComplex *odata)
{
    return run_transform(plan, idata, odata, CUFFT_FORWARD);
}

EXPORT cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata,
                                cufftReal *odata)
{
    return run_transform(plan, idata, odata, CUFFT_INVERSE);
}

EXPORT cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata,
                                cufftDoubleComplex *odata, int direction)
{
    return run_transform(plan, idata, odata, direction);
}

EXPORT cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata,
                                cufftDoubleComplex *odata)
{
    return run_transform(plan, idata, odata, CUFFT_FORWARD);
}

EXPORT cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata,
                                cufftDoubleReal *odata)
{
    return run_transform(plan, idata, odata, CUFFT_INVERSE);
}

EXPORT cufftResult cufftXtExec(cufftHandle plan, void *input, void *output,
                               int direction)
{
    return run_transform(plan, input, output, direction);
}

/* ---- versions and properties ------------------------------------------ */

#if LIB_MAJOR == 12
enum { MAJOR = 11, MINOR = 4, PATCH = 1 };
#else
enum { MAJOR = 12, MINOR = 0, PATCH = 0 };
#endif

EXPORT cufftResult cufftGetVersion(int *version)
{
    if (version)
        *version = MAJOR * 1000 + MINOR * 100 + PATCH;
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int versions[] = {MAJOR, MINOR, PATCH};
    if ((unsigned)type > PATCH_LEVEL)
        return CUFFT_INVALID_TYPE;
    if (!value)
        return CUFFT_INVALID_VALUE;
    *value = versions[type];
    return CUFFT_SUCCESS;
}

static cufftResult find_property(cufftHandle plan, cufftProperty property,
                                 long long **value)
{
    struct handle *h = handle_find(plan);
    if (!h)
        return CUFFT_INVALID_PLAN;
    switch (property) {
    case NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT:
        *value = &h->patient_jit;
        return CUFFT_SUCCESS;
    case NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS:
        *value = &h->host_threads;
        return CUFFT_SUCCESS;
    default:
        return CUFFT_INVALID_VALUE;
    }
}

EXPORT cufftResult cufftSetPlanPropertyInt64(cufftHandle plan,
                                             cufftProperty property,
                                             const long long int inputValueInt)
{
    long long *value;
    struct handle *h = handle_find(plan);
    cufftResult err = find_property(plan, property, &value);
    /* Threads of the host cannot be chosen, nor anything of a plan that is
     * made: an H200 looks at that first. */
    if (h && (h->is_made ||
              property == NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS))
        err = CUFFT_NOT_SUPPORTED;
    if (!err)
        *value = inputValueInt != 0;
    return err;
}

EXPORT cufftResult cufftGetPlanPropertyInt64(cufftHandle plan,
                                             cufftProperty property,
                                             long long int *returnPtrValue)
{
    long long *value;
    cufftResult err = find_property(plan, property, &value);
    if (!err && !returnPtrValue)
        err = CUFFT_INVALID_VALUE;
    if (!err)
        *returnPtrValue = *value;
    return err;
}

EXPORT cufftResult cufftResetPlanProperty(cufftHandle plan,
                                          cufftProperty property)
{
    long long *value;
    cufftResult err = find_property(plan, property, &value);
    if (!err && handle_find(plan)->is_made)
        err = CUFFT_NOT_SUPPORTED;
    if (!err)
        *value = 0;
    return err;
}
