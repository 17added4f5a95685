/* SPDX-License-Identifier: Apache-2.0 */
/* What the headers of base/ promise, one function per part of them. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/arch.h"
#include "base/file.h"

#define CHECK(fact)                                                            \
    do {                                                                       \
        if (!(fact)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #fact); \
            failures++;                                                        \
        }                                                                      \
    } while (0)

static int failures;

static void test_arena(void)
{
    struct arena *a = arena_create();
    for (size_t size = 0; size < 10000; size = size * 2 + 1) {
        unsigned char *p = arena_alloc(a, size);
        CHECK((uintptr_t)p % 16 == 0);
        for (size_t i = 0; i < size; i++)
            CHECK(p[i] == 0);
        memset(p, 0xff, size);
    }
    CHECK(strcmp(arena_strndup(a, "weft and warp", 4), "weft") == 0);
    CHECK(strcmp(arena_printf(a, "%d-%s", 5, "x"), "5-x") == 0);
    arena_destroy(a);
    arena_destroy(NULL);
}

static void test_vec(void)
{
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        CHECK(vec_push(&v, i * i));
    CHECK(v.count == 1000 && v.data[999] == 999 * 999);
    vec_fini(&v);
    CHECK(v.count == 0 && !v.data);
    CHECK(!vec_reserve_((void **)&v.data, &v.capacity, SIZE_MAX / 2, 8));
}

static void test_map_of_strings(void)
{
    struct map m;
    static char names[500][8];
    map_init_strings(&m);
    CHECK(!map_find(&m, "nothing"));
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        snprintf(names[i], sizeof names[i], "n%zu", i);
        CHECK(map_put(&m, names[i], names[i]));
    }
    CHECK(m.count == ARRAY_COUNT(names));
    CHECK(map_find(&m, "n123") == names[123]);
    CHECK(map_put(&m, "n123", names[7]) && m.count == ARRAY_COUNT(names));
    CHECK(map_find(&m, "n123") == names[7]);
    map_fini(&m);
}

/* Removal moves others; every key must still be found. */
static void test_map_removal(void)
{
    struct map m;
    static char keys[300];
    map_init_pointers(&m);
    for (size_t i = 0; i < sizeof keys; i++)
        CHECK(map_put(&m, &keys[i], &keys[i]));
    for (size_t i = 0; i < sizeof keys; i += 3)
        map_remove(&m, &keys[i]);
    map_remove(&m, &m);
    for (size_t i = 0; i < sizeof keys; i++)
        CHECK(map_find(&m, &keys[i]) == (i % 3 ? &keys[i] : NULL));
    CHECK(m.count == 200);
    map_fini(&m);
}

static void test_intern(void)
{
    struct arena *a = arena_create();
    struct interner *in = interner_create(a);
    const char *first = intern(in, "first", 5);
    char text[16];
    for (int i = 0; i < 2000; i++) {
        int len = snprintf(text, sizeof text, "name%d", i % 1000);
        const char *name = intern(in, text, (size_t)len);
        CHECK(strcmp(name, text) == 0);
        CHECK(intern(in, text, (size_t)len) == name);
    }
    CHECK(intern(in, "first and more", 5) == first);
    CHECK(intern(in, "", 0) == intern(in, "x", 0));
    arena_destroy(a);
}

struct item {
    int number;
    struct list link;
};

static void test_list(void)
{
    struct list head;
    struct item items[3] = {{.number = 1}, {.number = 2}, {.number = 4}};
    int sum = 0;
    list_init(&head);
    CHECK(list_is_empty(&head));
    for (int i = 0; i < 3; i++)
        list_push(&head, &items[i].link);
    list_for_each(struct item, it, &head, link)
    {
        sum = sum * 10 + it->number;
        if (it->number == 2)
            list_remove(&it->link);
    }
    CHECK(sum == 124);
    CHECK(head.next == &items[0].link && head.prev == &items[2].link);
}

