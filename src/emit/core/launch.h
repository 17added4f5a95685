/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function knows of the launch and its warp.
 */
#ifndef WEFT_EMIT_LAUNCH_H
#define WEFT_EMIT_LAUNCH_H

#include "emit/core/state.h"

/* Memory of a warp with calls: a bit for each lane that has exited in one. */
LLVMValueRef emit_exited_pointer(struct emit *e);
/* Memory of the same warp: by which calls the current function was reached. */
LLVMValueRef emit_path_pointer(struct emit *e);
/* emit_attributes: for functions whose first parameter is the warp; the other:
 * for any function. */
void emit_attributes(struct emit *e, LLVMValueRef fn);
void emit_attributes_of_all(struct emit *e, LLVMValueRef fn);
void emit_add_attribute(struct emit *e, LLVMValueRef fn, int index,
                        const char *name, uint64_t value);
/* Fills in f->env for the current function, which has `warp` as a
 * parameter. */
void emit_make_env(struct emit *e, LLVMValueRef warp);
/* Loads a field that does not change while the function runs. */
LLVMValueRef emit_load_constant(struct emit *e, LLVMValueRef base,
                                size_t offset, LLVMTypeRef type);
#define EMIT_WARP_FIELD(e, env, field, type)                                   \
    emit_load_constant((e), (env)->warp, offsetof(struct exec_warp, field),    \
                       (type))
LLVMValueRef emit_launch_field(struct emit *e, size_t offset, LLVMTypeRef type);
/* Calls helpers->field(warp, args...). */
LLVMValueRef emit_helper(struct emit *e, size_t offset, LLVMTypeRef ret,
                         LLVMValueRef *args, unsigned count);
#define EMIT_HELPER(e, field, ret, args, count)                                \
    emit_helper((e), offsetof(struct exec_helpers, field), (ret), (args),      \
                (count))
/* The thread's lane within its warp of 32. */
LLVMValueRef emit_own_lane(struct emit *e);

#endif
