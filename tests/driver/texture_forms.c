/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forms of textures' and surfaces' instructions that ptxas takes, run by one
 * thread: what each gives, or what memory is then.
 *
 *     driver-texture_forms FILE EACH FIRST
 *
 * A line of FILE: u or i (texmode_independent), the instruction, the answer,
 * and whether an H200 gave that; the others are the interpreter's, since the
 * textures have levels but coordinates that are not normalised, which CUDA does
 * not define. EACH and FIRST choose lines. With EACH 0 all are run and printed
 * with new answers.
 */
#include "check.h"

enum { SIDE = 32, DEEP = 12, ALL = SIDE * SIDE * DEEP, WORDS = 8 };

static const char head[] =
    ".version 8.8\n.target sm_90%s\n.address_size 64\n"
    ".visible .entry k(.param .u64 t, .param .u64 out)\n{\n"
    ".reg .u64 %%d<3>; .reg .b64 %%e<40>; .reg .b32 %%r<50>;\n"
    ".reg .f32 %%f<50>; .reg .b16 %%h<50>; .reg .pred %%p<3>;\n"
    "ld.param.u64 %%d0, [t]; ld.param.u64 %%d1, [out];\n"
    "mov.u32 %%r0, 16; mov.u32 %%r1, 3; mov.u32 %%r2, 2; mov.u32 %%r3, 0;\n"
    "mov.f32 %%f0, 0f418A6666; mov.f32 %%f1, 0f40500000;\n"
    "mov.f32 %%f2, 0f40133333; mov.f32 %%f3, 0f00000000;\n"
    "mov.u32 %%r9, 1; mov.u32 %%r10, 1; mov.u32 %%r11, -1; mov.u32 %%r12, 2;\n"
    "mov.u32 %%r13, 0; mov.u32 %%r15, 1; mov.f32 %%f15, 0f3F400000;\n"
    "mov.f32 %%f30, 0f3F000000; mov.f32 %%f31, 0f3FC00000;\n"
    "mov.f32 %%f32, 0f3E800000; mov.f32 %%f33, 0f00000000;\n"
    "mov.f32 %%f34, 0f40000000; mov.f32 %%f35, 0f3F800000;\n"
    "mov.f32 %%f36, 0f3E000000; mov.f32 %%f37, 0f00000000;\n"
    "mov.f32 %%f40, 0f44000000; setp.ne.u32 %%p1, %%r0, 16;\n"
    "mov.u32 %%r20, 0x01020304; mov.u32 %%r21, 0x11121314;\n"
    "mov.u32 %%r22, 0x21222324; mov.u32 %%r23, 0x31323334;\n"
    "mov.b32 %%f20, %%r20; mov.b32 %%f21, %%r21;\n"
    "mov.b32 %%f22, %%r22; mov.b32 %%f23, %%r23;\n"
    "mov.b64 %%e20, {%%r20,%%r21}; mov.b64 %%e21, {%%r22,%%r23};\n"
    "mov.b64 %%e22, 5; mov.b64 %%e23, 6;\n"
    "mov.u16 %%h20, 0x0102; mov.u16 %%h21, 0x1112; mov.u16 %%h22, 0x2122;\n"
    "mov.u16 %%h23, 0x3132;\n";

/* What the instruction writes. */
static const char *const tails[] = {
    ['r'] = "st.global.u32 [%d1], %r20; st.global.u32 [%d1+4], %r21;\n"
            "st.global.u32 [%d1+8], %r22; st.global.u32 [%d1+12], %r23;\n",
    ['f'] = "st.global.f32 [%d1], %f20; st.global.f32 [%d1+4], %f21;\n"
            "st.global.f32 [%d1+8], %f22; st.global.f32 [%d1+12], %f23;\n",
    ['h'] = "st.global.u16 [%d1], %h20; st.global.u16 [%d1+4], %h21;\n"
            "st.global.u16 [%d1+8], %h22; st.global.u16 [%d1+12], %h23;\n",
    ['e'] = "st.global.u64 [%d1], %e20; st.global.u64 [%d1+8], %e21;\n",
};

/* ---- resources ----------------------------------------------------------- */

enum shape { ROW, PLANE, BOX, ROWS, PLANES, CUBE, CUBES, SHAPES };
static const char *const shape_names[SHAPES] = {
    [ROW] = ".1d.",     [PLANE] = ".2d.",  [BOX] = ".3d.",     [ROWS] = ".a1d.",
    [PLANES] = ".a2d.", [CUBE] = ".cube.", [CUBES] = ".acube."};

