/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuFFT on several devices. Each has a slab of the whole: of the first axis
 * before the transform, of the second one after it ("shuffled"), of the batch
 * if there is one. A single line is a matrix of factor2 rows and factor1
 * columns. All devices share the machine's memory: a transform gathers the
 * slabs in one place, runs on the first device's threads, and copies them back.
 * It is done when the call returns, as cuFFT's is.
 */
#include "xt.h"

#include <stdlib.h>

#include "core/core.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- slabs ------------------------------------------------------------ */

enum slabs { OF_FIRST, OF_SECOND, OF_BATCH };

static int device_count_of(const struct handle *h)
{
    return h->is_distributed ? h->gpu_count : 1;
}

static bool changes_slabs(const struct handle *h)
{
    return h->request.batch == 1 && device_count_of(h) > 1;
}

static enum slabs slabs_of(const struct handle *h, int format)
{
    bool shuffled = format == CUFFT_XT_FORMAT_OUTPUT ||
                    format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
    if (h->request.batch > 1)
        return OF_BATCH;
    return shuffled ? OF_SECOND : OF_FIRST;
}

/* Bytes of the axes behind axis k, lines of reals padded. */
static uint64_t bytes_behind(const struct fft_request *r, unsigned k,
                             size_t number)
{
    uint64_t bytes = number;
    for (unsigned j = k + 1; j < r->rank; j++) {
        bool halved = r->type != FFT_C2C && j == r->rank - 1;
        bytes *= halved ? r->n[j] / 2 + 1 : r->n[j];
    }
    return bytes;
}

static uint64_t whole_bytes(const struct handle *h)
{
    size_t in = handle_buffer_bytes(h, HANDLE_IN, true);
    size_t out = handle_buffer_bytes(h, HANDLE_OUT, true);
    return in > out ? in : out;
}

/* The part of device i of `total`: the first ones have one more. */
static void part_of(uint64_t total, int i, int count, uint64_t *first,
                    uint64_t *size)
{
    uint64_t each = total / (uint64_t)count, more = total % (uint64_t)count;
    uint64_t place = (uint64_t)i;
    *first = place * each + (place < more ? place : more);
    *size = each + (place < more);
}

/* factor1 of a line of 2^e numbers: 2 to the power of (2 e + 2) / 3. */
static uint64_t first_factor(uint64_t n)
{
    unsigned e = 0;
    while (n >> (e + 1))
        e++;
    return (uint64_t)1 << (2 * e + 2) / 3;
}

static struct piece columns_of(uint64_t rows, uint64_t columns, uint64_t bytes,
                               int i, int count)
{
    uint64_t first, size;
    part_of(columns, i, count, &first, &size);
    return (struct piece){.offset = first * bytes,
                          .row_bytes = size * bytes,
                          .rows = rows,
                          .stride = columns * bytes};
}

static struct piece piece_of(const struct handle *h, enum slabs slabs, int i)
{
    const struct fft_request *r = &h->request;
    int count = device_count_of(h);
    size_t format_bytes =
        r->in.format == FFT_OWN ? h->plan->engine->real_bytes : 2;
    size_t number = 2 * format_bytes;
    uint64_t first, size, behind = bytes_behind(r, 0, number);
    struct piece p = {.rows = 1};
    if (count == 1) {
        p.row_bytes = whole_bytes(h);
    } else if (slabs == OF_BATCH) {
        part_of(r->batch, i, count, &first, &size);
        p.offset = first * (whole_bytes(h) / r->batch);
        p.row_bytes = size * (whole_bytes(h) / r->batch);
    } else if (slabs == OF_FIRST) {
        part_of(r->n[0], i, count, &first, &size);
        p.offset = first * behind;
        p.row_bytes = size * behind;
    } else if (r->rank == 1) {
        uint64_t columns = first_factor(r->n[0]);
        p = columns_of(r->n[0] / columns, columns, number, i, count);
    } else {
        uint64_t unit = bytes_behind(r, 1, number);
        p = columns_of(r->n[0], behind / unit, unit, i, count);
    }
    return p;
}

static struct pieces pieces_of(const struct handle *h, const cudaLibXtDesc *d,
                               char *whole, bool gathers)
{
    struct pieces p = {.whole = whole,
                       .gathers = gathers,
                       .count = (uint32_t)device_count_of(h)};
    for (uint32_t i = 0; i < p.count; i++) {
        p.piece[i] = piece_of(h, slabs_of(h, d->subFormat), (int)i);
        p.piece[i].at = d->descriptor->data[i];
    }
    return p;
}

/* ---- devices ---------------------------------------------------------- */

static int device_at(const struct handle *h, int i)
{
    return h->is_distributed ? h->gpu[i] : ctx_device_of_thread();
}

