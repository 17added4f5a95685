/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of floating point to integers of 8 and 16 bits.
 *
 * C++ leaves (unsigned char)300.f undefined. nvcc converts to 32 bits, where
 * the hardware clamps, and takes the low ones: 44. clang's IR has an operation
 * whose result is poison beyond 8 bits, and what is optimised relies on it. So
 * the operation is replaced before anything is optimised: where the PTX of a
 * file shows such conversions, clang writes its IR as it comes from the source,
 * the conversions in it become wide ones, and clang goes on from there.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>

/* Is "cvt.rzi.u16.f32 ..." at p, of a type of less than 32 bits? */
static bool is_narrow(const char *p)
{
    static const char rounding[] = "cvt.rzi.";
    if (!starts_with(p, rounding))
        return false;
    p += sizeof rounding - 1;
    if (*p != 's' && *p != 'u')
        return false;
    char *end;
    unsigned long bits = strtoul(p + 1, &end, 10);
    return bits < 32 && (starts_with(end, ".f") || starts_with(end, ".bf"));
}

bool cc_converts_narrowly(const char *ptx)
{
    /* A program's own instructions mean what they say. */
    static const char begin[] = "// begin inline asm",
                      finish[] = "// end inline asm";
    for (const char *p = ptx; *p; p += *p == '\n') {
        p += strspn(p, " \t");
        if (starts_with(p, begin)) {
            p = strstr(p, finish);
            if (!p)
                return false;
        }
        if (is_narrow(p))
            return true;
        p += strcspn(p, "\n");
    }
    return false;
}

/* The parts of "  %4 = fptoui <2 x float> %3 to <2 x i8>, !dbg !7". */
struct conversion {
    const char *result, *operation, *operand; /* not ended by 0: see lengths */
    int result_length, operand_length;
    const char *lanes; /* "<2 x " or "" */
    int lanes_length, bits;
    const char *rest; /* up to the end of the line */
};

/* False: the line is no conversion to less than 32 bits. */
static bool read_conversion(const char *line, struct conversion *out)
{
    static const char *const operations[] = {" = fptoui ", " = fptosi "};
    size_t length = strcspn(line, "\n");
    const char *at = NULL;
    for (size_t i = 0; !at && i < ARRAY_COUNT(operations); i++)
        at = memmem(line, length, operations[i], strlen(operations[i]));
    size_t indent = strspn(line, " ");
    if (!at || line[indent] != '%' ||
        memchr(line, '"', (size_t)(at - line)) != NULL)
        return false;
    const char *operand = at + strlen(operations[0]);
    const char *to =
        memmem(operand, length - (size_t)(operand - line), " to ", 4);
    if (!to)
        return false;
    *out = (struct conversion){.result = line + indent,
                               .result_length = (int)(at - line - indent),
                               .operation = at + 3,
                               .operand = operand,
                               .operand_length = (int)(to - operand),
                               .lanes = to + 4};
    const char *type = out->lanes;
    if (*type == '<')
        type += strcspn(type, "x") + 2;
    out->lanes_length = (int)(type - out->lanes);
    if (*type != 'i')
        return false;
    char *end;
    out->bits = (int)strtoul(type + 1, &end, 10);
    out->rest = end + (*end == '>');
    return out->bits < 32;
}

/* `number` makes a name that nothing else has. */
static void write_conversion(FILE *f, const struct conversion *c,
                             unsigned number)
{
    const char *close = c->lanes_length ? ">" : "";
    int rest = (int)strcspn(c->rest, "\n");
    fprintf(f, "  %%weft.wide.%u = %.6s %.*s to %.*si32%s%.*s\n", number,
            c->operation, c->operand_length, c->operand, c->lanes_length,
            c->lanes, close, rest, c->rest);
    fprintf(f, "  %.*s = trunc %.*si32%s %%weft.wide.%u to %.*si%d%s%.*s\n",
            c->result_length, c->result, c->lanes_length, c->lanes, close,
            number, c->lanes_length, c->lanes, c->bits, close, rest, c->rest);
}

bool cc_widen_conversions(const char *path)
{
    size_t size_bytes;
    char *ir = cc_read_file(path, &size_bytes);
    if (!ir)
        return false;
    FILE *f = fopen(path, "w");
    unsigned count = 0;
    for (const char *p = ir, *next; f && *p; p = next) {
        next = p + strcspn(p, "\n");
        next += *next == '\n';
        struct conversion c;
        if (read_conversion(p, &c))
            write_conversion(f, &c, count++);
        else
            fwrite(p, 1, (size_t)(next - p), f);
    }
    bool ok = cc_close_written(f, path);
    free(ir);
    return ok;
}
