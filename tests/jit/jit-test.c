/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jit-test CASE GOOD BAD FOLDER: one case per process, each in a scratch
 * folder of its own, since the environment decides where the cache is.
 */
#include "cache/cache.h"
#include "jit/internal.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char good_object[4096], bad_object[4096];
static char scratch[64], cache[128], log_path[128];

#define CHECK(x) check((x), #x, __LINE__)
static void check(bool ok, const char *what, int line)
{
    if (ok)
        return;
    fprintf(stderr, "jit-test.c:%d: %s\n", line, what);
    exit(1);
}

/* ---- a module with kernels, made by hand -------------------------------- */

static struct ptx_func kernels[2];
static struct ptx_func *kernel_pointers[2] = {&kernels[0], &kernels[1]};
static size_t kernel_insts;
static struct ptx_module module = {.funcs = kernel_pointers, .func_count = 2};

static struct jit_module *make_module(void)
{
    for (unsigned i = 0; i < 2; i++)
        kernels[i] = (struct ptx_func){.name = i ? "second" : "first",
                                       .module = &module,
                                       .is_entry = true,
                                       .inst_count = kernel_insts,
                                       .index = i};
    struct jit_module *jm = jit_module_create(&module, 0x1234);
    CHECK(jm != NULL);
    return jm;
}

static const struct simt_spec spec = {.block = {64, 1, 1}, .lane_count = 32};

static uint64_t run(exec_kernel_fn *fn, uint64_t n)
{
    uint8_t out[64];
    struct exec_warp w = {.shared = out, .block_first = n};
    fn(&w);
    CHECK(out[63] == 0x5a);
    memcpy(&n, out, sizeof n);
    return n;
}

/* As a program with this kernel would: a module of its own each time. */
static void use_kernel(const struct simt_spec *s)
{
    struct diag diag;
    diag_init(&diag);
    struct jit_module *jm = make_module();
    const struct jit_kernel *k = jit_get(jm, &kernels[0], s, &diag);
    if (!k)
        fputs(diag.text, stderr);
    CHECK(k != NULL);
    CHECK(run(k->fn, 1) == 49);
    CHECK(k->stack_bytes == 4242 && k->static_shared_bytes == 17 &&
          k->local_bytes == 3 && !k->has_barrier == (s->block[0] != 32));
    CHECK(jit_get(jm, &kernels[0], s, &diag) == k);
    jit_module_destroy(jm);
    diag_fini(&diag);
}

