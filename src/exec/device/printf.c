/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device printf. Text is formatted where it is printed, kept in a ring of
 * records, and written to stdout at the points where CUDA flushes. When the
 * ring is full the oldest records are lost, as on hardware.
 *
 * CUDA C++ Programming Guide, "Formatted Output": the conversions of C with
 * flags, width, precision and the sizes h, l, ll; the arguments lie in a
 * buffer, each aligned to its size, floats as doubles.
 */
#include "exec/internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

#define TEXT_LEAST_BYTES   ((size_t)WEFT_SIZE(4096, 8))
#define FIFO_DEFAULT_BYTES ((size_t)33 << 18) /* as on hardware */
#define FIFO_LEAST_BYTES   ((size_t)1024)
#define FIFO_MOST_BYTES    ((size_t)2 << 30) /* as on hardware */

struct fifo {
    char *bytes; /* capacity long; NULL before the first use */
    size_t capacity;
    size_t start, used; /* records: length (uint32_t), text */
};

static atomic_flag fifo_lock = ATOMIC_FLAG_INIT;
static struct fifo fifo = {.capacity = FIFO_DEFAULT_BYTES};
/* True: there is text to flush. Launches read it without the lock: a kernel
 * that is known to be done has set it before. */
static atomic_bool has_text;
/* A kernel has printed since the last reset, so that the size is fixed. */
static bool is_used;

/* ---- the ring --------------------------------------------------------- */

static void copy_in(struct fifo *f, size_t offset, const void *data,
                    size_t length)
{
    assert(offset + length <= f->capacity);
    size_t at = (f->start + offset) % f->capacity;
    size_t first = f->capacity - at < length ? f->capacity - at : length;
    memcpy(f->bytes + at, data, first);
    memcpy(f->bytes, (const char *)data + first, length - first);
}

static void copy_out(const struct fifo *f, size_t offset, void *data,
                     size_t length)
{
    assert(offset + length <= f->used);
    size_t at = (f->start + offset) % f->capacity;
    size_t first = f->capacity - at < length ? f->capacity - at : length;
    memcpy(data, f->bytes + at, first);
    memcpy((char *)data + first, f->bytes, length - first);
}

static void drop_oldest(struct fifo *f)
{
    uint32_t length;
    copy_out(f, 0, &length, sizeof length);
    size_t record = sizeof length + length;
    assert(record <= f->used);
    f->start = (f->start + record) % f->capacity;
    f->used -= record;
}

static void append_text(struct fifo *f, const char *text, size_t length)
{
    size_t record = sizeof(uint32_t) + length;
    is_used = true;
    if (!f->bytes)
        f->bytes = malloc(f->capacity);
    if (!f->bytes || record > f->capacity)
        return;
    while (f->used + record > f->capacity)
        drop_oldest(f);
    uint32_t length32 = (uint32_t)length;
    copy_in(f, f->used, &length32, sizeof length32);
    copy_in(f, f->used + sizeof length32, text, length);
    f->used += record;
    assert(f->used <= f->capacity);
    atomic_store_explicit(&has_text, true, memory_order_relaxed);
}

static void write_all(struct fifo *f)
{
    while (f->used) {
        char part[4096];
        uint32_t length, done = 0;
        copy_out(f, 0, &length, sizeof length);
        while (done < length) {
            size_t n = length - done;
            if (n > sizeof part)
                n = sizeof part;
            copy_out(f, sizeof length + done, part, n);
            fwrite(part, 1, n, stdout);
            done += (uint32_t)n;
        }
        drop_oldest(f);
    }
    fflush(stdout);
}

/* Takes the ring's contents; kernels go on with an empty one. */
static struct fifo take_all(void)
{
    helper_lock(NULL, &fifo_lock);
    struct fifo taken = fifo;
    if (taken.used)
        fifo = (struct fifo){.capacity = taken.capacity};
    atomic_store_explicit(&has_text, false, memory_order_relaxed);
    helper_unlock(NULL, &fifo_lock);
    return taken;
}

void exec_printf_flush(void)
{
    if (!atomic_load_explicit(&has_text, memory_order_relaxed))
        return;
    struct fifo taken = take_all();
    if (!taken.used)
        return;
    write_all(&taken);
    free(taken.bytes);
}

