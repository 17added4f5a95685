/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks in link-time code: all eight types, beside the same transform of
 * numbers that were changed before or are changed afterwards; layouts, in
 * place, what the caller passes, shared memory, graphs; and what is refused.
 *
 * Builds with NVIDIA's toolkit as well; each line of the output is a status or
 * a result.
 */
#include <cuda_runtime_api.h>
#include <cufftXt.h>
#include <math.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(const char *what, long got, long wanted)
{
    printf("%s: %ld\n", what, got);
    if (got != wanted) {
        fprintf(stderr, "%s: %ld, expected %ld\n", what, got, wanted);
        failures++;
    }
}

static void must(const char *what, int err)
{
    if (!err)
        return;
    fprintf(stderr, "%s: error %d\n", what, err);
    exit(1);
}
#define MUST(call) must(#call, call)

static const char source[] =
    "typedef float2 C; typedef double2 Z;\n"
    "typedef unsigned long long U;\n"
    "__constant__ float two = 2;\n"
    "__device__ C load_c(void *in, U i, void *info, void *)\n"
    "{ C v = ((C *)in)[i]; float f = *(float *)info * two;\n"
    "  return C{v.x * f + (float)(i % 3), v.y * f}; }\n"
    "__device__ Z load_z(void *in, U i, void *info, void *)\n"
    "{ Z v = ((Z *)in)[i]; float f = *(float *)info * two;\n"
    "  return Z{v.x * f + (double)(i % 3), v.y * f}; }\n"
    "__device__ float load_r(void *in, U i, void *info, void *)\n"
    "{ return ((float *)in)[i] * *(float *)info * two + (float)(i % 3); }\n"
    "extern \"C\" __device__ double load_d(void *in, U i, void *info, void *)\n"
    "{ return ((double *)in)[i] * *(float *)info * two + (double)(i % 3); }\n"
    "__device__ void store_c(void *out, U i, C v, void *info, void *)\n"
    "{ float f = *(float *)info * two;\n"
    "  ((C *)out)[i] = C{v.x * f + (float)(i % 3), v.y * f}; }\n"
    "__device__ void store_z(void *out, U i, Z v, void *info, void *)\n"
    "{ float f = *(float *)info * two;\n"
    "  ((Z *)out)[i] = Z{v.x * f + (double)(i % 3), v.y * f}; }\n"
    "__device__ void store_r(void *out, U i, float v, void *info, void *)\n"
    "{ ((float *)out)[i] = v * *(float *)info * two + (float)(i % 3); }\n"
    "extern \"C\" __device__ void store_d(void *out, U i, double v, void "
    "*info,\n"
    "                                     void *)\n"
    "{ ((double *)out)[i] = v * *(float *)info * two + (double)(i % 3); }\n"
    "__device__ C load_shared(void *in, U i, void *, void *shared)\n"
    "{ volatile C *mine = (C *)shared + threadIdx.x;\n"
    "  mine->x = ((C *)in)[i].x; return C{mine->x, 1}; }\n";

static char *code;
static size_t code_bytes;

static void compile(void)
{
    const char *options[] = {"-arch=compute_75", "-dlto", "-rdc=true",
                             "-std=c++17"};
    nvrtcProgram p;
    MUST(nvrtcCreateProgram(&p, source, "callbacks.cu", 0, NULL, NULL));
    MUST(nvrtcCompileProgram(p, 4, options));
    MUST(nvrtcGetLTOIRSize(p, &code_bytes));
    code = malloc(code_bytes);
    MUST(nvrtcGetLTOIR(p, code));
    MUST(nvrtcDestroyProgram(&p));
}

/* ---- numbers ---------------------------------------------------------- */

enum { N = 60, BATCH = 3, ROOM = 8192 };
static const float scale = 1.5f;
static void *device_in, *device_out, *device_scale;

struct type {
    const char *name;
    cufftType type;
    bool in_is_real, out_is_real, is_double;
};
static const struct type types[] = {
    {"C2C", CUFFT_C2C, false, false, false},
    {"R2C", CUFFT_R2C, true, false, false},
    {"C2R", CUFFT_C2R, false, true, false},
    {"Z2Z", CUFFT_Z2Z, false, false, true},
    {"D2Z", CUFFT_D2Z, true, false, true},
    {"Z2D", CUFFT_Z2D, false, true, true},
};

static double number_at(const void *data, bool is_double, size_t i)
{
    return is_double ? ((const double *)data)[i] : ((const float *)data)[i];
}