enum content { NUMBERS, FLOATS, HALVES, CONTENTS };

struct resource {
    CUmipmappedArray levels;
    CUarray array;
    CUtexObject texture;
    CUsurfObject surface;
};

static CUcontext ctx;
static CUdeviceptr out;
static struct resource resources[SHAPES][CONTENTS];
static unsigned data[ALL];

static size_t rows_of(enum shape s, unsigned side)
{
    return s == ROW || s == ROWS ? 1 : side;
}

static size_t slices_of(enum shape s, unsigned side)
{
    return s == BOX      ? side / 4
           : s == ROWS   ? 4
           : s == PLANES ? 4
           : s == CUBE   ? 6
           : s == CUBES  ? 12
                         : 1;
}

static unsigned bytes_of(enum content c)
{
    return c == HALVES ? 2 : 4;
}

/* Texels in order are 1, 2, 3 ... of a level, as numbers of the kind. */
static void fill(CUarray a, enum shape s, enum content c, unsigned side,
                 unsigned first)
{
    size_t count = side * rows_of(s, side) * slices_of(s, side);
    for (size_t i = 0; i < count; i++) {
        float f = (float)(first + i % 1000);
        if (c == NUMBERS)
            data[i] = (unsigned)(first + i * 0x01010101u);
        else if (c == FLOATS)
            memcpy(&data[i], &f, 4);
        else /* of 1024 to 2047 the last ten bits are the number's */
            ((unsigned short *)data)[i] =
                (unsigned short)(0x6400 + (first + i) % 1000);
    }
    CUDA_MEMCPY3D p = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = data,
                       .srcPitch = side * bytes_of(c),
                       .srcHeight = rows_of(s, side),
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = a,
                       .WidthInBytes = side * bytes_of(c),
                       .Height = rows_of(s, side),
                       .Depth = slices_of(s, side)};
    CU_OK(cuMemcpy3D(&p));
}

static CUDA_ARRAY3D_DESCRIPTOR descriptor(enum shape s, enum content c)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = SIDE,
        .Height = s == ROW || s == ROWS ? 0 : SIDE,
        .Depth = s == ROW || s == PLANE ? 0 : slices_of(s, SIDE),
        .Format = c == NUMBERS  ? CU_AD_FORMAT_UNSIGNED_INT32
                  : c == FLOATS ? CU_AD_FORMAT_FLOAT
                                : CU_AD_FORMAT_HALF,
        .NumChannels = 1};
    d.Flags |=
        s == ROWS || s == PLANES || s == CUBES ? CUDA_ARRAY3D_LAYERED : 0;
    d.Flags |= s == CUBE || s == CUBES ? CUDA_ARRAY3D_CUBEMAP : 0;
    d.Flags |= s == PLANE ? CUDA_ARRAY3D_TEXTURE_GATHER : 0;
    return d;
}

static void make_resource(enum shape s, enum content c)
{
    struct resource *r = &resources[s][c];
    CUDA_ARRAY3D_DESCRIPTOR d = descriptor(s, c);
    CUDA_RESOURCE_DESC of = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY};
    const CUDA_TEXTURE_DESC t = {.maxMipmapLevelClamp = 9,
                                 .flags = CU_TRSF_NORMALIZED_COORDINATES *
                                          (s == CUBE || s == CUBES)};
    CU_OK(cuMipmappedArrayCreate(&r->levels, &d, 3));
    for (unsigned l = 0; l < 3; l++) {
        CUarray a;
        CU_OK(cuMipmappedArrayGetLevel(&a, r->levels, l));
        fill(a, s, c, SIDE >> l, 1 + 100 * l);
    }
    of.res.mipmap.hMipmappedArray = r->levels;
    CU_OK(cuTexObjectCreate(&r->texture, &of, &t, NULL));
    d.Flags &= ~(unsigned)CUDA_ARRAY3D_TEXTURE_GATHER;
    d.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
    CU_OK(cuArray3DCreate(&r->array, &d));
    of = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY};
    of.res.array.hArray = r->array;
    CU_OK(cuSurfObjectCreate(&r->surface, &of));
}

/* Errors stick to a context, so each has a new one behind it. */
static void begin(void)
{
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, 0));
    CU_OK(cuCtxSetCurrent(ctx));
    CU_OK(cuMemAlloc(&out, WORDS * 4));
    for (int s = 0; s < SHAPES; s++)
        for (int c = 0; c < CONTENTS; c++)
            make_resource((enum shape)s, (enum content)c);
}

/* ---- one form ------------------------------------------------------------ */

