/* SPDX-License-Identifier: Apache-2.0 */
/* Replaying a record: running on an engine, and what counts as agreement. */
#ifndef WEFT_TESTS_TRUTH_REPLAY_H
#define WEFT_TESTS_TRUTH_REPLAY_H

#include "truth.h"

enum truth_engine { TRUTH_SIMD, TRUTH_EMU, TRUTH_UNIFORM, TRUTH_LANES };

bool truth_engine_find(const char *name, enum truth_engine *out);
const char *truth_engine_name(enum truth_engine e);

/* Runs a group: [form][output][sample], malloc'ed. NULL: it does not compile
 * or did not end well; *why is malloc'ed text or NULL. */
uint64_t *truth_run(const struct truth_forms *forms, struct truth_range group,
                    enum truth_engine engine, char **why);
void truth_stop(void); /* ends the engine's threads */

/* A result of the engine is as good as the recorded one. in: the sample's
 * operands. */
bool truth_agrees(const struct truth_form *form, unsigned output,
                  const uint64_t *in, uint64_t want, uint64_t got,
                  enum truth_engine engine);

/* Listed in refused.def. */
bool truth_may_refuse(const struct truth_form *form, enum truth_engine engine);
/* Its results depend on other lanes, on the block or on memory. */
bool truth_needs_lanes(const struct truth_form *form);

/* Reads a compressed record. False after saying why on stderr. */
bool truth_read(const char *path, struct truth_record *record);

#endif
