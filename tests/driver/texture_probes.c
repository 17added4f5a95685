/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: driver-texture_probes TRUTH
 * Where the probes of anisotropic fetches lie and what they weigh, beside an
 * H200: an edge is read from places 1/256 texel apart, and the answer rises
 * where a probe passes the edge. A line of the truth is the grain of places in
 * 1/256 (4: levels 2 and up are read), the most anisotropy, the gradients in
 * texels, then for x and for y each step's place and height in 1/65536. A line
 * that begins with "level" has the gradients, then in 1/256 the level that a
 * texture without anisotropy reads, one with, exactly trilinear and not.
 */
#include "check.h"

#include <math.h>

enum { SIDE = 256, REACH = 14, PLACES = 2 * REACH * 256, STEPS = 17 };

static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 t, .param .u64 at, .param .u64 out)\n"
    "{ .reg .u64 %t, %a, %o, %w; .reg .u32 %i, %b; .reg .f32 %f<6>, %r<4>;\n"
    "  ld.param.u64 %t, [t]; ld.param.u64 %a, [at]; ld.param.u64 %o, [out];\n"
    "  mov.u32 %i, %tid.x; mov.u32 %b, %ctaid.x;\n"
    "  mad.lo.u32 %i, %b, 128, %i; mul.wide.u32 %w, %i, 24;\n"
    "  add.u64 %a, %a, %w; mul.wide.u32 %w, %i, 4; add.u64 %o, %o, %w;\n"
    "  ld.global.v2.f32 {%f0,%f1}, [%a]; ld.global.v2.f32 {%f2,%f3}, [%a+8];\n"
    "  ld.global.v2.f32 {%f4,%f5}, [%a+16];\n"
    "  tex.grad.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%t, {%f0,%f1}], {%f2,%f3}, "
    "{%f4,%f5};\n"
    "  st.global.f32 [%o], %r0; ret; }\n";
static CUfunction kernel;
static CUdeviceptr device_places, device_answers;

/* ---- arrays -------------------------------------------------------------- */

static CUmipmappedArray make_levels(size_t side, unsigned levels)
{
    const CUDA_ARRAY3D_DESCRIPTOR d = {.Width = side,
                                       .Height = side,
                                       .Format = CU_AD_FORMAT_FLOAT,
                                       .NumChannels = 1};
    CUmipmappedArray m;
    CU_OK(cuMipmappedArrayCreate(&m, &d, levels));
    return m;
}

static void set_level(CUmipmappedArray m, unsigned level, const float *data,
                      size_t side)
{
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = data,
                       .srcPitch = side * sizeof *data,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = side * sizeof *data,
                       .Height = side};
    CU_OK(cuMipmappedArrayGetLevel(&c.dstArray, m, level));
    CU_OK(cuMemcpy2D(&c));
}

/* ---- edges -------------------------------------------------------------- */

/* Of each level, the second half along x, or along y, is 1. */
static CUmipmappedArray make_edge(unsigned levels, bool is_along_y)
{
    static float data[SIDE * SIDE];
    CUmipmappedArray m = make_levels(SIDE, levels);
    for (unsigned l = 0; l < levels; l++) {
        unsigned side = SIDE >> l;
        for (unsigned i = 0; i < side * side; i++)
            data[i] = (is_along_y ? i / side : i % side) >= side / 2;
        set_level(m, l, data, side);
    }
    return m;
}

static CUtexObject make_texture(CUmipmappedArray m, unsigned most)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY};
    CUDA_TEXTURE_DESC d = {.flags = CU_TRSF_NORMALIZED_COORDINATES,
                           .maxAnisotropy = most,
                           .maxMipmapLevelClamp = 99,
                           .mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR};
    CUtexObject t = 0;
    for (int i = 0; i < 3; i++)
        d.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    r.res.mipmap.hMipmappedArray = m;
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL));
    return t;
}

/* ---- steps -------------------------------------------------------------- */

struct line {
    int grain;
    unsigned most;
    float gradient[4];
};