bool exec_printf_set_size(size_t size_bytes)
{
    if (size_bytes < FIFO_LEAST_BYTES)
        size_bytes = FIFO_LEAST_BYTES;
    if (size_bytes > FIFO_MOST_BYTES)
        size_bytes = FIFO_MOST_BYTES;
    helper_lock(NULL, &fifo_lock);
    bool ok = !is_used;
    if (ok)
        fifo.capacity = size_bytes;
    helper_unlock(NULL, &fifo_lock);
    return ok;
}

size_t exec_printf_size(void)
{
    helper_lock(NULL, &fifo_lock);
    size_t bytes = fifo.capacity;
    helper_unlock(NULL, &fifo_lock);
    return bytes;
}

void exec_printf_reset(void)
{
    exec_printf_flush();
    helper_lock(NULL, &fifo_lock);
    free(fifo.bytes);
    fifo = (struct fifo){.capacity = FIFO_DEFAULT_BYTES};
    is_used = false;
    helper_unlock(NULL, &fifo_lock);
}

/* ---- formatting ------------------------------------------------------- */

struct output {
    struct sm *sm;
    size_t length; /* in sm->text */
};

/* Makes room for `more` characters and a NUL, as far as memory allows. One
 * call prints no more text than the ring holds. */
static size_t make_room(struct output *o, size_t more)
{
    struct sm *sm = o->sm;
    size_t wanted = o->length + more + 1;
    if (wanted > sm->text_bytes) {
        size_t most = exec_printf_size();
        size_t bytes = wanted < TEXT_LEAST_BYTES ? TEXT_LEAST_BYTES
                       : wanted < most           ? wanted
                                                 : most;
        char *text = bytes > sm->text_bytes ? realloc(sm->text, bytes) : NULL;
        if (text) {
            sm->text = text;
            sm->text_bytes = bytes;
        }
    }
    assert(o->length <= sm->text_bytes);
    size_t room = sm->text_bytes - o->length;
    return room < more + 1 ? room : more + 1;
}

static void put_text(struct output *o, const char *text, size_t length)
{
    size_t room = make_room(o, length);
    if (!room)
        return;
    if (length > room - 1)
        length = room - 1;
    memcpy(o->sm->text + o->length, text, length);
    o->length += length;
}

struct arguments {
    const uint8_t *next;
};

static uint64_t take_bits(struct arguments *a, size_t size_bytes)
{
    assert(size_bytes == 4 || size_bytes == 8);
    uintptr_t at = ((uintptr_t)a->next + size_bytes - 1) & ~(size_bytes - 1);
    uint64_t bits = 0;
    memcpy(&bits, (const void *)at, size_bytes);
    a->next = (const uint8_t *)at + size_bytes;
    return bits;
}

/* One conversion, as written: %[flags][width][.precision][size]type */
struct conversion {
    const char *text; /* of flags, width, precision */
    size_t length;
    bool star_width, star_precision;
    unsigned size; /* 0: int, 1: h, 2: hh, 3: l, 4: ll, z, j, t */
    char type;     /* 0: not one that printf knows here */
};

static const char *parse_conversion(const char *p, struct conversion *c)
{
    *c = (struct conversion){.text = p};
    p += strspn(p, "-+ #0");
    if (*p == '*') {
        c->star_width = true;
        p++;
    } else {
        p += strspn(p, "0123456789");
    }
    if (*p == '.') {
        p++;
        if (*p == '*') {
            c->star_precision = true;
            p++;
        } else {
            p += strspn(p, "0123456789");
        }
    }
    c->length = (size_t)(p - c->text);
    if (p[0] == 'l') {
        c->size = p[1] == 'l' ? 4 : 3;
        p += p[1] == 'l' ? 2 : 1;
    } else if (p[0] == 'z' || p[0] == 'j' || p[0] == 't') {
        c->size = 4;
        p++;
    } else if (p[0] == 'h') {
        c->size = p[1] == 'h' ? 2 : 1;
        p += p[1] == 'h' ? 2 : 1;
    }
    if (*p && strchr("diouxXcsp%aAeEfFgG", *p))
        c->type = *p++;
    return p;
}

/* A field width that is longer makes no sense, and is cut to this. */
#define FIELD_MAX (1 << 20)

static int clamp_field(int n)
{
    return n > FIELD_MAX ? FIELD_MAX : n < -FIELD_MAX ? -FIELD_MAX : n;
}

/* Writes the conversion for the host's printf, with stars replaced by
 * numbers. */
