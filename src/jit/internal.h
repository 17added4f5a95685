/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of jit/ know of each other. Nothing here needs LLVM:
 * src/codegen, which does, shows no more than struct compiler_api (jit.h).
 */
#ifndef WEFT_JIT_INTERNAL_H
#define WEFT_JIT_INTERNAL_H

#include "jit/jit.h"

/* ---- code.c: one object, loaded ----------------------------------------- */

struct jit_lines;
struct jit_code {
    void *memory; /* mmap'ed */
    size_t memory_bytes;
    exec_kernel_fn *entry;
    struct jit_lines *lines; /* NULL: the object has none */
};
/* Maps a relocatable ELF object of this machine, resolves its relocations
 * and makes it executable. The object may be freed afterwards. `name` is the
 * kernel's, for profilers. False after reporting; any input is safe. Any
 * thread. */
bool jit_code_load(const void *object, size_t object_bytes, const char *name,
                   struct jit_code *out, struct diag *diag);
/* Frees what jit_code_load made. No thread may run it. A zeroed *code is fine.
 */
void jit_code_unload(struct jit_code *code);

/* ---- relocate_x86_64.c, relocate_aarch64.c ------------------------------ */

/* One relocation against the loaded image; names as in the ELF psABIs. */
struct jit_reloc {
    uint32_t type;
    uint8_t *place;   /* P: where to write */
    size_t room;      /* bytes from there to the section's end */
    uint64_t address; /* P as an address, for position-relative types */
    uint64_t symbol;  /* S */
    int64_t addend;   /* A */
    uint64_t slot;    /* the address of eight bytes that hold S, near P */
    uint64_t stub;    /* code near P that jumps to S; 0: S itself is near */
};
enum jit_reloc_result { JIT_RELOC_DONE, JIT_RELOC_TOO_FAR, JIT_RELOC_UNKNOWN };

#define JIT_STUB_BYTES 16
struct jit_arch {
    uint16_t elf_machine;
    enum jit_reloc_result (*relocate)(const struct jit_reloc *r);
    /* Writes JIT_STUB_BYTES at `code`, which will run at `address`: a jump to
     * what `slot` holds. */
    void (*write_stub)(uint8_t *code, uint64_t address, uint64_t slot);
};
extern const struct jit_arch jit_arch_x86_64, jit_arch_aarch64;

/* ---- lines.c: lines of the PTX by address, jit_line_at ------------------- */

struct jit_line_source {
    const uint8_t *data; /* .debug_line */
    size_t bytes;
    /* The address that stands at an offset of the table; 0: none does. */
    uint64_t (*address)(const void *object, size_t at);
    const void *object;
};
/* Reads a table of lines and adds it to those that jit_line_at searches, until
 * jit_lines_unload. NULL: no memory; messages then lack the line. `source` need
 * not outlive the call. A lock of lines.c guards both. */
struct jit_lines *jit_lines_load(const struct jit_line_source *source);
void jit_lines_unload(struct jit_lines *lines); /* NULL is harmless */

/* ---- symbols.c ---------------------------------------------------------- */

/* The address of one of the few functions that generated code may call
 * without the helper table; 0 for every other name. */
uint64_t jit_symbol_find(const char *name);

/* ---- cache.c: objects on disk ------------------------------------------- */

/* Looks `key` up. True: *object (malloc'ed) and *facts are what was stored.
 * A file that is damaged or holds another key counts as absent. */
bool jit_cache_find(const char *key, struct compiler_result *result);
/* Stores the object and facts under `key`. A failure is not reported, since a
 * cache only saves time, and leaves no file. */
void jit_cache_store(const char *key, const struct compiler_result *result);

/* ---- library.c: libweft-compiler.so ------------------------------------- */

/* A number that identifies the compiler's build, found without loading it. 0:
 * the library is not there. */
uint64_t jit_library_id(void);

/* ---- background.c: compilations that nobody waits for ------------------- */

#define JIT_STACK_BYTES ((size_t)64 << 20) /* address space, not memory */

/* Embedded in something of the owner's, which keeps it alive until it has run
 * or jit_background_cancel has returned. */
struct jit_job {
    struct jit_job *next; /* background.c's */
    const void *owner;
    void (*run)(struct jit_job *job); /* on a thread with JIT_STACK_BYTES */
};
/* How many processors this process may use. */
unsigned jit_processor_count(void);
/* Runs the job once, on some thread, as soon as a processor has time. If the
 * process ends before, it does not run. */
void jit_background_add(struct jit_job *job);
/* Forgets the owner's waiting jobs and waits for those that run. */
void jit_background_cancel(const void *owner);

/* ---- perfmap.c ---------------------------------------------------------- */

/* Is WEFT_PERF_MAP=1 set? */
bool jit_perfmap_is_wanted(void);
/* Adds a function of the kernel's to the map; name NULL: the kernel itself. A
 * failure is not reported. */
void jit_perfmap_add(uint64_t address, size_t size_bytes, const char *kernel,
                     const char *name);

#endif
