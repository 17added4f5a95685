/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/core/hooks.h"
#include "emit/core/hooks.h"

#include <stddef.h>

#include "base/base.h"

#define EMIT_HOOK(moment, fn) void fn(struct emit *e);
#include "emit/core/hooks.def"

static const struct hook {
    enum emit_moment at;
    void (*fn)(struct emit *e);
} hooks[] = {
#define EMIT_HOOK(moment, fn) {EMIT_AT_##moment, fn},
#include "emit/core/hooks.def"
};

void emit_run_hooks(struct emit *e, enum emit_moment now)
{
    for (size_t i = 0; i < ARRAY_COUNT(hooks); i++)
        if (hooks[i].at == now)
            hooks[i].fn(e);
}
