/* SPDX-License-Identifier: Apache-2.0 */
/* What the interpreter checks, if it is asked to: each access to memory, shared
 * memory for races, barriers for threads that miss them. */
#ifndef WEFT_EMU_CHECK_H
#define WEFT_EMU_CHECK_H

#include "emu/internal.h"

/* check.c: enum emu_check, by bit; 0: nothing is checked. */
extern unsigned emu_checks_wanted;

/* A thread of the block is about to access memory. `line`: of the PTX. */
struct emu_touch {
    struct emu_block *b;
    struct emu_thread *t;
    uint32_t line;
    unsigned access;      /* enum emu_access */
    enum ptx_space space; /* that the instruction names */
    /* What will be written; NULL: it is not known. */
    const void *value;
};

/* False: the access must not be made; it was reported. */
bool emu_touch_checked(const struct emu_touch *touch, const uint8_t *p,
                       size_t bytes);

/* The same for an instruction: of the space that it names. */
static inline bool emu_touch(struct emu_block *b, struct emu_thread *t,
                             const struct ptx_inst *in, enum ptx_space space,
                             const uint8_t *p, size_t bytes, unsigned access)
{
    if (!emu_checks_wanted)
        return true;
    return emu_touch_checked(
        &(struct emu_touch){b, t, in->line, access, space, NULL}, p, bytes);
}

/* The same for the instruction's ordinary access (emu_reach). */
bool emu_may_access(struct emu_block *b, struct emu_thread *t,
                    const struct ptx_inst *in);

/* Reports it. Returns false, for emu_test_alignment. */
bool emu_report_misaligned(struct emu_block *b, struct emu_thread *t,
                           const struct ptx_inst *in, uint64_t address,
                           unsigned align_bytes);

/* Reports a barrier that goes wrong for the thread, if that is wanted. */
void emu_report_barrier(struct emu_block *b, const struct emu_thread *t,
                        const char *what);

/* Notes emu_thread.last_work. */
void emu_note_work(struct emu_thread *t, const struct ptx_inst *in);
/* May instruction `to` of the function run after instruction `from`? */
bool emu_can_reach(const struct ptx_func *f, uint32_t from, uint32_t to);

/* race.c's findings. */
void emu_report_race(const struct emu_finding *f);

/* A call's blocks are done; if they are the launch's last ones, reports its
 * races, and ends the kernel if an access in it was bad. */
void emu_end_checked(struct emu_block *b);

/* Threads of the block wait: ends the kernel if they may wait for a store that
 * was not made. */
void emu_end_stuck(struct emu_block *b);

/* ---- race.c ------------------------------------------------------------- */

/* What is known about accesses to a block's shared memory. NULL: races are not
 * looked for, or there is no memory for it. */
struct emu_races *emu_races_create(const struct emu_block *b);
void emu_races_destroy(struct emu_races *r); /* NULL is harmless */
/* A launch is done: reports its races. */
void emu_races_report(uint64_t grid_id);
/* A block begins. */
void emu_races_begin(struct emu_races *r);
/* An access to bytes at this offset of the block's shared memory. */
void emu_races_touch(struct emu_races *r, const struct emu_touch *touch,
                     uint32_t offset, uint32_t bytes);
/* Before an atomic or strong access to memory of any kind: the thread sees what
 * those before it did that wrote there. */
void emu_races_see(struct emu_races *r, const struct emu_thread *t,
                   const uint8_t *p);
/* Behind one that writes: others will see it and what the thread did before. */
void emu_races_publish(struct emu_races *r, const struct emu_thread *t,
                       const uint8_t *p);
/* The threads of a mask have met. warp: its first thread. */
void emu_races_meet(struct emu_races *r, const struct emu_thread *warp,
                    uint32_t mask);
/* bar.arrive: the thread arrives at a barrier of the block and goes on. */
void emu_races_pass(struct emu_races *r, const struct emu_thread *t,
                    uint32_t barrier);
/* A barrier of the block is complete; those that wait still stand there. */
void emu_races_release(struct emu_races *r, uint32_t barrier);
/* All threads of the block have met at the cluster's barrier. */
void emu_races_all_meet(struct emu_races *r);
/* cp.async.commit_group; and cp.async.wait_group with so many groups left. */
void emu_races_commit(struct emu_races *r, const struct emu_thread *t);
void emu_races_wait(struct emu_races *r, const struct emu_thread *t,
                    uint32_t left);

#endif