static cufftResult wait_for_all(const struct handle *h)
{
    for (int i = 0; i < device_count_of(h); i++) {
        CUcontext ctx;
        CUresult err = ctx_primary_of(device_at(h, i), &ctx);
        if (!err)
            err = ctx_synchronize(ctx);
        if (err)
            return cufft_status(err);
    }
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs)
{
    struct handle *h = handle_find(handle);
    if (!h || (h->is_made && whichGPUs))
        return CUFFT_INVALID_PLAN;
    if (nGPUs < 2 || nGPUs > CUFFT_GPUS_MAX || !whichGPUs)
        return CUFFT_INVALID_VALUE;
    for (int i = 0; i < nGPUs; i++) {
        if (!device_exists(whichGPUs[i]))
            return CUFFT_INVALID_DEVICE;
    }
    for (int i = 0; i < nGPUs; i++)
        h->gpu[i] = whichGPUs[i];
    h->gpu_count = nGPUs;
    h->is_distributed = true;
    return CUFFT_SUCCESS;
}

/* ---- descriptors ------------------------------------------------------ */

EXPORT cufftResult cufftXtFree(cudaLibXtDesc *descriptor)
{
    if (!descriptor)
        return CUFFT_SUCCESS;
    cudaXtDesc *d = descriptor->descriptor;
    for (int i = 0; d && i < d->nGPUs; i++) {
        CUcontext ctx;
        if (d->data[i] && !ctx_primary_of(d->GPUs[i], &ctx))
            mem_free(ctx, (CUdeviceptr)d->data[i]);
    }
    free(d);
    free(descriptor);
    return CUFFT_SUCCESS;
}

static cufftResult allocate_piece(const struct handle *h, cudaXtDesc *d, int i,
                                  uint64_t bytes)
{
    CUcontext ctx;
    CUdeviceptr memory;
    d->GPUs[i] = device_at(h, i);
    CUresult err = ctx_primary_of(d->GPUs[i], &ctx);
    if (err || !ctx_push(ctx))
        return CUFFT_ALLOC_FAILED;
    err = mem_alloc(ctx, &memory, bytes ? bytes : 1);
    ctx_pop();
    if (err)
        return CUFFT_ALLOC_FAILED;
    d->data[i] = (void *)memory;
    d->size[i] = bytes;
    return CUFFT_SUCCESS;
}

/* Room for either kind of slab. */
static uint64_t piece_bytes(const struct handle *h, int i)
{
    struct piece a = piece_of(h, slabs_of(h, CUFFT_XT_FORMAT_INPUT), i);
    struct piece b = piece_of(h, slabs_of(h, CUFFT_XT_FORMAT_OUTPUT), i);
    uint64_t first = a.rows * a.row_bytes, second = b.rows * b.row_bytes;
    return first > second ? first : second;
}