static enum shape shape_of(const char *text)
{
    for (int s = 0; s < SHAPES; s++) {
        const char *at = strstr(text, shape_names[s]);
        if (at && at < strchr(text, ' '))
            return (enum shape)s;
    }
    return PLANE;
}

static enum content content_of(const char *text)
{
    const char *f = strstr(text, "f16"), *n = strstr(text, "32.");
    return f && f < strchr(text, ' ')   ? HALVES
           : strstr(text, ".f32.") && n ? FLOATS
                                        : NUMBERS;
}

/* Fletcher's sum of the array's words. */
static unsigned sum_of(const struct resource *r, enum shape s, enum content c)
{
    unsigned a = 0, b = 0;
    CUDA_MEMCPY3D p = {.dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = data,
                       .dstPitch = SIDE * bytes_of(c),
                       .dstHeight = rows_of(s, SIDE),
                       .srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = r->array,
                       .WidthInBytes = SIDE * bytes_of(c),
                       .Height = rows_of(s, SIDE),
                       .Depth = slices_of(s, SIDE)};
    CU_OK(cuMemcpy3D(&p));
    size_t bytes = SIDE * bytes_of(c) * p.Height * p.Depth;
    for (size_t i = 0; i < bytes / 4; i++) {
        a += data[i];
        b += a;
    }
    return b;
}

static void run(char mode, const char *text, char *answer, size_t room)
{
    static char ptx[8192];
    enum shape s = shape_of(text);
    bool is_surface = !strncmp(text, "su", 2);
    bool is_load = strncmp(text, "sust", 4) && strncmp(text, "sured", 5);
    enum content c = is_surface ? NUMBERS : content_of(text);
    struct resource *r = &resources[s][c];
    unsigned long long handle = is_surface ? r->surface : r->texture;
    unsigned words[WORDS] = {0};
    void *args[] = {&handle, &out};
    CUmodule m;
    CUfunction f;
    const char *first = strchr(strchr(text, ' '), '%');
    int used = snprintf(ptx, sizeof ptx, head,
                        mode == 'i' ? ", texmode_independent" : "");
    if (!strncmp(text, "istypep", 7))
        first = "%r";
    snprintf(ptx + used, sizeof ptx - (size_t)used,
             "%s\n%sselp.u32 %%r30, 1, 0, %%p1;\n"
             "st.global.u32 [%%d1+16], %%r30;\nret;\n}\n",
             text, is_load ? tails[(unsigned char)first[1]] : "");
    if (is_surface)
        fill(r->array, s, c, SIDE, 1);
    CU_OK(cuMemcpyHtoD(out, words, sizeof words));
    CUresult err = cuModuleLoadData(&m, ptx);
    if (err) {
        snprintf(answer, room, "refused %d", (int)err);
        return;
    }
    CU_OK(cuModuleGetFunction(&f, m, "k"));
    CU_OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    err = cuCtxSynchronize();
    if (err) {
        snprintf(answer, room, "error %d", (int)err);
        CU_OK(cuDevicePrimaryCtxReset(0));
        CU_OK(cuDevicePrimaryCtxRelease(0));
        begin();
        return;
    }
    CU_OK(cuMemcpyDtoH(words, out, sizeof words));
    if (is_load)
        snprintf(answer, room, "%x %x %x %x %u", words[0], words[1], words[2],
                 words[3], words[4]);
    else
        snprintf(answer, room, "sum %x", sum_of(r, s, c));
    CU_OK(cuModuleUnload(m));
}

int main(int argc, char **argv)
{
    static char line[512], got[128];
    FILE *truth = argc > 3 ? fopen(argv[1], "r") : NULL;
    int each = argc > 3 ? atoi(argv[2]) : 0,
        first = argc > 3 ? atoi(argv[3]) : 0;
    CHECK(truth);
    CU_OK(cuInit(0));
    begin();
    for (int i = 0; truth && fgets(line, sizeof line, truth); i++) {
        line[strcspn(line, "\n")] = 0;
        char *text = strchr(line, '\t') + 1, *want = strchr(text, '\t');
        *want++ = 0;
        want[strcspn(want, "\t")] = 0;
        if (each && i % each != first)
            continue;
        run(line[0], text, got, sizeof got);
        if (!each) {
            printf("%c\t%s\t%s\n", line[0], text, got);
            fflush(stdout);
        } else if (strcmp(got, want)) {
            printf("%c %s: %s and not %s\n", line[0], text, got, want);
            failures++;
        }
    }
    if (truth)
        fclose(truth);
    return each ? check_result() : failures != 0;
}