struct step {
    int place, height;
};

/* The answers' steps as places go over the edge. */
static int find_steps(const struct line *l, CUmipmappedArray m, int axis,
                      struct step out[STEPS])
{
    static float places[PLACES][6], answers[PLACES];
    CUtexObject t = make_texture(m, l->most);
    void *args[] = {&t, &device_places, &device_answers};
    int count = 0;
    for (int i = 0; i < PLACES; i++) {
        float off = ((float)(i - PLACES / 2) + 0.5f) * (float)l->grain / 256;
        places[i][axis] = (SIDE / 2 + off) / SIDE;
        places[i][!axis] = 0.5f + 0.5f / SIDE;
        for (int k = 0; k < 4; k++)
            places[i][2 + k] = l->gradient[k] / SIDE;
    }
    CU_OK(cuMemcpyHtoD(device_places, places, sizeof places));
    CU_OK(cuLaunchKernel(kernel, PLACES / 128, 1, 1, 128, 1, 1, 0, NULL, args,
                         NULL));
    CU_OK(cuMemcpyDtoH(answers, device_answers, sizeof answers));
    for (int i = 1; i < PLACES && count < STEPS; i++)
        if (answers[i] != answers[i - 1])
            out[count++] = (struct step){
                (i - PLACES / 2) * l->grain,
                (int)rintf((answers[i] - answers[i - 1]) * 65536)};
    CU_OK(cuTexObjectDestroy(t));
    return count;
}

static int read_steps(char **at, struct step out[STEPS])
{
    int count = 0, n = 0;
    while (count < STEPS && sscanf(*at, " %d:%d%n", &out[count].place,
                                   &out[count].height, &n) == 2) {
        *at += n;
        count++;
    }
    return count;
}

static void check_steps(const struct line *l, const struct step *got, int count,
                        const struct step *want, int want_count)
{
    bool is_same =
        count == want_count && !memcmp(got, want, (size_t)count * sizeof *got);
    CHECK(is_same);
    if (is_same)
        return;
    printf("most %u, gradients %g, %g and %g, %g:\n", l->most, l->gradient[0],
           l->gradient[1], l->gradient[2], l->gradient[3]);
    for (int i = 0; i < count; i++)
        printf(" %d:%d", got[i].place, got[i].height);
    printf("\nand not\n");
    for (int i = 0; i < want_count; i++)
        printf(" %d:%d", want[i].place, want[i].height);
    printf("\n");
}

/* A line without its number of steps is none; some have none along y. */
static bool check_line(char *at, CUmipmappedArray edges[2][2])
{
    struct line l;
    int n = 0;
    if (sscanf(at, "%d %u %f %f %f %f%n", &l.grain, &l.most, &l.gradient[0],
               &l.gradient[1], &l.gradient[2], &l.gradient[3], &n) != 6)
        return false;
    at += n;
    for (int axis = 0; axis < 2; axis++) {
        struct step got[STEPS], want[STEPS];
        at = strchr(at, axis ? 'y' : 'x');
        if (!at)
            return axis > 0;
        at++;
        int want_count = read_steps(&at, want);
        int count = find_steps(&l, edges[l.grain > 1][axis], axis, got);
        check_steps(&l, got, count, want, want_count);
    }
    return true;
}

/* ---- levels -------------------------------------------------------------- */

enum { NUMBERED_SIDE = 2048, NUMBERED_LEVELS = 12, KINDS = 3 };

/* Each texel is its level's number. */
static CUmipmappedArray make_numbered(void)
{
    static float data[NUMBERED_SIDE * NUMBERED_SIDE];
    CUmipmappedArray m = make_levels(NUMBERED_SIDE, NUMBERED_LEVELS);
    for (unsigned l = 0; l < NUMBERED_LEVELS; l++) {
        size_t side = NUMBERED_SIDE >> l;
        for (size_t i = 0; i < side * side; i++)
            data[i] = (float)l;
        set_level(m, l, data, side);
    }
    return m;
}

