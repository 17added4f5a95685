/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cuLinkAddData answers to good and to damaged input, for each kind that
 * the input may be called. Statuses are an H200's, but for: PTX as a cubin,
 * which is what cuLinkComplete makes here; archives without device code, which
 * are taken; damaged fat binaries, which an H200 takes for empty ones; and a
 * few things for which it says UNKNOWN in place of INVALID_IMAGE, or crashes. A
 * number as an argument prints the answers from that row on.
 */
#include "check.h"

#include <ar.h>
#include <elf.h>

#include "fatbin/format.h"

#define PTX ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry "
static const char good_ptx[] = PTX "k() { ret; }\n";
static const char broken_ptx[] = PTX "k() { bogus.u32 %r1; }\n";

/* ---- the inputs, each made into a buffer: their length is returned ------ */

enum { ROOM = 1024 };

static size_t put_text(char *out)
{
    return strlen(strcpy(out, "no PTX")) + 1;
}

static size_t put_zeros(char *out)
{
    memset(out, 0, 64);
    return 64;
}

/* No byte is a NUL, the first is of no magic number. */
static size_t put_noise(char *out)
{
    unsigned state = 12345;
    for (size_t i = 0; i < 256; i++) {
        state = state * 1664525 + 1013904223;
        out[i] = (char)(state >> 24 | 1);
    }
    out[0] = 'x';
    return 256;
}

static size_t put_ptx(char *out)
{
    return strlen(strcpy(out, good_ptx)) + 1;
}

static size_t put_broken_ptx(char *out)
{
    return strlen(strcpy(out, broken_ptx)) + 1;
}

static size_t put_elf(char *out, unsigned machine, size_t sections_at)
{
    Elf64_Ehdr h = {.e_type = ET_REL,
                    .e_machine = (Elf64_Half)machine,
                    .e_version = EV_CURRENT,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shoff = sections_at,
                    .e_shnum = sections_at ? 9 : 0};
    memcpy(h.e_ident, ELFMAG, SELFMAG);
    h.e_ident[EI_CLASS] = ELFCLASS64;
    h.e_ident[EI_DATA] = ELFDATA2LSB;
    h.e_ident[EI_VERSION] = EV_CURRENT;
    memcpy(out, &h, sizeof h);
    return sizeof h;
}

static size_t put_elf_noise(char *out)
{
    size_t n = put_noise(out);
    memcpy(out, ELFMAG, SELFMAG);
    return n;
}

static size_t put_host_elf(char *out)
{
    return put_elf(out, EM_X86_64, 0);
}

static size_t put_cut_host_elf(char *out)
{
    return put_elf(out, EM_X86_64, 4096);
}

static size_t put_cut_cubin(char *out)
{
    return put_elf(out, EM_CUDA, 4096);
}

static size_t put_empty_archive(char *out)
{
    memcpy(out, ARMAG, SARMAG);
    return SARMAG;
}

static size_t put_archive_noise(char *out)
{
    size_t n = put_noise(out);
    memcpy(out, ARMAG, SARMAG);
    return n;
}

/* One member of `size`, as the archive says. */
static size_t put_archive(char *out, size_t size)
{
    struct ar_hdr h;
    char text[sizeof h + 1];
    snprintf(text, sizeof text, "%-16s%-12d%-6d%-6d%-8s%-10zu" ARFMAG,
             "host.o/", 0, 0, 0, "100644", size);
    memcpy(out, ARMAG, SARMAG);
    memcpy(out + SARMAG, text, sizeof h);
    return SARMAG + sizeof h + put_host_elf(out + SARMAG + sizeof h);
}

static size_t put_host_archive(char *out)
{
    return put_archive(out, sizeof(Elf64_Ehdr));
}

static size_t put_cut_archive(char *out)
{
    return put_archive(out, 4096);
}

/* A fat binary: its header says `content` bytes. */
static size_t put_container(char *out, size_t content)
{
    struct fatbin_header h = {FATBIN_MAGIC, FATBIN_VERSION, sizeof h, content};
    memcpy(out, &h, sizeof h);
    return sizeof h;
}

static size_t put_empty_container(char *out)
{
    return put_container(out, 0);
}

static size_t put_container_noise(char *out)
{
    size_t at = put_container(out, 256);
    return at + put_noise(out + at);
}

static size_t put_cut_container(char *out)
{
    size_t at = put_container(out, 4096);
    return at + put_noise(out + at);
}

static size_t put_image(char *out, const char *ptx)
{
    struct fatbin_image_header h = {
        .kind = 1,
        .version = FATBIN_IMAGE_VERSION,
        .header_bytes = sizeof h,
        .content_bytes = (strlen(ptx) + FATBIN_ALIGNMENT) & -FATBIN_ALIGNMENT,
        .major = 8,
        .sm = 80,
        .name_offset = sizeof h,
        .flags = FATBIN_64_BIT | FATBIN_LINUX};
    size_t at = put_container(out, sizeof h + h.content_bytes);
    memcpy(out + at, &h, sizeof h);
    memset(out + at + sizeof h, 0, h.content_bytes);
    memcpy(out + at + sizeof h, ptx, strlen(ptx));
    return at + sizeof h + h.content_bytes;
}

