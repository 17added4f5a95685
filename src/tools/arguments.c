/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments as text: `u32:5`, `f32:-1.5`, `buf:f32:1024:iota`, `out:u32:64`.
 * Types have PTX's names.
 */
#include "tools/arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tools/tools.h"

static enum ptx_type find_type(const char *name, size_t length)
{
    for (enum ptx_type t = PTX_TYPE_none + 1; t < PTX_TYPE_COUNT; t++) {
        const char *candidate = ptx_type_name(t);
        if (strlen(candidate) != length || memcmp(candidate, name, length))
            continue;
        /* Types whose values are written as numbers. */
        bool is_number = ptx_type_kind(t) == PTX_KIND_bits ||
                         ptx_type_kind(t) == PTX_KIND_unsigned ||
                         ptx_type_kind(t) == PTX_KIND_signed ||
                         t == PTX_TYPE_f32 || t == PTX_TYPE_f64;
        return is_number && ptx_type_size(t) <= 8 ? t : PTX_TYPE_none;
    }
    return PTX_TYPE_none;
}

/* ---- elements ----------------------------------------------------------- */

static void put_integer(uint8_t *to, enum ptx_type t, uint64_t value)
{
    if (t == PTX_TYPE_f32) {
        float f = (float)value;
        memcpy(to, &f, sizeof f);
    } else if (t == PTX_TYPE_f64) {
        double d = (double)value;
        memcpy(to, &d, sizeof d);
    } else {
        memcpy(to, &value, ptx_type_size(t)); /* little-endian */
    }
}

/* One number at *at, which moves behind it. */
static bool put_number(uint8_t *to, enum ptx_type t, const char **at)
{
    char *end;
    errno = 0;
    if (t == PTX_TYPE_f32) {
        float f = strtof(*at, &end);
        memcpy(to, &f, sizeof f);
    } else if (t == PTX_TYPE_f64) {
        double d = strtod(*at, &end);
        memcpy(to, &d, sizeof d);
    } else {
        uint64_t u = **at == '-' ? (uint64_t)strtoll(*at, &end, 0)
                                 : strtoull(*at, &end, 0);
        if (errno == ERANGE)
            return false;
        memcpy(to, &u, ptx_type_size(t));
    }
    bool ok = end != *at;
    *at = end;
    return ok;
}

/* Uniform in [0, 1) for floats, all bits for integers. */
static void put_random(uint8_t *to, enum ptx_type t, size_t i)
{
    uint64_t bits = hash_bytes(&i, sizeof i, 1);
    double unit = (double)(bits >> 40) / (1 << 24);
    if (t == PTX_TYPE_f32) {
        float f = (float)unit;
        memcpy(to, &f, sizeof f);
    } else if (t == PTX_TYPE_f64) {
        memcpy(to, &unit, sizeof unit);
    } else {
        memcpy(to, &bits, ptx_type_size(t));
    }
}

static bool fill_numbers(struct argument *a, const char *fill)
{
    size_t element = ptx_type_size(a->type);
    size_t i = 0;
    do {
        if (i == a->count || !put_number(a->data + i * element, a->type, &fill))
            return false;
        i++;
    } while (*fill++ == ',');
    if (fill[-1])
        return false;
    for (size_t k = 1; i == 1 && k < a->count; k++) /* one for all */
        memcpy(a->data + k * element, a->data, element);
    return true;
}

static bool fill_buffer(struct argument *a, const char *fill)
{
    size_t element = ptx_type_size(a->type);
    if (!*fill || !strcmp(fill, "zero"))
        return true;
    bool is_iota = !strcmp(fill, "iota");
    if (!is_iota && strcmp(fill, "random"))
        return fill_numbers(a, fill);
    for (size_t i = 0; i < a->count; i++) {
        if (is_iota)
            put_integer(a->data + i * element, a->type, i);
        else
            put_random(a->data + i * element, a->type, i);
    }
    return true;
}

/* ---- parsing ------------------------------------------------------------ */

