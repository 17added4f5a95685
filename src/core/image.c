/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a module is loaded from, PTX text or a fat binary with PTX in it, and
 * whether it is for this device. If not, the message says what the image has
 * instead, and which compiler option helps.
 */
#include "core/internal.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/environment.h"
#include "base/file.h"
#include "fatbin/fatbin.h"

/* Text of a newer minor version is tried: most of it has nothing new, and the
 * parser refuses by name what it does not know. */
#define PTX_VERSION_MAX 99

/* The option that makes PTX which runs here. */
#define HELPFUL_OPTION "-gencode arch=compute_%d,code=compute_%d"

/* ---- files --------------------------------------------------------------- */

CUresult module_read_file(const char *path, char **out, size_t *size_bytes)
{
    size_t size = 0;
    FILE *f = fopen(path, "rb");
    char *image = f ? file_read(f, &size) : NULL;
    /* An H200 takes a folder for a file of a size that no memory has. */
    CUresult err = image ? CUDA_SUCCESS
                   : errno == ENOMEM || errno == EISDIR
                       ? CUDA_ERROR_OUT_OF_MEMORY
                       : CUDA_ERROR_FILE_NOT_FOUND;
    if (f)
        fclose(f);
    if (!err && !fatbin_fits(image, size))
        err = CUDA_ERROR_INVALID_IMAGE;
    if (err) {
        free(image);
        return err;
    }
    *out = image;
    *size_bytes = size;
    return CUDA_SUCCESS;
}

/* ---- PTX text ------------------------------------------------------------ */

static const char *skip_blank_and_comments(const char *p, const char *end)
{
    for (;;) {
        while (p < end && isspace((unsigned char)*p))
            p++;
        if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                p++;
        } else if (end - p >= 2 && p[0] == '/' && p[1] == '*') {
            p += 2;
            while (end - p >= 2 && !(p[0] == '*' && p[1] == '/'))
                p++;
            p = end - p >= 2 ? p + 2 : end;
        } else {
            return p;
        }
    }
}

static unsigned read_number(const char **p, const char *end)
{
    unsigned n = 0;
    assert(*p <= end);
    for (; *p < end && isdigit((unsigned char)**p) && n < 1000; (*p)++)
        n = n * 10 + (unsigned)(**p - '0');
    return n;
}

/* The version of a PTX text, as 83 for 8.3; 0: it is no PTX. */
static unsigned text_version(const char *text, size_t length)
{
    static const char directive[] = ".version";
    const size_t n = sizeof directive - 1;
    const char *end = text + length;
    const char *p = skip_blank_and_comments(text, end);
    assert(p >= text && p <= end);
    if ((size_t)(end - p) < n || memcmp(p, directive, n) != 0)
        return 0;
    p += n;
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    unsigned major = read_number(&p, end);
    if (p < end && *p == '.')
        p++;
    unsigned minor = read_number(&p, end);
    return major ? major * 10 + (minor < 9 ? minor : 9) : 1;
}

static CUresult check_version(const struct image_text *t, struct diag *log)
{
    unsigned version = text_version(t->text, t->length);
    if (version == 0) {
        diag_error(log, "the image is no PTX: it does not start with .version");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (version <= PTX_VERSION_MAX)
        return CUDA_SUCCESS;
    diag_error(log, "PTX version %u.%u is newer than %u, the newest known",
               version / 10, version % 10, PTX_VERSION_MAX / 10);
    return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

/* True: PTX for newer devices is tried. Wheels have it beside machine code for
 * all others. A GPU refuses it, so this has to be asked for. */
static bool takes_newer(void)
{
    const char *text = getenv(ENVIRONMENT_NEWER_PTX);
    return text && *text && *text != '0';
}

/* Targets such as sm_90a and sm_100f have features that newer devices may
 * lack; whether we have those of a newer target is seen at each instruction. */
CUresult image_check_target(const struct ptx_module *m, struct diag *log)
{
    const char *digits = strstr(m->target, "sm_");
    char suffix = 0;
    if (digits)
        suffix = digits[3 + strspn(digits + 3, "0123456789")];
    bool runs = m->sm > DEVICE_SM ? takes_newer()
                : suffix == 'a'   ? m->sm == DEVICE_SM
                : suffix == 'f'   ? m->sm / 10 == DEVICE_SM / 10
                                  : true;
    if (runs)
        return CUDA_SUCCESS;
    diag_error(log,
               "PTX for %s does not run on this device, which is sm_%d; "
               "compile with " HELPFUL_OPTION,
               m->target, DEVICE_SM, DEVICE_SM, DEVICE_SM);
    return CUDA_ERROR_INVALID_PTX;
}

/* ---- images ------------------------------------------------------------- */

static CUresult open_fatbin(const void *image, struct diag *log,
                            struct image_text *out)
{
    struct fatbin_entry entry;
    char *seen = NULL;
    bool found = fatbin_select(image, DEVICE_SM, &entry, &seen);
    if (!found && takes_newer()) {
        free(seen);
        found = fatbin_select(image, FATBIN_ANY_DEVICE, &entry, &seen);
    }
    if (found) {
        *out = (struct image_text){entry.ptx, entry.ptx_bytes, entry.owned};
        return CUDA_SUCCESS;
    }
    diag_error(log,
               "no PTX for sm_%d or older in the fat binary: it has %s; "
               "compile with " HELPFUL_OPTION,
               DEVICE_SM, seen ? seen : "nothing", DEVICE_SM, DEVICE_SM);
    free(seen);
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult open_text(const char *image, struct diag *log,
                          struct image_text *out)
{
    size_t length;
    if (!memory_find_end(image, &length)) {
        diag_error(log, "the image is a text without a NUL at its end");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *out = (struct image_text){image, length, NULL};
    return CUDA_SUCCESS;
}

/* Is it an ELF file for a GPU? Other ELF files are no images. */
static bool is_machine_code(const void *image)
{
    static const char magic[] = "\x7f"
                                "ELF";
    Elf64_Ehdr header;
    if (!starts_with(image, magic) ||
        !memory_is_readable(image, sizeof header))
        return false;
    memcpy(&header, image, sizeof header);
    return header.e_machine == EM_CUDA;
}

CUresult image_open(const void *image, struct diag *log, struct image_text *out)
{
    *out = (struct image_text){0};
    if (!memory_is_readable(image, 1)) {
        diag_error(log, "the image is at no address that can be read");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    if (is_machine_code(image)) {
        diag_error(log,
                   "the image is machine code of a GPU (cubin), and PTX is "
                   "needed; compile with " HELPFUL_OPTION,
                   DEVICE_SM, DEVICE_SM);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    CUresult err = CUDA_SUCCESS;
    if (fatbin_is_here(image))
        err = open_fatbin(image, log, out);
    else
        err = open_text(image, log, out);
    if (!err)
        err = check_version(out, log);
    if (err)
        image_close(out);
    return err;
}

void image_close(struct image_text *t)
{
    assert(t);
    free(t->owned);
    *t = (struct image_text){0};
}