static unsigned compile_count(void)
{
    FILE *f = fopen(log_path, "r");
    unsigned lines = 0;
    for (int c; f && (c = getc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

/* ---- files -------------------------------------------------------------- */

static bool is_ours(const char *name)
{
    return strstr(name, ".weft") != NULL;
}

/* How many of our files are in the cache; the last one's path. */
static unsigned cache_files(char path[512])
{
    DIR *d = opendir(cache);
    unsigned n = 0;
    struct dirent *e;
    while (d && (e = readdir(d))) {
        if (!is_ours(e->d_name))
            continue;
        snprintf(path, 512, "%s/%s", cache, e->d_name);
        n++;
    }
    if (d)
        closedir(d);
    return n;
}

static const char *path_of_only_file(char path[512])
{
    CHECK(cache_files(path) == 1);
    return path;
}

static void read_object(const char *path, void **data, size_t *size_bytes)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    *data = malloc(1 << 20);
    *size_bytes = fread(*data, 1, 1 << 20, f);
    fclose(f);
}

static int remove_one(const char *path, const struct stat *st, int type,
                      struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void remove_scratch(void)
{
    chmod(cache, 0700);
    nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- the loader --------------------------------------------------------- */

static void test_code_runs(void)
{
    void *object;
    size_t size_bytes;
    struct jit_code code;
    struct diag diag;
    diag_init(&diag);
    read_object(good_object, &object, &size_bytes);
    CHECK(jit_code_load(object, size_bytes, "k", &code, &diag));
    memset(object, 0, size_bytes);
    free(object);
    CHECK(run(code.entry, 0) == 0);
    CHECK(run(code.entry, 0) == 1);
    CHECK(run(code.entry, 1) == 49);
    CHECK(run(code.entry, 5) == 5 << 9);
    jit_code_unload(&code);
    diag_fini(&diag);
}

static void test_code_refuses_unknown_symbol(void)
{
    void *object;
    size_t size_bytes;
    struct jit_code code;
    struct diag diag;
    diag_init(&diag);
    read_object(bad_object, &object, &size_bytes);
    CHECK(!jit_code_load(object, size_bytes, "k", &code, &diag));
    CHECK(strstr(diag.text, "unknown function system") != NULL);
    free(object);
    diag_fini(&diag);
}

/* Every truncation and thousands of flipped bytes: refused or loaded, never a
 * fault. The code is not run. */
static void test_code_survives_damage(void)
{
    void *object;
    size_t size_bytes;
    struct jit_code code;
    struct diag diag;
    diag_init(&diag);
    read_object(good_object, &object, &size_bytes);
    uint8_t *copy = malloc(size_bytes);
    unsigned refused = 0;
    for (size_t i = 0; i < 40000; i++) {
        size_t keep = i < size_bytes ? i : size_bytes;
        memcpy(copy, object, keep);
        uint64_t random = hash_bytes(&i, sizeof i, 7);
        if (keep == size_bytes)
            copy[random % size_bytes] ^= (uint8_t)(1 + (random >> 32) % 255);
        if (jit_code_load(copy, keep, "k", &code, &diag))
            jit_code_unload(&code);
        else
            refused++;
        diag_fini(&diag);
    }
    CHECK(refused >= size_bytes);
    free(copy);
    free(object);
}

static uint32_t relocated(uint32_t type, uint32_t inst, uint64_t place,
                          uint64_t symbol)
{
    struct jit_reloc r = {.type = type,
                          .place = (uint8_t *)&inst,
                          .room = 4,
                          .address = place,
                          .symbol = symbol};
    CHECK(jit_arch_aarch64.relocate(&r) == JIT_RELOC_DONE);
    return inst;
}

/* Against what an assembler and linker make of the same instructions. */
static void test_aarch64_relocations(void)
{
    /* bl to the next page; adrp two pages on; add and ldr of an offset */
    CHECK(relocated(R_AARCH64_CALL26, 0x94000000, 0x10000, 0x11000) ==
          0x94000400);
    CHECK(relocated(R_AARCH64_CALL26, 0x94000000, 0x11000, 0x10ffc) ==
          0x97ffffff);
    CHECK(relocated(R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, 0x10ff8, 0x13123) ==
          0xf0000000);
    CHECK(relocated(R_AARCH64_ADD_ABS_LO12_NC, 0x91000000, 0, 0x13123) ==
          0x91048c00);
    CHECK(relocated(R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00000, 0, 0x13120) ==
          0x3dc04800);
    uint32_t inst = 0x94000000;
    struct jit_reloc far = {.type = R_AARCH64_CALL26,
                            .place = (uint8_t *)&inst,
                            .room = 4,
                            .symbol = UINT64_C(1) << 30};
    CHECK(jit_arch_aarch64.relocate(&far) == JIT_RELOC_TOO_FAR);
}

/* ---- the disk cache ----------------------------------------------------- */

static void test_hit_after_store(void)
{
    char path[512];
    use_kernel(&spec);
    use_kernel(&spec);
    CHECK(compile_count() == 1 && cache_files(path) == 1);
    struct simt_spec other = spec;
    other.block[0] = 32;
    use_kernel(&other);
    CHECK(compile_count() == 2 && cache_files(path) == 2);
    struct jit_stats s = jit_stats_get();
    CHECK(s.compiled == 2 && s.disk_hits == 1 && s.memory_hits == 3);
    struct cache_info info;
    cache_info_get(&info);
    CHECK(info.file_count == 2 && info.size_bytes > 200);
}

/* Damages the one file, uses the kernel, and expects the file whole again. */
static void damaged_by(void (*damage)(const char *path))
{
    char path[512];
    use_kernel(&spec);
    CHECK(cache_files(path) == 1);
    damage(path);
    use_kernel(&spec);
    CHECK(compile_count() == 2 && cache_files(path) == 1);
    use_kernel(&spec);
    CHECK(compile_count() == 2);
}

static void truncate_half(const char *path)
{
    struct stat st;
    CHECK(!stat(path, &st) && !truncate(path, st.st_size / 2));
}

static void write_foreign(const char *path)
{
    FILE *f = fopen(path, "w");
    fputs("#!/bin/sh\necho this is somebody's script\n", f);
    fclose(f);
}

static void flip_byte(const char *path)
{
    struct stat st;
    uint8_t byte;
    int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && !fstat(fd, &st));
    off_t at = st.st_size - 200;
    CHECK(pread(fd, &byte, 1, at) == 1);
    byte ^= 4;
    CHECK(pwrite(fd, &byte, 1, at) == 1);
    close(fd);
}

static void test_truncated_file(void)
{
    damaged_by(truncate_half);
}
static void test_foreign_file(void)
{
    damaged_by(write_foreign);
}
static void test_damaged_byte(void)
{
    damaged_by(flip_byte);
}

/* ---- what others may have written ---- */

static void let_others_write(const char *path)
{
    CHECK(!chmod(path, 0666));
}
static void make_link(const char *path)
{
    char real[512];
    snprintf(real, sizeof real, "%s/elsewhere", scratch);
    CHECK(!rename(path, real) && !symlink(real, path));
}
static void give_away(const char *path)
{
    CHECK(!chown(path, 65534, (gid_t)-1));
}

static void test_file_of_others(void)
{
    if (geteuid() != 0)
        exit(77); /* only root can give a file away */
    damaged_by(give_away);
}
static void test_file_for_others(void)
{
    damaged_by(let_others_write);
}
static void test_linked_file(void)
{
    damaged_by(make_link);
}

/* With this mode of that folder nothing is loaded, nothing is stored. */
static void refused_with(const char *folder, mode_t mode)
{
    char path[512];
    struct cache_info info;
    unsigned before = compile_count();
    CHECK(!chmod(folder, mode));
    use_kernel(&spec);
    use_kernel(&spec);
    CHECK(compile_count() == before + 2);
    cache_info_get(&info);
    CHECK(info.is_refused);
    CHECK(!remove(path_of_only_file(path)));
    use_kernel(&spec);
    CHECK(cache_files(path) == 0);
    CHECK(!chmod(folder, 0700));
    use_kernel(&spec);
    CHECK(cache_files(path) == 1);
}

static void test_folder_for_others(void)
{
    unsigned count;
    use_kernel(&spec);
    refused_with(cache, 0777);
    refused_with(cache, 0770);
    refused_with(cache, 01777);
    /* One above: others could put another folder in its place. */
    refused_with(scratch, 0777);
    /* As /tmp is: they could not. */
    count = compile_count();
    CHECK(!chmod(scratch, 01777));
    use_kernel(&spec);
    CHECK(compile_count() == count);
}

/* A link that leads to a folder is as good as that folder. */
static void test_linked_folder(void)
{
    char link[512];
    use_kernel(&spec);
    snprintf(link, sizeof link, "%s/link", scratch);
    CHECK(!symlink(cache, link));
    setenv("CUDA_CACHE_PATH", link, 1);
    use_kernel(&spec);
    CHECK(compile_count() == 1);
    CHECK(!chmod(cache, 0777));
    use_kernel(&spec);
    CHECK(compile_count() == 2);
}

static void test_unwritable_folder(void)
{
    char path[512];
    /* Permissions do not stop root: a file where the folder should be does. */
    FILE *f = fopen(cache, "w");
    fclose(f);
    use_kernel(&spec);
    use_kernel(&spec);
    CHECK(compile_count() == 2);
    remove(cache);

    CHECK(!mkdir(cache, 0500));
    use_kernel(&spec);
    CHECK(geteuid() == 0 || cache_files(path) == 0);
}

/* A file size limit stands for a full disk: the write fails half-way. */
static void test_no_space(void)
{
    char path[512];
    signal(SIGXFSZ, SIG_IGN);
    /* The log is short, the cache's file is not. */
    struct rlimit limit = {100, RLIM_INFINITY};
    CHECK(!setrlimit(RLIMIT_FSIZE, &limit));
    use_kernel(&spec);
    CHECK(compile_count() == 1 && cache_files(path) == 0);
}

static void test_disabled(void)
{
    char path[512];
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    use_kernel(&spec);
    use_kernel(&spec);
    CHECK(compile_count() == 2 && cache_files(path) == 0);
    setenv("CUDA_CACHE_DISABLE", "0", 1);
    use_kernel(&spec);
    CHECK(cache_files(path) == 1);
}

static void set_limit(uint64_t bytes)
{
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
    setenv("CUDA_CACHE_MAXSIZE", text, 1);
}

static void test_oldest_goes(void)
{
    char path[512], first[512];
    struct stat st;
    struct simt_spec s = spec;
    use_kernel(&s);
    CHECK(cache_files(first) == 1 && !stat(first, &st));
    struct timespec old[2] = {{1000, 0}, {1000, 0}};
    CHECK(!utimensat(AT_FDCWD, first, old, 0));

    set_limit((uint64_t)st.st_size * 5 / 2); /* room for two */
    s.block[1] = 2;
    use_kernel(&s);
    CHECK(cache_files(path) == 2);
    use_kernel(&spec); /* used again: no longer the oldest */
    CHECK(!stat(first, &st) && st.st_mtime > 1000);
    char second[512];
    strcpy(second, path);
    if (!strcmp(second, first)) { /* whichever was listed last */
        DIR *d = opendir(cache);
        for (struct dirent *e; (e = readdir(d));)
            if (is_ours(e->d_name) && !strstr(first, e->d_name))
                snprintf(second, sizeof second, "%s/%s", cache, e->d_name);
        closedir(d);
    }
    CHECK(!utimensat(AT_FDCWD, second, old, 0));
    s.block[1] = 3;
    use_kernel(&s);
    CHECK(cache_files(path) == 2);
    CHECK(access(first, F_OK) == 0 && access(second, F_OK) != 0);
}

static void test_too_large_for_limit(void)
{
    char path[512];
    set_limit(100);
    use_kernel(&spec);
    CHECK(cache_files(path) == 0);
}

static void test_foreign_files_stay(void)
{
    char path[512];
    CHECK(!mkdir(cache, 0700));
    snprintf(path, sizeof path, "%s/index", cache);
    FILE *f = fopen(path, "w");
    for (int i = 0; i < 100000; i++)
        putc('x', f);
    fclose(f);
    set_limit(20000);
    char file[512];
    for (unsigned i = 1; i <= 12; i++) {
        struct simt_spec s = spec;
        s.block[2] = i;
        use_kernel(&s);
    }
    struct cache_info info;
    cache_info_get(&info);
    CHECK(info.size_bytes <= 20000 && cache_files(file) >= 1);
    CHECK(!access(path, F_OK));
}

/* A killed process leaves its temporary file, without a lock; one that is
 * still writing holds one. */
static void test_abandoned_temporary(void)
{
    char dead[512], alive[512];
    CHECK(!mkdir(cache, 0700));
    snprintf(dead, sizeof dead, "%s/1-1.weft-tmp", cache);
    snprintf(alive, sizeof alive, "%s/2-1.weft-tmp", cache);
    write_foreign(dead);
    write_foreign(alive);
    int fd = open(alive, O_RDONLY);
    CHECK(!flock(fd, LOCK_EX));
    use_kernel(&spec);
    CHECK(access(dead, F_OK) && !access(alive, F_OK));
    close(fd);
}

/* Some are killed while they work; the others do not notice, and what stays
 * behind is whole. */
static void test_many_processes(void)
{
    enum { PROCESSES = 8, ROUNDS = 60 };
    pid_t pids[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        pids[p] = fork();
        if (pids[p])
            continue;
        for (int i = 0; i < ROUNDS; i++) {
            struct simt_spec s = spec;
            s.block[1] = 1 + (unsigned)i % 7;
            if (i % 13 == 12)
                nftw(cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
            use_kernel(&s);
        }
        _exit(0);
    }
    usleep(20000);
    kill(pids[0], SIGKILL);
    kill(pids[1], SIGKILL);
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        CHECK(waitpid(pids[p], &status, 0) == pids[p]);
        CHECK(p < 2 || (WIFEXITED(status) && !WEXITSTATUS(status)));
    }
    for (unsigned i = 1; i <= 7; i++) {
        struct simt_spec s = spec;
        s.block[1] = i;
        use_kernel(&s);
    }
}

/* ---- the memory cache --------------------------------------------------- */

static struct jit_module *shared_module;

static void *get_from_thread(void *data)
{
    struct diag diag;
    (void)data;
    diag_init(&diag);
    const struct jit_kernel *k =
        jit_get(shared_module, &kernels[1], &spec, &diag);
    diag_fini(&diag);
    return (void *)(uintptr_t)k;
}

static void test_many_threads_compile_once(void)
{
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    setenv("FAKE_SLEEP_MS", "50", 1);
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    shared_module = make_module();
    for (int i = 0; i < THREADS; i++)
        CHECK(!pthread_create(&threads[i], NULL, get_from_thread, NULL));
    void *first = NULL;
    for (int i = 0; i < THREADS; i++) {
        void *k;
        CHECK(!pthread_join(threads[i], &k) && k);
        CHECK(!first || k == first);
        first = k;
    }
    CHECK(compile_count() == 1);
    jit_module_destroy(shared_module);
}

static void test_failure_is_reported_again(void)
{
    setenv("FAKE_OBJECT", bad_object, 1);
    struct jit_module *jm = make_module();
    for (int i = 0; i < 2; i++) {
        struct diag diag;
        diag_init(&diag);
        CHECK(!jit_get(jm, &kernels[0], &spec, &diag));
        CHECK(diag.error_count == 1 && strstr(diag.text, "system"));
        diag_fini(&diag);
    }
    CHECK(compile_count() == 1);
    char path[512];
    CHECK(cache_files(path) == 0);
    jit_module_destroy(jm);
}

static void expect_problem(const char *word)
{
    struct diag diag;
    diag_init(&diag);
    struct jit_module *jm = make_module();
    CHECK(!jit_get(jm, &kernels[0], &spec, &diag));
    CHECK(diag.text && strstr(diag.text, word));
    jit_module_destroy(jm);
    diag_fini(&diag);
}

static void test_missing_compiler(void)
{
    setenv("WEFT_LIB_DIR", scratch, 1);
    expect_problem("libweft-compiler.so is missing");
}

static void test_unknown_isa(void)
{
    setenv("WEFT_ISA", "avx9", 1);
    expect_problem("WEFT_ISA=avx9");
}

static void test_perf_map(void)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    use_kernel(&spec);
    CHECK(access(path, F_OK));
    setenv("WEFT_PERF_MAP", "1", 1);
    /* What somebody else may have put there: left alone, not waited for. */
    struct stat st;
    CHECK(!mkfifo(path, 0600));
    use_kernel(&spec);
    CHECK(!remove(path));
    write_foreign(path);
    CHECK(!chmod(path, 0666) && !stat(path, &st));
    off_t size_bytes = st.st_size;
    use_kernel(&spec);
    CHECK(!stat(path, &st) && st.st_size == size_bytes && !remove(path));

    use_kernel(&spec);
    FILE *f = fopen(path, "r");
    CHECK(f && fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    remove(path);
    CHECK(strstr(text, " first\n"));
    CHECK(strstr(text, " first:choose"));
}

/* Every row of symbols.def names a function that is there. */
static void test_symbols_resolve(void)
{
    static const char *const names[] = {
#define ANYWHERE(name) name,
#ifdef __x86_64__
#define ON_X86(name) name,
#else
#define ON_X86(name)
#endif
#define SYMBOL(name, from, where) where(#name)
#include "jit/symbols.def"
    };
    for (size_t i = 0; i < ARRAY_COUNT(names); i++)
        CHECK(jit_symbol_find(names[i]) != 0);
    CHECK(jit_symbol_find("system") == 0);
}

/* ---- quickly first ------------------------------------------------------ */

static const struct jit_kernel *get(struct jit_module *jm, unsigned kernel)
{
    struct diag diag;
    diag_init(&diag);
    const struct jit_kernel *k = jit_get(jm, &kernels[kernel], &spec, &diag);
    CHECK(k && !diag.error_count);
    CHECK(run(k->fn, 1) == 49);
    diag_fini(&diag);
    return k;
}

/* A module whose kernels are compiled quickly, then fully, which takes so
 * long. */
static struct jit_module *make_long_module(const char *full_ms)
{
    setenv("WEFT_QUICK", "10", 1);
    setenv("FAKE_FULL_MS", full_ms, 1);
    kernel_insts = 10;
    return make_module();
}

/* Waits until there is better code than `quick`. */
static const struct jit_kernel *wait_for_full(struct jit_module *jm,
                                              const struct jit_kernel *quick)
{
    const struct jit_kernel *k = quick;
    for (int i = 0; i < 20000 && k == quick; i++) {
        usleep(1000);
        k = get(jm, 0);
    }
    CHECK(k != quick);
    return k;
}

static exec_kernel_fn *newer(const struct jit_kernel *k)
{
    return atomic_load(k->newer);
}

static void test_quick_then_full(void)
{
    char path[512];
    struct jit_module *jm = make_long_module("200");
    const struct jit_kernel *quick = get(jm, 0);
    CHECK(jit_stats_get().quick == 1 && cache_files(path) == 1);
    CHECK(!newer(quick));
    const struct jit_kernel *full = wait_for_full(jm, quick);
    CHECK(!full->newer && full->fn != quick->fn && newer(quick) == full->fn);
    CHECK(run(quick->fn, 1) == 49);
    CHECK(compile_count() == 2 && cache_files(path) == 2);
    jit_module_destroy(jm);

    jm = make_module();
    CHECK(!get(jm, 0)->newer);
    CHECK(compile_count() == 2 && jit_stats_get().disk_hits == 1);
    jit_module_destroy(jm);

    kernel_insts = 9;
    jm = make_module();
    CHECK(!get(jm, 1)->newer && compile_count() == 3);
    jit_module_destroy(jm);
}

/* The status of a child that does this; within ten seconds. */
static int child_status(void (*work)(struct jit_module *jm),
                        struct jit_module *jm)
{
    int status;
    pid_t child = fork();
    CHECK(child >= 0);
    if (!child) {
        alarm(10);
        work(jm);
        /* What exit does, but for the parent's folder. */
        cache[0] = scratch[0] = 0;
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

static void launch_once(struct jit_module *jm)
{
    jm = make_long_module("60000");
    get(jm, 0);
}

/* A process that ends does not wait, and what it has made is not lost. */
static void test_quick_outlives_exit(void)
{
    char path[512];
    CHECK(child_status(launch_once, NULL) == 0);
    CHECK(cache_files(path) == 1);
    struct jit_module *jm = make_long_module("0");
    const struct jit_kernel *quick = get(jm, 0);
    struct jit_stats s = jit_stats_get();
    CHECK(s.quick == 0 && s.disk_hits == 1);
    if (quick->newer)
        wait_for_full(jm, quick);
    CHECK(cache_files(path) == 2);
    jit_module_destroy(jm);
}

/* What runs is waited for; what waits never starts. */
static void test_quick_unload(void)
{
    struct jit_module *other = make_long_module("300");
    struct jit_module *jm = make_long_module("300");
    get(other, 0);
    get(jm, 0);
    get(jm, 1);
    usleep(100000);
    jit_module_destroy(jm);
    unsigned before = compile_count();
    get(other, 0);
    jit_module_destroy(other);
    usleep(500000);
    CHECK(compile_count() == before);
    jm = make_module();
    get(jm, 0);
    jit_module_destroy(jm);
}

static void destroy_in_child(struct jit_module *jm)
{
    jit_module_destroy(jm);
#ifdef __SANITIZE_THREAD__
    return; /* which forbids new threads here */
#endif
    jm = make_long_module("0");
    wait_for_full(jm, get(jm, 0));
    jit_module_destroy(jm);
}

static void test_quick_fork(void)
{
    struct jit_module *jm = make_long_module("500");
    setenv("CUDA_CACHE_DISABLE", "1", 1);
    const struct jit_kernel *quick = get(jm, 0);
    get(jm, 1);
    CHECK(child_status(destroy_in_child, jm) == 0);
    wait_for_full(jm, quick);
    jit_module_destroy(jm);
}

/* Code that needs more stack is for launches that know. */
static void test_quick_stack(void)
{
    setenv("FAKE_FULL_STACK", "5000", 1);
    struct jit_module *jm = make_long_module("10");
    const struct jit_kernel *quick = get(jm, 0);
    const struct jit_kernel *full = wait_for_full(jm, quick);
    CHECK(full->stack_bytes == 5000 && !newer(quick));
    jit_module_destroy(jm);
}

/* Without quick code, or with frames that are too large or of any size, there
 * is the other. */
static void test_quick_fails(void)
{
    static const char *const stacks[] = {"1", "2000000", "0"};

    setenv("CUDA_CACHE_DISABLE", "1", 1);
    for (unsigned i = 0; i < ARRAY_COUNT(stacks); i++) {
        setenv("FAKE_QUICK_STACK", stacks[i], 1);
        struct jit_module *jm = make_long_module("0");
        CHECK(!get(jm, 0)->newer && get(jm, 0)->stack_bytes == 4242);
        jit_module_destroy(jm);
    }
    CHECK(compile_count() == 6);
}

/* ---- all of them -------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"code-runs", test_code_runs},
    {"code-refuses-unknown-symbol", test_code_refuses_unknown_symbol},
    {"code-survives-damage", test_code_survives_damage},
    {"aarch64-relocations", test_aarch64_relocations},
    {"hit-after-store", test_hit_after_store},
    {"truncated-file", test_truncated_file},
    {"foreign-file", test_foreign_file},
    {"damaged-byte", test_damaged_byte},
    {"file-of-others", test_file_of_others},
    {"file-for-others", test_file_for_others},
    {"linked-file", test_linked_file},
    {"folder-for-others", test_folder_for_others},
    {"linked-folder", test_linked_folder},
    {"unwritable-folder", test_unwritable_folder},
    {"no-space", test_no_space},
    {"disabled", test_disabled},
    {"oldest-goes", test_oldest_goes},
    {"too-large-for-limit", test_too_large_for_limit},
    {"foreign-files-stay", test_foreign_files_stay},
    {"abandoned-temporary", test_abandoned_temporary},
    {"many-processes", test_many_processes},
    {"many-threads-compile-once", test_many_threads_compile_once},
    {"failure-is-reported-again", test_failure_is_reported_again},
    {"missing-compiler", test_missing_compiler},
    {"unknown-isa", test_unknown_isa},
    {"perf-map", test_perf_map},
    {"symbols-resolve", test_symbols_resolve},
    {"quick-then-full", test_quick_then_full},
    {"quick-outlives-exit", test_quick_outlives_exit},
    {"quick-unload", test_quick_unload},
    {"quick-fork", test_quick_fork},
    {"quick-stack", test_quick_stack},
    {"quick-fails", test_quick_fails},
};

/* Told apart by their names, since the build lists them in its own order. */
static void find_objects(int count, char **paths)
{
    for (int i = 0; i < count; i++) {
        char *target =
            strstr(paths[i], "bad-symbol") ? bad_object : good_object;
        snprintf(target, sizeof good_object, "%s", paths[i]);
    }
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: jit-test CASE GOOD BAD FAKE-FOLDER\n");
        return 2;
    }
    find_objects(argc - 3, argv + 2);
    strcpy(scratch, "/tmp/weft-jit-test-XXXXXX");
    CHECK(mkdtemp(scratch) != NULL);
    snprintf(cache, sizeof cache, "%s/cache", scratch);
    snprintf(log_path, sizeof log_path, "%s/log", scratch);
    setenv("CUDA_CACHE_PATH", cache, 1);
    setenv("FAKE_LOG", log_path, 1);
    setenv("FAKE_OBJECT", good_object, 1);
    setenv("WEFT_LIB_DIR", argv[argc - 1], 1);
    unsetenv("CUDA_CACHE_DISABLE");
    unsetenv("CUDA_CACHE_MAXSIZE");
    unsetenv("WEFT_ISA");
    setenv("WEFT_QUICK", "0", 1);

    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        if (strcmp(argv[1], cases[i].name))
            continue;
        atexit(remove_scratch);
        cases[i].run();
        return 0;
    }
    fprintf(stderr, "jit-test: no case %s\n", argv[1]);
    return 2;
}