static void put_number(void *data, bool is_double, size_t i, double v)
{
    if (is_double)
        ((double *)data)[i] = v;
    else
        ((float *)data)[i] = (float)v;
}

/* What the callbacks do to element i, which is a real number or two. */
static void change(void *data, const struct type *t, bool is_real, size_t i)
{
    size_t at = is_real ? i : 2 * i;
    double f = scale * 2;
    put_number(data, t->is_double, at,
               number_at(data, t->is_double, at) * f + (double)(i % 3));
    if (!is_real)
        put_number(data, t->is_double, at + 1,
                   number_at(data, t->is_double, at + 1) * f);
}

/* Two-dimensional, with room between lines and batches. */
static cufftHandle make_plan(const struct type *t, const char *load,
                             const char *store)
{
    cufftHandle plan;
    size_t work;
    int n[] = {N / 10, 10}, in[] = {N, 13}, out[] = {N, 12};
    int kind = t->is_double ? 1 : 0;
    MUST(cufftCreate(&plan));
    if (load)
        MUST(cufftXtSetJITCallback(
            plan, load, code, code_bytes,
            (cufftXtCallbackType)((t->in_is_real ? CUFFT_CB_LD_REAL
                                                 : CUFFT_CB_LD_COMPLEX) +
                                  kind),
            &device_scale));
    if (store)
        MUST(cufftXtSetJITCallback(
            plan, store, code, code_bytes,
            (cufftXtCallbackType)((t->out_is_real ? CUFFT_CB_ST_REAL
                                                  : CUFFT_CB_ST_COMPLEX) +
                                  kind),
            &device_scale));
    MUST(cufftMakePlanMany(plan, 2, n, in, 1, 100, out, 1, 110, t->type, BATCH,
                           &work));
    return plan;
}

static void transform(const struct type *t, cufftHandle plan, const void *in,
                      void *out)
{
    MUST(cudaMemcpy(device_in, in, ROOM, cudaMemcpyHostToDevice));
    MUST(cudaMemset(device_out, 0, 2 * ROOM));
    MUST(cufftXtExec(plan, device_in, device_out,
                     t->out_is_real ? CUFFT_INVERSE : CUFFT_FORWARD));
    MUST(cudaMemcpy(out, device_out, 2 * ROOM, cudaMemcpyDeviceToHost));
}

static void for_each(const struct type *t, bool is_in, void *data,
                     void (*fn)(void *, const struct type *, bool, size_t))
{
    bool is_real = is_in ? t->in_is_real : t->out_is_real;
    bool is_half = is_in ? t->out_is_real : t->in_is_real;
    int last = is_half ? 10 / 2 + 1 : 10;
    for (int b = 0; b < BATCH; b++)
        for (int i = 0; i < N / 10; i++)
            for (int j = 0; j < last; j++)
                fn(data, t, is_real,
                   (size_t)(is_in ? b * 100 + i * 13 + j
                                  : b * 110 + i * 12 + j));
}

static double distance(const struct type *t, const void *a, const void *b)
{
    double most = 0;
    for (size_t i = 0; i < 2 * ROOM / (t->is_double ? 8 : 4); i++)
        most = fmax(most, fabs(number_at(a, t->is_double, i) -
                               number_at(b, t->is_double, i)));
    return most;
}

static const char *name_of(bool is_load, bool is_real, bool is_double)
{
    static const char *const names[] = {"store_c", "store_z", "store_r",
                                        "store_d", "load_c",  "load_z",
                                        "load_r",  "load_d"};
    return names[4 * is_load + 2 * is_real + is_double];
}

static void test_type(const struct type *t)
{
    static char in[ROOM * 2], changed[ROOM * 2], out[ROOM * 2];
    static char wanted[ROOM * 2];
    for (size_t i = 0; i < ROOM / (t->is_double ? 8 : 4); i++)
        put_number(in, t->is_double, i, sin((double)i));
    memcpy(changed, in, sizeof in);
    for_each(t, true, changed, change);
    cufftHandle plain = make_plan(t, NULL, NULL);
    cufftHandle jit = make_plan(t, name_of(true, t->in_is_real, t->is_double),
                                name_of(false, t->out_is_real, t->is_double));
    transform(t, plain, changed, wanted);
    for_each(t, false, wanted, change);
    transform(t, jit, in, out);
    double far = distance(t, out, wanted);
    check(t->name, far <= (t->is_double ? 1e-12 : 2e-4), 1);
    MUST(cufftDestroy(plain));
    MUST(cufftDestroy(jit));
}

/* ---- in a graph, with shared memory ------------------------------------ */