static void test_diag(void)
{
    struct diag d;
    diag_init(&d);
    d.error_limit = 2;
    diag_report(&d, DIAG_ERROR, "a.ptx", 3, 2, "\tadd\nnext", "no %s", "add");
    CHECK(!diag_is_full(&d));
    diag_report(&d, DIAG_WARNING, "a.ptx", 0, 0, NULL, "slow \x1b[5m");
    diag_error(&d, "bad %d", 5);
    CHECK(diag_is_full(&d));
    CHECK(d.error_count == 2 && d.warning_count == 1);
    CHECK(strcmp(d.text, "a.ptx:3:2: error: no add\n"
                         "    \tadd\n"
                         "    \t^\n"
                         "a.ptx: warning: slow ?[5m\n"
                         "error: bad 5\n") == 0);
    diag_fini(&d);
    CHECK(!d.text && !d.error_count);
}

static void test_hash(void)
{
    const char text[] = "the thread that crosses the warp";
    for (size_t len = 1; len < sizeof text; len++) {
        uint64_t h = hash_bytes(text, len, 0);
        CHECK(h == hash_bytes(text, len, 0));
        CHECK(h != hash_bytes(text, len - 1, 0));
        CHECK(h != hash_bytes(text, len, 1));
    }
    CHECK(hash_bytes("\0", 1, 0) != hash_bytes("\0\0", 2, 0));
}

static void test_nearest(void)
{
    static const char *const names[] = {"add", "sub", "shfl", "setp"};
    CHECK(nearest_name("sfhl", names, 4) == names[2]);
    CHECK(nearest_name("ad", names, 4) == names[0]);
    CHECK(nearest_name("frobnicate", names, 4) == NULL);
    CHECK(nearest_name("", names, 4) == NULL);
}

static void test_arch(void)
{
    static const struct {
        const char *name;
        unsigned number;
        char suffix;
    } names[] = {
        {"sm_90", 90, 0},    {"compute_90a", 90, 'a'}, {"lto_100f", 100, 'f'},
        {"sm_", 0, 0},       {"sm_-90", 0, 0},         {"sm_ 90", 0, 0},
        {"sm_90b", 0, 0},    {"sm_90aa", 0, 'a'},      {"90", 0, 0},
        {"compute90", 0, 0}, {"sm_4294967386", 0, 0},
    };
    char suffix;
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        unsigned number = arch_parse_name(names[i].name, &suffix);
        CHECK(number == names[i].number && suffix == names[i].suffix);
    }
    CHECK(arch_parse_number("90a", &suffix) == 90 && suffix == 'a');
    CHECK(arch_find(90)->listing == ARCH_CURRENT);
    CHECK(arch_find(20)->listing == ARCH_DROPPED);
    CHECK(!arch_find(0) && !arch_find(91));
    size_t count = 0;
    while (arch_at(count))
        count++;
    CHECK(count > 20 && arch_at(0)->number < arch_at(count - 1)->number);
}

static void test_file(void)
{
    static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 300000};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        size_t size = 1;
        FILE *f = tmpfile();
        for (size_t k = 0; k < sizes[i]; k++)
            putc((int)(k % 251), f);
        rewind(f);
        char *bytes = file_read(f, &size);
        CHECK(bytes && size == sizes[i] && bytes[size] == 0);
        for (size_t k = 0; bytes && k < size; k++)
            CHECK((unsigned char)bytes[k] == k % 251);
        free(bytes);
        fclose(f);
    }
    size_t size;
    FILE *folder = fopen("/", "r"); /* opens, and cannot be read */
    CHECK(folder && !file_read(folder, &size));
    fclose(folder);
}

int main(void)
{
    test_arch();
    test_file();
    test_arena();
    test_vec();
    test_map_of_strings();
    test_map_removal();
    test_intern();
    test_list();
    test_diag();
    test_hash();
    test_nearest();
    return failures != 0;
}
