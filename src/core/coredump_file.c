/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a core file that CUDA's debuggers read: ELF whose sections are tables
 * of devices, contexts, grids, SMs, blocks, warps and lanes. sh_link of a
 * table names the table that its rows belong to, sh_info the row there. The
 * format is that of cuda-gdb's libcudacore. A kernel here has the block that
 * failed and its shared memory, but neither registers nor machine code of a
 * GPU.
 */
#define _GNU_SOURCE
#include "core/coredump.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    EM_OF_CUDA = 190,
    OSABI_CUDA = 0x33,
    ABI_VERSION = 7,
    GRID_IS_ACTIVE = 2,
};

/* ---- rows ------------------------------------------------------------- */

struct device_row {
    uint64_t name, type, sm_type; /* in the string table */
    uint32_t id, pci_bus, pci_device;
    uint32_t sms, warps, lanes, registers, predicates;
    uint32_t major, minor, instruction_bytes, status;
    uint32_t uniform_registers, uniform_predicates;
};
struct context_row {
    uint64_t id, shared_base, local_base, global_base;
    uint32_t device, thread;
};
struct grid_row {
    uint64_t id, context, function, entry, module, parent, params_offset;
    uint32_t kernel_type, origin, status, registers;
    uint32_t grid[3], block[3];
    uint32_t is_blocking, thread;
};
struct sm_row {
    uint32_t id, pad;
};
struct block_row {
    uint64_t grid;
    uint32_t index[3], pad;
};
struct warp_row {
    uint64_t error_pc;
    uint32_t id, valid_lanes, active_lanes, is_broken, has_error_pc, pad;
};
struct lane_row {
    uint64_t virtual_pc, physical_pc;
    uint32_t id, index[3], exception, depth, system_depth, flags;
};
struct meta_row {
    uint64_t generator; /* in the string table */
    uint32_t driver_major, driver_minor, cuda_major, cuda_minor;
    uint32_t flags, time;
};
static_assert(sizeof(struct device_row) == 80 &&
                  sizeof(struct grid_row) == 104 &&
                  sizeof(struct warp_row) == 32 &&
                  sizeof(struct lane_row) == 48,
              "as debuggers have them");

enum section {
    S_NONE,
    S_NAMES,
    S_STRINGS,
    S_DEVICES,
    S_CONTEXTS,
    S_GRIDS,
    S_SMS,
    S_BLOCKS,
    S_WARPS,
    S_LANES,
    S_META,
    S_MEMORY, /* the first of them */
};
static const struct {
    const char *name;
    uint32_t type;
    enum section parent;
    size_t row_bytes;
} sections[] = {
    [S_NONE] = {"", SHT_NULL, S_NONE, 0},
    [S_NAMES] = {".shstrtab", SHT_STRTAB, S_NONE, 0},
    [S_STRINGS] = {".strtab", SHT_STRTAB, S_NONE, 0},
    [S_DEVICES] = {".cudbg.devtbl", SHT_LOUSER + 9, S_NONE,
                   sizeof(struct device_row)},
    [S_CONTEXTS] = {".cudbg.ctxtbl.dev0", SHT_LOUSER + 10, S_DEVICES,
                    sizeof(struct context_row)},
    [S_GRIDS] = {".cudbg.gridtbl.dev0", SHT_LOUSER + 12, S_DEVICES,
                 sizeof(struct grid_row)},
    [S_SMS] = {".cudbg.smtbl.dev0", SHT_LOUSER + 11, S_DEVICES,
               sizeof(struct sm_row)},
    [S_BLOCKS] = {".cudbg.ctatbl.dev0.sm0", SHT_LOUSER + 13, S_SMS,
                  sizeof(struct block_row)},
    [S_WARPS] = {".cudbg.wptbl.dev0.sm0.cta0", SHT_LOUSER + 14, S_BLOCKS,
                 sizeof(struct warp_row)},
    [S_LANES] = {".cudbg.lntbl.dev0.sm0.cta0.wp0", SHT_LOUSER + 15, S_WARPS,
                 sizeof(struct lane_row)},
    [S_META] = {".cudbg.meta", SHT_LOUSER + 22, S_NONE,
                sizeof(struct meta_row)},
};

/* ---- the ELF file ----------------------------------------------------- */

struct text_table {
    char bytes[512];
    size_t size;
};

struct core {
    FILE *out;
    VEC(Elf64_Shdr) headers;
    struct text_table names, strings; /* of sections; of rows */
    bool has_failed;
};

