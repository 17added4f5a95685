/* SPDX-License-Identifier: Apache-2.0 */
/* bin2c: a file as an array in C. */
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT, CONST, LENGTH, NAME, PADDING, SECTION, STATIC, STDINT, TYPE };

static const struct kit_option options[] = {
    [ALIGNMENT] = {"alignment", "a", "BYTES", "of the array", KIT_TAKE},
    [CONST] = {"const", "c", NULL, "the array is constant", KIT_TAKE},
    [LENGTH] = {"length", "l", NULL, "a variable with its length", KIT_TAKE},
    [NAME] = {"name", "n", "NAME", "of the array (imageBytes)", KIT_TAKE},
    [PADDING] = {"padd", "p", "BYTE,...", "bytes behind the file's", KIT_TAKE},
    [SECTION] = {"section", "s", "NAME", "where the array lies", KIT_TAKE},
    [STATIC] = {"static", "st", NULL, "the array is static", KIT_TAKE},
    [STDINT] = {"stdint", "stdint", NULL, "uint64_t for longlong", KIT_TAKE},
    [TYPE] = {"type", "t", "char|short|int|longlong", "of the elements (char)",
              KIT_TAKE},
};

struct element {
    const char *name, *type;
    size_t size_bytes, a_line; /* so many in a line */
};
static const struct element elements[] = {
    {"char", "unsigned char", 1, 16},
    {"short", "unsigned short", 2, 12},
    {"int", "unsigned int", 4, 8},
    {"longlong", "unsigned long long", 8, 4},
};

static const struct element *find_element(const char *name)
{
    for (size_t i = 0; i < ARRAY_COUNT(elements); i++)
        if (!strcmp(elements[i].name, name))
            return &elements[i];
    return NULL;
}

/* Appends the padding, then zeros up to a whole element of `unit` bytes.
 * Returns the bytes, moved; NULL: no memory, and `bytes` is freed. */
static char *pad_bytes(char *bytes, size_t *size, const char *padding,
                       size_t unit)
{
    size_t room = padding ? strlen(padding) / 2 + 1 : 0;
    char *grown = realloc(bytes, *size + room + unit);
    if (!grown) {
        free(bytes);
        return NULL;
    }
    for (const char *p = padding; p && *p;) {
        char *end;
        grown[(*size)++] = (char)strtoul(p, &end, 0);
        p = *end == ',' ? end + 1 : "";
    }
    while (*size % unit)
        grown[(*size)++] = 0;
    return grown;
}

static void print_head(const struct kit_args *args, const struct element *e)
{
    const char *alignment = kit_value(args, ALIGNMENT);
    const char *section = kit_value(args, SECTION);
    const char *name = kit_value(args, NAME);
    bool is_stdint = e->size_bytes == 8 && kit_value(args, STDINT);
    printf("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    if (is_stdint)
        printf("#include <stdint.h>\n\n");
    if (alignment)
        printf("__attribute__((aligned(%s))) ", alignment);
    if (section)
        printf("__attribute__((section(\"%s\"))) ", section);
    printf("%s%s%s %s[] = {\n", kit_value(args, STATIC) ? "static " : "",
           kit_value(args, CONST) ? "const " : "",
           is_stdint ? "uint64_t" : e->type, name ? name : "imageBytes");
}

static void print_elements(const char *bytes, size_t size,
                           const struct element *e)
{
    size_t count = size / e->size_bytes;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 0;
        bool is_last = i == count - 1;
        memcpy(&value, bytes + i * e->size_bytes, e->size_bytes);
        printf("0x%0*llx%s%s%s", (int)e->size_bytes * 2,
               (unsigned long long)value, e->size_bytes == 8 ? "ULL" : "",
               is_last ? "" : ",",
               is_last || i % e->a_line == e->a_line - 1 ? "\n" : "");
    }
}

static int run_bin2c(const struct kit_args *args)
{
    size_t size;
    const char *type = kit_value(args, TYPE), *name = kit_value(args, NAME);
    const struct element *e = find_element(type ? type : "char");
    if (!e)
        return 1;
    if (args->files.count != 1) {
        kit_error("expected one file, not %zu", args->files.count);
        return 1;
    }
    char *bytes = kit_read(args->files.data[0], &size);
    if (bytes)
        bytes =
            pad_bytes(bytes, &size, kit_value(args, PADDING), e->size_bytes);
    if (!bytes)
        return 1;
    print_head(args, e);
    print_elements(bytes, size, e);
    printf("};\n");
    if (kit_value(args, LENGTH))
        printf("\nuint32_t %sLength = %zu;\n", name ? name : "imageBytes",
               size / e->size_bytes);
    printf("\n#ifdef __cplusplus\n}\n#endif\n\n");
    free(bytes);
    return 0;
}

const struct kit_tool kit_bin2c = {
    .name = "bin2c",
    .arguments = "FILE",
    .summary = "prints a file as an array in C",
    .details = "",
    .options = options,
    .option_count = ARRAY_COUNT(options),
    .fatal_status = 1,
    .helps_alone = true,
    .run = run_bin2c,
};
