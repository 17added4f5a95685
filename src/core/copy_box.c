/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What descriptions of copies mean: boxes in pitched memory and in arrays, and
 * bytes counted along the rows of arrays. All become boxes of bytes.
 */
#include "core/array.h"
#include "core/internal.h"

/* One side of a description, and what it means. */
struct side {
    CUmemorytype type;
    void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x_bytes, y, z, level;
    size_t pitch, height;

    void *start;
    size_t slice;
    enum mem_side memory;
};

static bool lies_in(size_t first, size_t count, size_t all)
{
    return first <= all && count <= all - first;
}

static CUresult find_in_array(struct side *s, const CUDA_MEMCPY3D *c)
{
    struct CUarray_st *a = array_find(s->array);
    if (!s->array)
        return CUDA_ERROR_INVALID_VALUE;
    if (!a)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!lies_in(s->x_bytes, c->WidthInBytes, a->columns * a->element_bytes) ||
        !lies_in(s->y, c->Height, a->rows) ||
        !lies_in(s->z, c->Depth, a->slices))
        return CUDA_ERROR_INVALID_VALUE;
    s->pitch = a->pitch_bytes;
    s->slice = a->slice_bytes;
    s->start = a->data + s->z * s->slice + s->y * s->pitch + s->x_bytes;
    s->memory = MEM_SIDE_DEVICE;
    return CUDA_SUCCESS;
}

/* A pitch or a height of 0 means rows or slices without gaps. */
static CUresult find_in_memory(struct side *s, const CUDA_MEMCPY3D *c)
{
    size_t row, slice, width = s->x_bytes + c->WidthInBytes;
    char *start =
        s->memory == MEM_SIDE_HOST ? s->host : (void *)(uintptr_t)s->device;
    if (!s->pitch)
        s->pitch = width;
    bool is_flat = c->Depth == 1 && !s->z;
    if (!s->height && !is_flat)
        s->height = s->y + c->Height;
    if (!start || width < s->x_bytes || s->pitch < width ||
        (!is_flat && s->height < s->y + c->Height) ||
        __builtin_mul_overflow(s->pitch, s->height, &s->slice) ||
        __builtin_mul_overflow(s->slice, s->z, &slice) ||
        __builtin_mul_overflow(s->pitch, s->y, &row))
        return CUDA_ERROR_INVALID_VALUE;
    s->start = start + slice + row + s->x_bytes;
    return CUDA_SUCCESS;
}