static size_t put_good_container(char *out)
{
    return put_image(out, good_ptx);
}

static size_t put_broken_container(char *out)
{
    return put_image(out, broken_ptx);
}

/* ---- what is answered --------------------------------------------------- */

static const struct {
    CUjitInputType type;
    const char *name;
} kinds[] = {
    {CU_JIT_INPUT_CUBIN, "cubin"},         {CU_JIT_INPUT_PTX, "ptx"},
    {CU_JIT_INPUT_FATBINARY, "fatbinary"}, {CU_JIT_INPUT_OBJECT, "object"},
    {CU_JIT_INPUT_LIBRARY, "library"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
    const char *name;
    size_t (*put)(char *out);
    int expected[KINDS];
} inputs[] = {
    {"text", put_text, {200, 200, 200, 999, 999}},
    {"zeros", put_zeros, {200, 200, 200, 999, 999}},
    {"noise", put_noise, {200, 200, 200, 999, 999}},
    {"ptx", put_ptx, {0, 0, 0, 999, 999}},
    {"broken-ptx", put_broken_ptx, {218, 218, 218, 999, 999}},
    {"elf-noise", put_elf_noise, {200, 200, 200, 200, 999}},
    {"host-elf", put_host_elf, {200, 200, 200, 200, 999}},
    {"cut-host-elf", put_cut_host_elf, {200, 200, 200, 200, 999}},
    {"cut-cubin", put_cut_cubin, {200, 200, 200, 200, 999}},
    {"empty-archive", put_empty_archive, {200, 200, 200, 999, 0}},
    {"archive-noise", put_archive_noise, {200, 200, 200, 999, 200}},
    {"host-archive", put_host_archive, {200, 200, 200, 999, 0}},
    {"cut-archive", put_cut_archive, {200, 200, 200, 999, 200}},
    {"empty-container", put_empty_container, {200, 200, 200, 999, 999}},
    {"container-noise", put_container_noise, {200, 200, 200, 999, 999}},
    {"cut-container", put_cut_container, {200, 200, 200, 999, 999}},
    {"container", put_good_container, {0, 0, 0, 999, 999}},
    {"broken-container", put_broken_container, {218, 218, 218, 999, 999}},
};

static CUresult add(CUjitInputType type, size_t (*put)(char *), char *log,
                    size_t room, CUresult *complete)
{
    char data[ROOM];
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)room};
    void *image;
    CUlinkState link;
    size_t size = put(data);
    log[0] = 0;
    CU_OK(cuLinkCreate(2, options, values, &link));
    CUresult err =
        cuLinkAddData(link, type, data, size, "input", 0, NULL, NULL);
    *complete = cuLinkComplete(link, &image, &size);
    CU_OK(cuLinkDestroy(link));
    return err;
}

static void check(size_t i, size_t k, bool show)
{
    char log[4096];
    CUresult complete;
    int got =
        (int)add(kinds[k].type, inputs[i].put, log, sizeof log, &complete);
    if (show) {
        printf("%s as %s: %d, complete %d, log: %s\n", inputs[i].name,
               kinds[k].name, got, (int)complete, log);
        fflush(stdout);
        return;
    }
    if (got != inputs[i].expected[k]) {
        printf("%s as %s: %d, expected %d\n", inputs[i].name, kinds[k].name,
               got, inputs[i].expected[k]);
        failures++;
    }
    if (got && !log[0]) {
        printf("%s as %s: %d without a log\n", inputs[i].name, kinds[k].name,
               got);
        failures++;
    }
}

/* What is no link, or one no more. */
static void check_handles(void)
{
    static char zeros[512];
    CUlinkState gone, none[] = {NULL, NULL, (CUlinkState)(void *)zeros};
    void *image;
    size_t size;
    CU_OK(cuLinkCreate(0, NULL, NULL, &gone));
    CU_OK(cuLinkDestroy(gone));
    none[1] = gone;
    for (int i = 0; i < 3; i++) {
        CU_GIVES(INVALID_HANDLE,
                 cuLinkAddData(none[i], CU_JIT_INPUT_PTX, zeros, 1, "zeros", 0,
                               NULL, NULL));
        CU_GIVES(INVALID_HANDLE, cuLinkAddFile(none[i], CU_JIT_INPUT_PTX,
                                               "/dev/null", 0, NULL, NULL));
        CU_GIVES(INVALID_HANDLE, cuLinkComplete(none[i], &image, &size));
        CU_GIVES(INVALID_HANDLE, cuLinkDestroy(none[i]));
    }
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext ctx;
    bool show = argc > 1;
    size_t first = show ? (size_t)atoi(argv[1]) : 0;
    CU_OK(cuInit(0));
    CU_OK(cuDeviceGet(&device, 0));
    CU_OK(cuDevicePrimaryCtxRetain(&ctx, device));
    CU_OK(cuCtxSetCurrent(ctx));
    for (size_t i = first; i < sizeof inputs / sizeof *inputs; i++)
        for (size_t k = 0; k < KINDS; k++)
            check(i, k, show);
    if (!show)
        check_handles();
    CU_OK(cuDevicePrimaryCtxRelease(device));
    return check_result();
}
