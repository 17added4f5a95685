/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether what clang wrote is PTX: it passes the text of asm statements on as
 * it is. A program that is wrong there would otherwise find out when it runs.
 * (nvcc's assembler says it at this point, too.)
 */
#include "cc.h"

#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "fatbin/fatbin.h"

/* clang writes the version that its own instructions need. asm statements may
 * want a newer one, which nvcc 12.8 would have written: that one, in place. */
static bool raise_version(char *ptx, size_t bytes)
{
    static const char written[] = ".version 8.0", newer[] = ".version 8.7";
    char *at = memmem(ptx, bytes, written, sizeof written - 1);
    if (at)
        memcpy(at, newer, sizeof newer - 1);
    return at != NULL;
}

bool cc_check_ptx(const char *name, struct fatbin_image *image)
{
    struct diag diag;
    diag_init(&diag);
    struct ptx_module *m = ptx_parse(name, image->ptx, image->bytes, &diag);
    if (!m && raise_version((char *)image->ptx, image->bytes)) {
        diag_fini(&diag);
        diag_init(&diag);
        m = ptx_parse(name, image->ptx, image->bytes, &diag);
    }
    if (diag.text)
        fputs(diag.text, stderr);
    bool is_good = m != NULL;
    if (!is_good)
        cc_error("the device code is no valid PTX: a limit is passed, or an asm "
                 "statement is wrong or not for this -arch; --keep keeps '%s'",
                 name);
    ptx_module_destroy(m);
    diag_fini(&diag);
    return is_good;
}