static bool host_format(const struct conversion *c, const char *size,
                        struct arguments *a, char *out, size_t capacity,
                        int32_t *count)
{
    char spec[32];
    assert(c->type && capacity >= 32);
    if (c->length >= sizeof spec)
        return false;
    memcpy(spec, c->text, c->length);
    spec[c->length] = 0;
    size_t n = 0;
    out[n++] = '%';
    for (const char *p = spec; *p; p++) {
        if (*p == '*') {
            int value = clamp_field((int)take_bits(a, 4));
            n += (size_t)snprintf(out + n, capacity - n, "%d", value);
            ++*count;
        } else {
            out[n++] = *p;
        }
        if (n + 16 > capacity)
            return false;
    }
    snprintf(out + n, capacity - n, "%s%c", size, c->type);
    return true;
}

/* An argument in the form that the host's printf takes. */
struct value {
    enum { FLOATING, STRING, POINTER, CHARACTER, INTEGER } kind;
    double floating;
    const char *string;
    long long integer;
};

static long long take_integer(struct arguments *a, const struct conversion *c)
{
    bool is_signed = c->type == 'd' || c->type == 'i';
    if (c->size >= 3)
        return (long long)take_bits(a, 8);
    uint32_t bits = (uint32_t)take_bits(a, 4);
    if (c->size == 1)
        return is_signed ? (int16_t)bits : (long long)(uint16_t)bits;
    if (c->size == 2)
        return is_signed ? (int8_t)bits : (long long)(uint8_t)bits;
    return is_signed ? (int32_t)bits : (long long)bits;
}

static struct value take_value(struct arguments *a, const struct conversion *c)
{
    struct value v = {.kind = INTEGER};
    uint64_t bits;
    switch (c->type) {
    case 's':
        v.kind = STRING;
        v.string = (const char *)(uintptr_t)take_bits(a, 8);
        if (!v.string)
            v.string = "(null)";
        break;
    case 'p':
        v.kind = POINTER;
        v.integer = (long long)take_bits(a, 8);
        break;
    case 'c':
        v.kind = CHARACTER;
        v.integer = (int)take_bits(a, 4);
        break;
    default:
        if (strchr("aAeEfFgG", c->type)) {
            v.kind = FLOATING;
            bits = take_bits(a, 8);
            memcpy(&v.floating, &bits, sizeof v.floating);
        } else {
            v.integer = take_integer(a, c);
        }
    }
    return v;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static int print_value(char *out, size_t room, const char *format,
                       const struct value *v)
{
    switch (v->kind) {
    case FLOATING:
        return snprintf(out, room, format, v->floating);
    case STRING:
        return snprintf(out, room, format, v->string);
    case POINTER:
        return snprintf(out, room, format, (void *)(uintptr_t)v->integer);
    case CHARACTER:
        return snprintf(out, room, format, (int)v->integer);
    default:
        return snprintf(out, room, format, v->integer);
    }
}

static void put_value(struct output *o, const struct conversion *c,
                      struct arguments *a, int32_t *count)
{
    char format[96];
    bool is_integer = strchr("diouxX", c->type) != NULL;
    if (!host_format(c, is_integer ? "ll" : "", a, format, sizeof format,
                     count))
        return;
    ++*count;
    struct value v = take_value(a, c);
    size_t room = make_room(o, 64); /* for most */
    int n = print_value(o->sm->text + o->length, room, format, &v);
    if (n > 0 && (size_t)n >= room) {
        room = make_room(o, (size_t)n);
        print_value(o->sm->text + o->length, room, format, &v);
    }
    if (n > 0 && room)
        o->length += (size_t)n < room ? (size_t)n : room - 1;
}
#pragma GCC diagnostic pop

int32_t printf_device(struct exec_warp *w, uint64_t format, uint64_t args)
{
    struct output o = {.sm = w->owner};
    struct arguments a = {.next = (const uint8_t *)(uintptr_t)args};
    const char *p = (const char *)(uintptr_t)format;
    int32_t count = 0;
    if (!p)
        return -1;
    while (*p) {
        size_t literal = strcspn(p, "%");
        put_text(&o, p, literal);
        p += literal;
        if (!*p)
            break;
        struct conversion c;
        const char *start = p;
        p = parse_conversion(p + 1, &c);
        if (c.type == '%')
            put_text(&o, "%", 1);
        else if (c.type)
            put_value(&o, &c, &a, &count);
        else /* %zu and the like: hardware prints them as they stand */
            put_text(&o, start, (size_t)(p - start));
    }
    helper_lock(o.sm, &fifo_lock);
    append_text(&fifo, o.sm->text, o.length);
    helper_unlock(o.sm, &fifo_lock);
    return count;
}