EXPORT cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor,
                                 cufftXtSubFormat format)
{
    struct handle *h = handle_find(plan);
    if (!h || !h->is_made)
        return CUFFT_INVALID_PLAN;
    if (!descriptor || (unsigned)format > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
        return CUFFT_INVALID_VALUE;
    cudaLibXtDesc *lib = calloc(1, sizeof *lib);
    cudaXtDesc *d = calloc(1, sizeof *d);
    cufftResult err = lib && d ? CUFFT_SUCCESS : CUFFT_ALLOC_FAILED;
    if (err) {
        free(d);
        free(lib);
        return err;
    }
    lib->descriptor = d;
    lib->library = LIB_FORMAT_CUFFT;
    lib->subFormat = format;
    d->nGPUs = device_count_of(h);
    for (int i = 0; i < d->nGPUs && !err; i++)
        err = allocate_piece(h, d, i, piece_bytes(h, i));
    if (err)
        cufftXtFree(lib);
    else
        *descriptor = lib;
    return err;
}

static bool is_ours(const struct handle *h, const cudaLibXtDesc *d)
{
    return d && d->descriptor && d->library == LIB_FORMAT_CUFFT &&
           d->descriptor->nGPUs == device_count_of(h);
}

static cufftResult copy_descriptors(const struct handle *h,
                                    const cudaLibXtDesc *to,
                                    const cudaLibXtDesc *from)
{
    char *whole = malloc(whole_bytes(h));
    if (!whole)
        return CUFFT_ALLOC_FAILED;
    struct pieces in = pieces_of(h, from, whole, true);
    struct pieces out = pieces_of(h, to, whole, false);
    pieces_copy(&in);
    pieces_copy(&out);
    free(whole);
    return CUFFT_SUCCESS;
}

EXPORT cufftResult cufftXtMemcpy(cufftHandle plan, void *dstPointer,
                                 void *srcPointer, cufftXtCopyType type)
{
    struct handle *h = handle_find(plan);
    if (!h || !h->is_made)
        return CUFFT_INVALID_PLAN;
    bool from_device = type != CUFFT_COPY_HOST_TO_DEVICE;
    bool to_device = type != CUFFT_COPY_DEVICE_TO_HOST;
    if (!dstPointer || !srcPointer || (unsigned)type >= CUFFT_COPY_UNDEFINED ||
        (from_device && !is_ours(h, srcPointer)) ||
        (to_device && !is_ours(h, dstPointer)))
        return CUFFT_INVALID_VALUE;
    cufftResult err = wait_for_all(h);
    if (err)
        return err;
    if (from_device && to_device)
        return copy_descriptors(h, dstPointer, srcPointer);
    struct pieces p = from_device ? pieces_of(h, srcPointer, dstPointer, true)
                                  : pieces_of(h, dstPointer, srcPointer, false);
    pieces_copy(&p);
    return CUFFT_SUCCESS;
}

/* ---- execution -------------------------------------------------------- */

/* Slabs of the first axis become those of the second one, and back. */
static int format_after(const struct handle *h, int format)
{
    if (!changes_slabs(h))
        return format;
    return format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED ||
                   format == CUFFT_XT_FORMAT_OUTPUT
               ? CUFFT_XT_FORMAT_INPLACE
               : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
}

static cufftResult transform_pieces(struct handle *h, cudaLibXtDesc *d,
                                    bool inverse)
{
    struct pieces in = pieces_of(h, d, (char *)h->gathered, true);
    int after = format_after(h, d->subFormat);
    CUresult err = pieces_run(&in, h->stream);
    if (err)
        return cufft_status(err);
    cufftResult result = handle_transform(h, in.whole, in.whole, inverse, true);
    if (result)
        return result;
    d->subFormat = after;
    struct pieces out = pieces_of(h, d, in.whole, false);
    return cufft_status(pieces_run(&out, h->stream));
}

static cufftResult exec_descriptor(cufftHandle plan, cudaLibXtDesc *input,
                                   cudaLibXtDesc *output, int direction)
{
    struct handle *h = handle_find(plan);
    if (!h || !h->is_made)
        return CUFFT_INVALID_PLAN;
    if (!is_ours(h, input) || !is_ours(h, output) ||
        (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    bool inverse = direction == CUFFT_INVERSE;
    if (h->request.rank == 1 && slabs_of(h, input->subFormat) == OF_SECOND &&
        h->is_distributed)
        return CUFFT_INVALID_TYPE;
    if (!h->is_distributed)
        return handle_exec(h, input->descriptor->data[0],
                           output->descriptor->data[0], inverse);
    if (input != output)
        return CUFFT_INVALID_VALUE;
    cufftResult err = wait_for_all(h);
    if (!err)
        err = transform_pieces(h, input, inverse);
    return err ? err : wait_for_all(h);
}

EXPORT cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *input,
                                         cudaLibXtDesc *output, int direction)
{
    return exec_descriptor(plan, input, output, direction);
}

EXPORT cufftResult cufftXtExecDescriptorC2C(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output,
                                            int direction)
{
    return exec_descriptor(plan, input, output, direction);
}

EXPORT cufftResult cufftXtExecDescriptorR2C(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output)
{
    return exec_descriptor(plan, input, output, CUFFT_FORWARD);
}

EXPORT cufftResult cufftXtExecDescriptorC2R(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output)
{
    return exec_descriptor(plan, input, output, CUFFT_INVERSE);
}

EXPORT cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output,
                                            int direction)
{
    return exec_descriptor(plan, input, output, direction);
}

EXPORT cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output)
{
    return exec_descriptor(plan, input, output, CUFFT_FORWARD);
}

EXPORT cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan,
                                            cudaLibXtDesc *input,
                                            cudaLibXtDesc *output)
{
    return exec_descriptor(plan, input, output, CUFFT_INVERSE);
}

/* ---- the order of a line ---------------------------------------------- */

static int log2_of(uint64_t n)
{
    int e = 0;
    while (n >> (e + 1))
        e++;
    return e;
}

static cufftXt1dFactors factors_of(const struct handle *h)
{
    uint64_t n = h->request.n[0], f1 = first_factor(n), f2 = n / f1;
    uint64_t devices = (uint64_t)device_count_of(h);
    uint64_t strings = f2 > devices ? f2 / devices : 1;
    uint64_t length = n / strings, part = length > f2 ? length / f2 : 1;
    return (cufftXt1dFactors){
        .size = (long long)n,
        .stringCount = (long long)strings,
        .stringLength = (long long)length,
        .substringLength = (long long)part,
        .factor1 = (long long)f1,
        .factor2 = (long long)f2,
        .stringMask = (long long)length - 1,
        .substringMask = (long long)part - 1,
        .factor1Mask = (long long)f1 - 1,
        .factor2Mask = (long long)f2 - 1,
        .stringShift = log2_of(length),
        .substringShift = log2_of(part),
        .factor1Shift = log2_of(f1),
        .factor2Shift = log2_of(f2),
    };
}

EXPORT cufftResult cufftXtQueryPlan(cufftHandle plan, void *queryStruct,
                                    cufftXtQueryType queryType)
{
    struct handle *h = handle_find(plan);
    if (!h || !h->is_made)
        return CUFFT_INVALID_PLAN;
    if (queryType != CUFFT_QUERY_1D_FACTORS || !queryStruct)
        return CUFFT_INVALID_VALUE;
    if (!h->is_distributed || h->request.rank != 1 || h->request.batch != 1)
        return CUFFT_NOT_SUPPORTED;
    *(cufftXt1dFactors *)queryStruct = factors_of(h);
    return CUFFT_SUCCESS;
}
