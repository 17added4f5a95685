/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions that no task of ours makes true, in stream order. */
#ifndef WEFT_CORE_UNTIL_H
#define WEFT_CORE_UNTIL_H

#include "core/core.h"

struct until {
    /* Looked at by a thread of its own, again and again; must not block. */
    bool (*holds)(const void *data);
    void (*end)(void *data); /* of the data, with success; may be NULL */
    void *data;
};

/* What comes in the stream comes after the condition held once. */
CUresult stream_wait_until(CUstream s, const struct until *u);
/* Something may have changed: look now. */
void until_poke(void);

#endif
