/* SPDX-License-Identifier: Apache-2.0 */
#include "lib/common/pending.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/captures.h"
#include "core/core.h"

struct pending_use {
    unsigned long long stream_id; /* never used again */
    CUevent end;
};

/* Of all lists: it is held for a few instructions. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The stream that the handle means; NULL: none, or one that is captured. */
static CUstream running_stream(CUstream handle)
{
    CUcontext ctx;
    CUstream s = NULL;
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    if (ctx_of_thread(&ctx) || stream_resolve(ctx, handle, &s))
        return NULL;
    capture_status(s, &status);
    return status == CU_STREAM_CAPTURE_STATUS_NONE ? s : NULL;
}

/* Its context may have ended, and the event with it. */
static bool is_over(CUevent e)
{
    return !event_context(e) || event_query(e) != CUDA_ERROR_NOT_READY;
}

static void end_event(CUevent e)
{
    if (event_context(e))
        event_destroy(e);
}

static void drop_ended(struct pending *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (is_over(p->uses[i].end))
            end_event(p->uses[i].end);
        else
            p->uses[kept++] = p->uses[i];
    }
    p->count = kept;
}

/* The stream's use, a new one if there is none. NULL: no memory. */
static struct pending_use *find_use(struct pending *p, CUstream s)
{
    unsigned long long id = stream_id(s);
    for (size_t i = 0; i < p->count; i++)
        if (p->uses[i].stream_id == id && event_context(p->uses[i].end))
            return &p->uses[i];
    drop_ended(p);
    struct pending_use *more =
        realloc(p->uses, (p->count + 1) * sizeof *p->uses);
    if (!more)
        return NULL;
    p->uses = more;
    struct pending_use *use = &p->uses[p->count];
    use->stream_id = id;
    if (event_create(stream_context(s), CU_EVENT_DISABLE_TIMING, &use->end))
        return NULL;
    p->count++;
    return use;
}

void pending_note(struct pending *p, CUstream stream)
{
    CUstream s = running_stream(stream);
    if (!s)
        return;
    pthread_mutex_lock(&lock);
    struct pending_use *use = find_use(p, s);
    bool is_noted = use && !event_record(use->end, s);
    pthread_mutex_unlock(&lock);
    if (!is_noted)
        stream_synchronize(s);
}

CUresult pending_order(struct pending *p, CUstream stream)
{
    CUresult err = CUDA_SUCCESS;
    CUstream s = running_stream(stream);
    if (!s)
        return CUDA_SUCCESS;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < p->count && !err; i++)
        if (p->uses[i].stream_id != stream_id(s) && !is_over(p->uses[i].end))
            err = stream_wait_event(s, p->uses[i].end);
    pthread_mutex_unlock(&lock);
    return err;
}

void pending_wait(struct pending *p)
{
    for (size_t i = 0; i < p->count; i++) {
        if (event_context(p->uses[i].end))
            event_synchronize(p->uses[i].end);
        end_event(p->uses[i].end);
    }
    free(p->uses);
    *p = (struct pending){0};
}