static CUresult find_side(struct side *s, const CUDA_MEMCPY3D *c)
{
    if (s->level)
        return CUDA_ERROR_INVALID_VALUE;
    switch (s->type) {
    case CU_MEMORYTYPE_HOST:
        s->memory = MEM_SIDE_HOST;
        return find_in_memory(s, c);
    case CU_MEMORYTYPE_DEVICE:
        s->memory = MEM_SIDE_DEVICE;
        return find_in_memory(s, c);
    case CU_MEMORYTYPE_UNIFIED:
        s->memory = MEM_SIDE_ANY;
        return find_in_memory(s, c);
    case CU_MEMORYTYPE_ARRAY:
        return find_in_array(s, c);
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult copy_describe(const CUDA_MEMCPY3D *c, struct mem_copy *out)
{
    struct side from = {.type = c->srcMemoryType,
                        .host = (void *)(uintptr_t)c->srcHost,
                        .device = c->srcDevice,
                        .array = c->srcArray,
                        .x_bytes = c->srcXInBytes,
                        .y = c->srcY,
                        .z = c->srcZ,
                        .level = c->srcLOD,
                        .pitch = c->srcPitch,
                        .height = c->srcHeight};
    struct side to = {.type = c->dstMemoryType,
                      .host = c->dstHost,
                      .device = c->dstDevice,
                      .array = c->dstArray,
                      .x_bytes = c->dstXInBytes,
                      .y = c->dstY,
                      .z = c->dstZ,
                      .level = c->dstLOD,
                      .pitch = c->dstPitch,
                      .height = c->dstHeight};
    *out = (struct mem_copy){0};
    if (!c->WidthInBytes || !c->Height || !c->Depth)
        return CUDA_SUCCESS;
    CUresult err = find_side(&from, c);
    if (!err)
        err = find_side(&to, c);
    if (err)
        return err;
    *out = (struct mem_copy){
        .source = from.start,
        .destination = to.start,
        .source_pitch = from.pitch,
        .destination_pitch = to.pitch,
        .source_slice = from.slice,
        .destination_slice = to.slice,
        .width_bytes = c->WidthInBytes,
        .height = c->Height,
        .depth = c->Depth,
        .source_side = from.memory,
        .destination_side = to.memory,
    };
    return CUDA_SUCCESS;
}

/* Without what means nothing for sides of these types. */
static CUDA_MEMCPY3D without_rest(const CUDA_MEMCPY3D *c)
{
    CUDA_MEMCPY3D t = *c;
    bool from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY,
         to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    t.srcHost = c->srcMemoryType == CU_MEMORYTYPE_HOST ? c->srcHost : NULL;
    t.dstHost = c->dstMemoryType == CU_MEMORYTYPE_HOST ? c->dstHost : NULL;
    t.srcDevice = from_array || t.srcHost ? 0 : c->srcDevice;
    t.dstDevice = to_array || t.dstHost ? 0 : c->dstDevice;
    t.srcArray = from_array ? c->srcArray : NULL;
    t.dstArray = to_array ? c->dstArray : NULL;
    if (from_array)
        t.srcPitch = t.srcHeight = 0;
    if (to_array)
        t.dstPitch = t.dstHeight = 0;
    return t;
}

CUresult copy_run_box(CUstream s, const CUDA_MEMCPY3D *description,
                      enum copy_manner manner)
{
    struct mem_copy copy;
    if (!description)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult err = copy_describe(description, &copy);
    if (err)
        return err;
    const CUDA_MEMCPY3D shown = without_rest(description);
    copy.described = &shown;
    return copy_run(s, &copy, manner);
}

/* ---- bytes along rows ------------------------------------------------- */

static size_t row_bytes(const struct copy_place *p)
{
    return p->array ? p->array->columns * p->array->element_bytes : SIZE_MAX;
}

static CUresult check_place(const struct copy_place *p, size_t size_bytes)
{
    if (!p->array)
        return p->p ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (!array_find(p->array))
        return CUDA_ERROR_INVALID_HANDLE;
    size_t row = row_bytes(p);
    if (p->x_bytes >= row || p->y >= p->array->rows)
        return CUDA_ERROR_INVALID_VALUE;
    size_t left = row - p->x_bytes + (p->array->rows - p->y - 1) * row;
    return size_bytes <= left ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The next box: as many whole rows of both sides as there are, or a part of a
 * row. */
static void next_run(const struct copy_place *to, const struct copy_place *from,
                     size_t left, struct mem_copy *c)
{
    size_t a = row_bytes(to), b = row_bytes(from), row = a < b ? a : b;
    bool is_aligned = !to->x_bytes && !from->x_bytes &&
                      (a == b || a == SIZE_MAX || b == SIZE_MAX);
    if (is_aligned && row <= left) {
        c->width_bytes = row;
        c->height = left / row;
        return;
    }
    size_t to_end = a - to->x_bytes, from_end = b - from->x_bytes;
    size_t run = to_end < from_end ? to_end : from_end;
    c->width_bytes = run < left ? run : left;
    c->height = 1;
}

static void *place_start(const struct copy_place *p)
{
    if (!p->array)
        return p->p;
    assert(p->x_bytes < row_bytes(p));
    return p->array->data + p->y * p->array->pitch_bytes + p->x_bytes;
}

static void advance_place(struct copy_place *p, size_t width_bytes,
                          size_t height)
{
    if (!p->array) {
        p->p = (char *)p->p + width_bytes * height;
        return;
    }
    p->x_bytes += width_bytes;
    p->y += height - 1;
    assert(height > 0 && p->x_bytes <= row_bytes(p));
    if (p->x_bytes == row_bytes(p)) {
        p->x_bytes = 0;
        p->y++;
    }
}

/* Nodes show the run as rows of the array. */
static CUDA_MEMCPY3D describe_run(const struct copy_place *to,
                                  const struct copy_place *from,
                                  const struct mem_copy *run)
{
    const struct copy_place *in = to->array ? to : from;
    size_t pitch = in->array ? row_bytes(in) : 0;
    const CUDA_MEMCPY3D c = {
        .srcMemoryType =
            from->array ? CU_MEMORYTYPE_ARRAY : mem_side_type(from->side),
        .srcArray = from->array,
        .srcXInBytes = from->x_bytes,
        .srcY = from->y,
        .srcHost = from->p,
        .srcDevice = (CUdeviceptr)(uintptr_t)from->p,
        .srcPitch = pitch,
        .dstMemoryType =
            to->array ? CU_MEMORYTYPE_ARRAY : mem_side_type(to->side),
        .dstArray = to->array,
        .dstXInBytes = to->x_bytes,
        .dstY = to->y,
        .dstHost = to->p,
        .dstDevice = (CUdeviceptr)(uintptr_t)to->p,
        .dstPitch = pitch,
        .WidthInBytes = run->width_bytes,
        .Height = run->height,
        .Depth = run->depth,
    };
    return without_rest(&c);
}

CUresult copy_linear(CUstream s, struct copy_place to, struct copy_place from,
                     size_t size_bytes, enum copy_manner manner)
{
    if (!size_bytes)
        return CUDA_SUCCESS;
    CUresult err = check_place(&to, size_bytes);
    if (!err)
        err = check_place(&from, size_bytes);
    for (size_t left = size_bytes; left && !err;) {
        struct mem_copy c = {
            .source = place_start(&from),
            .destination = place_start(&to),
            .depth = 1,
            .source_side = from.array ? MEM_SIDE_DEVICE : from.side,
            .destination_side = to.array ? MEM_SIDE_DEVICE : to.side,
        };
        next_run(&to, &from, left, &c);
        assert(c.width_bytes && c.width_bytes * c.height <= left);
        c.source_pitch = from.array ? from.array->pitch_bytes : c.width_bytes;
        c.destination_pitch = to.array ? to.array->pitch_bytes : c.width_bytes;
        const CUDA_MEMCPY3D shown = describe_run(&to, &from, &c);
        c.described = &shown;
        err = copy_run(s, &c, manner);
        advance_place(&to, c.width_bytes, c.height);
        advance_place(&from, c.width_bytes, c.height);
        left -= c.width_bytes * c.height;
    }
    return err;
}