static void test_graph(void)
{
    float in[2 * 64], out[2 * 64];
    cufftHandle plan;
    size_t work;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (int i = 0; i < 2 * 64; i++)
        in[i] = (float)i;
    MUST(cufftCreate(&plan));
    MUST(cufftXtSetJITCallback(plan, "load_shared", code, code_bytes,
                               CUFFT_CB_LD_COMPLEX, NULL));
    check("shared memory",
          cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 8192),
          CUFFT_SUCCESS);
    MUST(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &work));
    MUST(cudaStreamCreate(&s));
    MUST(cufftSetStream(plan, s));
    MUST(cudaMemset(device_in, 0, ROOM));
    MUST(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    MUST(cufftExecC2C(plan, device_in, device_in, CUFFT_FORWARD));
    MUST(cudaStreamEndCapture(s, &graph));
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    MUST(cudaGraphLaunch(exec, s));
    MUST(cudaStreamSynchronize(s));
    MUST(cudaMemcpy(out, device_in, sizeof out, cudaMemcpyDeviceToHost));
    /* The sums of 0, 2 ... 126 and of 64 ones. */
    check("graph, real", lrintf(out[0]), 64 * 63);
    check("graph, imaginary", lrintf(out[1]), 64);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(s));
    MUST(cufftDestroy(plan));
}

/* ---- what is refused -------------------------------------------------- */

static int set(cufftHandle plan, const char *name, const void *image,
               size_t bytes, int type)
{
    return cufftXtSetJITCallback(plan, name, image, bytes,
                                 (cufftXtCallbackType)type, &device_scale);
}

/* The first error of setting a callback and making a plan of 16 C2C. */
static int set_and_make(const char *name, const void *image, size_t bytes,
                        int type)
{
    cufftHandle plan;
    size_t work;
    MUST(cufftCreate(&plan));
    int err = set(plan, name, image, bytes, type);
    if (!err)
        err = cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &work);
    MUST(cufftDestroy(plan));
    return err;
}

static void test_statuses(void)
{
    cufftHandle plan;
    size_t work;
    MUST(cufftCreate(&plan));
    check("no plan", set(99, "load_c", code, code_bytes, 0),
          CUFFT_INVALID_PLAN);
    check("no name", set(plan, NULL, code, code_bytes, 0), CUFFT_INVALID_VALUE);
    check("no code", set(plan, "load_c", NULL, code_bytes, 0),
          CUFFT_INVALID_VALUE);
    check("no size", set(plan, "load_c", code, 0, 0), CUFFT_INVALID_VALUE);
    check("type 8", set(plan, "load_c", code, code_bytes, 8),
          CUFFT_INVALID_TYPE);
    check("type -1", set(plan, "load_c", code, code_bytes, -1),
          CUFFT_INVALID_TYPE);
    check("set", set(plan, "load_c", code, code_bytes, 0), CUFFT_SUCCESS);
    check("set twice", set(plan, "load_c", code, code_bytes, 0), CUFFT_SUCCESS);
    MUST(cufftMakePlan1d(plan, 16, CUFFT_C2C, 1, &work));
    check("made", set(plan, "load_c", code, code_bytes, 0), CUFFT_INVALID_PLAN);
    check("clear", cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX),
          CUFFT_SUCCESS);
    MUST(cufftDestroy(plan));
    check("unknown name", set_and_make("nothing", code, code_bytes, 0),
          CUFFT_NVJITLINK_FAILURE);
    check("other precision", set_and_make("load_z", code, code_bytes, 1),
          CUFFT_INVALID_TYPE);
    check("reals", set_and_make("load_r", code, code_bytes, 2),
          CUFFT_INVALID_TYPE);
    check("other parameters", set_and_make("store_r", code, code_bytes, 0),
          CUFFT_NVJITLINK_FAILURE);
    check("no code at all", set_and_make("load_c", source, sizeof source, 0),
          CUFFT_NVJITLINK_FAILURE);
    check("half", set_and_make("load_c", code, code_bytes / 2, 0),
          CUFFT_NVJITLINK_FAILURE);
}

int main(void)
{
    compile();
    MUST(cudaMalloc(&device_in, 2 * ROOM));
    MUST(cudaMalloc(&device_out, 2 * ROOM));
    MUST(cudaMalloc(&device_scale, sizeof scale));
    MUST(
        cudaMemcpy(device_scale, &scale, sizeof scale, cudaMemcpyHostToDevice));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        test_type(&types[i]);
    test_graph();
    test_statuses();
    free(code);
    return failures ? 1 : 0;
}