/* Adds a text; returns its offset in the table. */
static uint32_t add_text(struct core *c, struct text_table *t, const char *text)
{
    size_t size = strlen(text) + 1;
    assert(t->size <= sizeof t->bytes);
    const char *found = memmem(t->bytes, t->size, text, size);
    if (found)
        return (uint32_t)(found - t->bytes);
    if (size > sizeof t->bytes - t->size) {
        c->has_failed = true;
        return 0;
    }
    memcpy(t->bytes + t->size, text, size);
    t->size += size;
    return (uint32_t)(t->size - size);
}

static void add_header(struct core *c, const char *name, Elf64_Shdr h)
{
    h.sh_name = add_text(c, &c->names, name);
    h.sh_addralign = 8;
    if (!vec_push(&c->headers, h))
        c->has_failed = true;
}

static void put_bytes(struct core *c, const void *data, size_t size_bytes)
{
    if (fwrite(data, 1, size_bytes, c->out) != size_bytes)
        c->has_failed = true;
}

static uint64_t aligned_place(struct core *c)
{
    static const char zeros[8];
    put_bytes(c, zeros, (size_t)-ftell(c->out) & 7);
    return (uint64_t)ftell(c->out);
}

/* Tables are added in the order of their numbers, each once. */
static void add_table(struct core *c, enum section s, const void *data,
                      size_t size_bytes)
{
    assert(c->headers.count == s || c->has_failed);
    const Elf64_Shdr h = {
        .sh_type = sections[s].type,
        .sh_link = sections[s].parent,
        .sh_entsize = sections[s].row_bytes,
        .sh_offset = aligned_place(c),
        .sh_size = size_bytes,
    };
    put_bytes(c, data, size_bytes);
    add_header(c, sections[s].name, h);
}

/* Adds the shared memory of the block that failed, if it has any. */
static void add_shared(struct core *c)
{
    static const char name[] = ".cudbg.shared.dev0.sm0.cta0";
    uint8_t *bytes = malloc(LIMIT_SHARED_OPTIN_BYTES);
    if (!bytes) {
        c->has_failed = true;
        return;
    }
    size_t size = exec_last_fault_shared(bytes, LIMIT_SHARED_OPTIN_BYTES);
    const Elf64_Shdr h = {
        .sh_type = SHT_LOUSER + 4,
        .sh_link = S_BLOCKS,
        .sh_offset = aligned_place(c),
        .sh_size =
            size < LIMIT_SHARED_OPTIN_BYTES ? size : LIMIT_SHARED_OPTIN_BYTES,
    };
    put_bytes(c, bytes, h.sh_size);
    if (h.sh_size)
        add_header(c, name, h);
    free(bytes);
}

/* The operating system reads the memory, so that pages which are closed
 * meanwhile are no fault. */
static void add_memory(void *core, const struct mem_info *info)
{
    struct core *c = core;
    bool is_managed = mem_seen_as(info) == MEM_MANAGED;
    Elf64_Shdr h = {
        .sh_type = SHT_LOUSER + (is_managed ? 1 : 2),
        .sh_addr = info->base,
        .sh_offset = aligned_place(c),
    };
    fflush(c->out);
    ssize_t written =
        write(fileno(c->out), (void *)(uintptr_t)info->base, info->size_bytes);
    if (fseek(c->out, 0, SEEK_END))
        c->has_failed = true;
    if (written <= 0)
        return;
    h.sh_size = (size_t)written;
    add_header(c, is_managed ? ".cudbg.managed" : ".cudbg.global", h);
}

static void finish_file(struct core *c)
{
    assert(c->headers.count >= S_MEMORY && c->headers.count <= UINT16_MAX);
    c->headers.data[S_NAMES].sh_offset = aligned_place(c);
    c->headers.data[S_NAMES].sh_size = c->names.size;
    put_bytes(c, c->names.bytes, c->names.size);
    c->headers.data[S_STRINGS].sh_offset = aligned_place(c);
    c->headers.data[S_STRINGS].sh_size = c->strings.size;
    put_bytes(c, c->strings.bytes, c->strings.size);
    const Elf64_Ehdr h = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                    EV_CURRENT, OSABI_CUDA, ABI_VERSION},
        .e_type = ET_CORE,
        .e_machine = EM_OF_CUDA,
        .e_version = EV_CURRENT,
        .e_flags = DEVICE_SM,
        .e_ehsize = sizeof h,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shoff = aligned_place(c),
        .e_shnum = (uint16_t)c->headers.count,
        .e_shstrndx = S_NAMES,
    };
    put_bytes(c, c->headers.data, c->headers.count * sizeof c->headers.data[0]);
    rewind(c->out);
    put_bytes(c, &h, sizeof h);
}

/* ---- what is in it ---------------------------------------------------- */