static bool refuse_argument(const char *text, const char *why)
{
    tool_error("argument %s: %s; see weft run --help", text, why);
    return false;
}

/* Allocates as device memory is: aligned, zeroed, and in huge pages if it is
 * large. */
static bool allocate_argument(struct argument *a)
{
    const size_t huge = (size_t)2 << 20;
    size_t align = a->size_bytes < huge ? 256 : huge;
    size_t rounded = (a->size_bytes + align - 1) & ~(align - 1);
    a->data = aligned_alloc(align, rounded);
    if (!a->data)
        return refuse_argument(a->text, "out of memory");
    if (align == huge)
        madvise(a->data, rounded, MADV_HUGEPAGE); /* small ones do, too */
    memset(a->data, 0, rounded);
    return true;
}

/* After "buf:" or "out:". */
static bool parse_buffer(const char *at, struct argument *a)
{
    size_t length = strcspn(at, ":");
    a->type = find_type(at, length);
    if (!a->type)
        return refuse_argument(a->text, "unknown type");
    at += length;
    char *end = (char *)at;
    if (*at)
        a->count = strtoull(at + 1, &end, 0);
    if (!a->count || (*end && *end != ':') ||
        a->count > ((size_t)1 << 40) / ptx_type_size(a->type))
        return refuse_argument(a->text, "expected a count after the type");
    a->size_bytes = a->count * ptx_type_size(a->type);
    return allocate_argument(a) &&
           (fill_buffer(a, *end ? end + 1 : "") ||
            refuse_argument(a->text, "cannot be filled like this"));
}

static bool parse_scalar(const char *at, struct argument *a)
{
    size_t length = strcspn(at, ":");
    a->type = find_type(at, length);
    a->count = 1;
    if (!a->type)
        return refuse_argument(a->text, "unknown type");
    a->size_bytes = ptx_type_size(a->type);
    at += length;
    if (!*at++)
        return refuse_argument(a->text, "expected a value after the type");
    if (!allocate_argument(a))
        return false;
    return (put_number(a->data, a->type, &at) && !*at) ||
           refuse_argument(a->text, "is no number of that type");
}

bool argument_parse(const char *text, struct argument *out)
{
    *out = (struct argument){.text = text};
    out->is_printed = starts_with(text, "out:");
    out->is_buffer = out->is_printed || starts_with(text, "buf:");
    bool ok =
        out->is_buffer ? parse_buffer(text + 4, out) : parse_scalar(text, out);
    if (!ok)
        argument_fini(out);
    return ok;
}

void argument_fini(struct argument *a)
{
    free(a->data);
    a->data = NULL;
}

/* ---- printing ----------------------------------------------------------- */

static void print_element(const uint8_t *from, enum ptx_type t)
{
    unsigned size = ptx_type_size(t);
    if (t == PTX_TYPE_f32) {
        float f;
        memcpy(&f, from, sizeof f);
        printf(" %.9g", (double)f);
    } else if (t == PTX_TYPE_f64) {
        double d;
        memcpy(&d, from, sizeof d);
        printf(" %.17g", d);
    } else {
        uint64_t u = 0;
        memcpy(&u, from, size);
        if (ptx_type_kind(t) == PTX_KIND_bits)
            printf(" 0x%0*" PRIx64, (int)size * 2, u);
        else if (ptx_type_kind(t) == PTX_KIND_unsigned)
            printf(" %" PRIu64, u);
        else
            printf(" %" PRId64,
                   (int64_t)(u << (64 - 8 * size)) >> (64 - 8 * size));
    }
}

void argument_print(const struct argument *a, unsigned index)
{
    enum { PER_LINE = 8 };
    printf("argument %u, %s[%zu]\n", index, ptx_type_name(a->type), a->count);
    for (size_t i = 0; i < a->count; i += PER_LINE) {
        printf("%zu:", i);
        for (size_t j = i; j < i + PER_LINE && j < a->count; j++)
            print_element(a->data + j * ptx_type_size(a->type), a->type);
        putchar('\n');
    }
}