static CUtexObject make_leveled(CUmipmappedArray m, int kind)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY};
    CUDA_TEXTURE_DESC d = {
        .flags = CU_TRSF_NORMALIZED_COORDINATES |
                 (kind < 2 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0),
        .filterMode = CU_TR_FILTER_MODE_LINEAR,
        .maxAnisotropy = kind ? 16 : 1,
        .maxMipmapLevelClamp = 99,
        .mipmapFilterMode = CU_TR_FILTER_MODE_LINEAR};
    CUtexObject t = 0;
    r.res.mipmap.hMipmappedArray = m;
    CU_OK(cuTexObjectCreate(&t, &r, &d, NULL));
    return t;
}

/* The levels of all pairs of gradients that the texture reads. */
static void find_levels(CUtexObject t, float (*places)[6], int count,
                        float *out)
{
    void *args[] = {&t, &device_places, &device_answers};
    CU_OK(cuMemcpyHtoD(device_places, places, PLACES * sizeof *places));
    CU_OK(cuLaunchKernel(kernel, PLACES / 128, 1, 1, 128, 1, 1, 0, NULL, args,
                         NULL));
    CU_OK(cuMemcpyDtoH(out, device_answers, (size_t)count * 4));
}

static void check_levels(FILE *truth)
{
    static float places[PLACES][6], answers[KINDS][PLACES];
    static int want[PLACES][KINDS];
    char line[256];
    int count = 0;
    CUmipmappedArray m = make_numbered();
    while (count < PLACES && fgets(line, sizeof line, truth)) {
        float *p = places[count];
        int *w = want[count];
        if (sscanf(line, "level %f %f %f %f %d %d %d", &p[2], &p[3], &p[4],
                   &p[5], &w[0], &w[1], &w[2]) != 7)
            continue;
        p[0] = p[1] = 0.5f;
        for (int k = 2; k < 6; k++)
            p[k] /= NUMBERED_SIDE;
        count++;
    }
    CHECK(count > 300);
    for (int kind = 0; kind < KINDS; kind++) {
        CUtexObject t = make_leveled(m, kind);
        find_levels(t, places, count, answers[kind]);
        CU_OK(cuTexObjectDestroy(t));
    }
    for (int i = 0; i < count; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            bool is_same = answers[kind][i] * 256 == (float)want[i][kind];
            if (!is_same)
                printf(
                    "gradients %g, %g and %g, %g, kind %d: level %g/256, "
                    "not %d\n",
                    places[i][2] * NUMBERED_SIDE, places[i][3] * NUMBERED_SIDE,
                    places[i][4] * NUMBERED_SIDE, places[i][5] * NUMBERED_SIDE,
                    kind, answers[kind][i] * 256, want[i][kind]);
            CHECK(is_same);
        }
    CU_OK(cuMipmappedArrayDestroy(m));
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext ctx;
    CUmodule m;
    char line[2048];
    int lines = 0;
    FILE *truth = argc > 1 ? fopen(argv[1], "r") : NULL;
    CHECK(truth);
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuCtxCreate(&ctx, 0, device));
    CU_OK(cuModuleLoadData(&m, text));
    CU_OK(cuModuleGetFunction(&kernel, m, "k"));
    CU_OK(cuMemAlloc(&device_places, PLACES * 24));
    CU_OK(cuMemAlloc(&device_answers, PLACES * 4));
    CUmipmappedArray edges[2][2] = {{make_edge(1, false), make_edge(1, true)},
                                    {make_edge(9, false), make_edge(9, true)}};
    while (truth && fgets(line, sizeof line, truth)) {
        if (!strncmp(line, "level", 5))
            continue;
        CHECK(check_line(line, edges));
        lines++;
    }
    CHECK(lines == 382);
    if (truth) {
        rewind(truth);
        check_levels(truth);
        fclose(truth);
    }
    CU_OK(cuCtxDestroy(ctx));
    return check_result();
}