static void add_device(struct core *c)
{
    const struct device_row row = {
        .name = add_text(c, &c->strings, device_name()),
        .type = add_text(c, &c->strings, "weft"),
        .sm_type = add_text(c, &c->strings, "sm_90"),
        .sms = device_sm_count(),
        .warps = LIMIT_WARPS_PER_SM,
        .lanes = 32,
        .major = DEVICE_SM / 10,
        .minor = DEVICE_SM % 10,
        .instruction_bytes = 16,
    };
    add_table(c, S_DEVICES, &row, sizeof row);
}

static void add_context(struct core *c, CUcontext ctx)
{
    const struct context_row row = {.id = ctx_id(ctx),
                                    .thread = (uint32_t)gettid()};
    add_table(c, S_CONTEXTS, &row, sizeof row);
}

static void add_grid(struct core *c, const struct coredump *d)
{
    struct grid_row row = {
        .id = 1, .context = ctx_id(d->ctx), .status = GRID_IS_ACTIVE};
    if (d->fault) {
        memcpy(row.grid, d->fault->grid, sizeof row.grid);
        memcpy(row.block, d->fault->block, sizeof row.block);
    }
    add_table(c, S_GRIDS, &row, d->fault ? sizeof row : 0);
}

/* Coordinates of a linear index. */
static void set_index(uint32_t index[3], uint64_t linear,
                      const uint32_t size[3])
{
    index[0] = (uint32_t)(linear % size[0]);
    index[1] = (uint32_t)(linear / size[0] % size[1]);
    index[2] = (uint32_t)(linear / size[0] / size[1]);
    assert(index[2] < size[2]);
}

static void add_block(struct core *c, const struct exec_fault_info *f)
{
    const struct sm_row sm = {.id = 0};
    struct block_row row = {.grid = 1};
    if (f)
        set_index(row.index, f->block_linear, f->grid);
    add_table(c, S_SMS, &sm, sizeof sm);
    add_table(c, S_BLOCKS, &row, f ? sizeof row : 0);
}

/* The number by which debuggers know the exception. */
static uint32_t exception_of(enum exec_fault fault)
{
    static const uint32_t numbers[] = {
#define EXEC_FAULT(name, text, error, exception)                               \
    [EXEC_FAULT_##name] = exception,
#include "exec/faults.def"
    };
    assert(fault < ARRAY_COUNT(numbers));
    return numbers[fault];
}

static void add_warp(struct core *c, const struct exec_fault_info *f)
{
    struct lane_row lanes[32] = {0};
    struct warp_row row = {.is_broken = 1};
    uint64_t threads =
        f ? (uint64_t)f->block[0] * f->block[1] * f->block[2] : 0;
    uint64_t first = f ? (uint64_t)f->warp * 32 : 0;
    uint32_t count = 0;
    for (; count < 32 && first + count < threads; count++) {
        struct lane_row *l = &lanes[count];
        l->id = count;
        set_index(l->index, first + count, f->block);
        if (first + count - f->thread < f->thread_count)
            l->exception = exception_of(f->fault);
        row.valid_lanes |= UINT32_C(1) << count;
    }
    row.id = f ? f->warp : 0;
    row.active_lanes = row.valid_lanes;
    add_table(c, S_WARPS, &row, f ? sizeof row : 0);
    add_table(c, S_LANES, lanes, count * sizeof lanes[0]);
}

static void add_meta(struct core *c, unsigned flags)
{
    const struct meta_row row = {
        .generator = add_text(c, &c->strings, "weft"),
        .cuda_major = device_driver_version() / 1000,
        .cuda_minor = device_driver_version() % 1000 / 10,
        .flags = flags,
        .time = (uint32_t)time(NULL),
    };
    add_table(c, S_META, &row, sizeof row);
}

static void write_all(struct core *c, const struct coredump *d)
{
    const Elf64_Ehdr later = {0};
    put_bytes(c, &later, sizeof later);
    add_text(c, &c->names, "");
    add_text(c, &c->strings, "");
    for (enum section s = S_NONE; s < S_DEVICES; s++)
        add_table(c, s, NULL, 0);
    add_device(c);
    add_context(c, d->ctx);
    add_grid(c, d);
    add_block(c, d->fault);
    add_warp(c, d->fault);
    add_meta(c, d->flags);
    if (d->fault && !(d->flags & CU_COREDUMP_SKIP_SHARED_MEMORY))
        add_shared(c);
    if (!(d->flags & CU_COREDUMP_SKIP_GLOBAL_MEMORY))
        mem_visit(add_memory, c);
    if (!c->has_failed)
        finish_file(c);
}

bool coredump_write(const char *path, const struct coredump *d)
{
    struct core c = {.out = fopen(path, "w+be")};
    if (!c.out)
        return false;
    write_all(&c, d);
    vec_fini(&c.headers);
    return !fclose(c.out) && !c.has_failed;
}
