/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Submissions to a queue. One that waits for semaphores in files is held back
 * here until they are signalled; after one that signals such, the layer waits
 * for the queue and signals. So a program whose thread submits the wait before
 * it has what signals under way (a timeline allows that) never comes back.
 */
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- vkQueueSubmit ------------------------------------------------------ */

/* The driver's part of a submission: its semaphores are those that the driver
 * has. */
struct part {
    VkSubmitInfo submit;
    VkTimelineSemaphoreSubmitInfo values;
    VkSemaphore *semaphores;
    VkPipelineStageFlags *stages;
    uint64_t *numbers;
};

static const VkTimelineSemaphoreSubmitInfo *values_of(const VkSubmitInfo *s)
{
    return layer_in_chain(s->pNext,
                          VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
}

static uint64_t number_of(const uint64_t *numbers, uint32_t count, uint32_t i)
{
    return i < count ? numbers[i] : 0;
}

static uint64_t wait_number(const VkSubmitInfo *s, uint32_t i)
{
    const VkTimelineSemaphoreSubmitInfo *v = values_of(s);
    return v ? number_of(v->pWaitSemaphoreValues, v->waitSemaphoreValueCount, i)
             : 0;
}

static uint64_t signal_number(const VkSubmitInfo *s, uint32_t i)
{
    const VkTimelineSemaphoreSubmitInfo *v = values_of(s);
    return v ? number_of(v->pSignalSemaphoreValues,
                         v->signalSemaphoreValueCount, i)
             : 0;
}

static bool has_files(const VkSubmitInfo *s)
{
    bool has = false;
    for (uint32_t i = 0; i < s->waitSemaphoreCount; i++)
        has |= layer_semaphore_find(s->pWaitSemaphores[i]) != NULL;
    for (uint32_t i = 0; i < s->signalSemaphoreCount; i++)
        has |= layer_semaphore_find(s->pSignalSemaphores[i]) != NULL;
    return has;
}

/* Groups of devices and protected memory, which name semaphores by their
 * place. */
static bool has_other_parts(const VkSubmitInfo *s)
{
    const VkBaseInStructure *b = s->pNext;
    while (b && b->sType == VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
        b = b->pNext;
    if (b)
        fprintf(stderr,
                "weft: vkQueueSubmit with structure type %d and a semaphore "
                "that is shared with CUDA is not supported\n",
                (int)b->sType);
    return b != NULL;
}

/* Waits for those in files; the others are the part's. */
static void take_waits(const VkSubmitInfo *s, struct part *p)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->waitSemaphoreCount; i++) {
        struct layer_semaphore *file =
            layer_semaphore_find(s->pWaitSemaphores[i]);
        if (file) {
            layer_semaphore_wait(file, wait_number(s, i));
            continue;
        }
        p->semaphores[n] = s->pWaitSemaphores[i];
        p->stages[n] = s->pWaitDstStageMask[i];
        p->numbers[n++] = wait_number(s, i);
    }
    p->submit.waitSemaphoreCount = n;
    p->submit.pWaitSemaphores = p->semaphores;
    p->submit.pWaitDstStageMask = p->stages;
    p->values.waitSemaphoreValueCount = n;
    p->values.pWaitSemaphoreValues = p->numbers;
}

static void take_signals(const VkSubmitInfo *s, struct part *p)
{
    VkSemaphore *semaphores = p->semaphores + s->waitSemaphoreCount;
    uint64_t *numbers = p->numbers + s->waitSemaphoreCount;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->signalSemaphoreCount; i++) {
        if (layer_semaphore_find(s->pSignalSemaphores[i]))
            continue;
        semaphores[n] = s->pSignalSemaphores[i];
        numbers[n++] = signal_number(s, i);
    }
    p->submit.signalSemaphoreCount = n;
    p->submit.pSignalSemaphores = semaphores;
    p->values.signalSemaphoreValueCount = n;
    p->values.pSignalSemaphoreValues = numbers;
}

static void signal_files(const VkSubmitInfo *s)
{
    for (uint32_t i = 0; i < s->signalSemaphoreCount; i++) {
        struct layer_semaphore *file =
            layer_semaphore_find(s->pSignalSemaphores[i]);
        if (file)
            layer_semaphore_signal(file, signal_number(s, i));
    }
}

static VkResult submit_rest(struct layer_device *d, VkQueue queue,
                            const VkSubmitInfo *s, struct part *p,
                            VkFence fence)
{
    bool signals_files = false;
    take_waits(s, p);
    take_signals(s, p);
    p->submit.pNext = values_of(s) ? &p->values : NULL;
    VkResult result = d->QueueSubmit(queue, 1, &p->submit, fence);
    for (uint32_t i = 0; i < s->signalSemaphoreCount; i++)
        signals_files |= layer_semaphore_find(s->pSignalSemaphores[i]) != NULL;
    if (!result && signals_files)
        result = d->QueueWaitIdle(queue);
    if (!result)
        signal_files(s);
    return result;
}

static VkResult submit_one(struct layer_device *d, VkQueue queue,
                           const VkSubmitInfo *s, VkFence fence)
{
    if (!has_files(s))
        return d->QueueSubmit(queue, 1, s, fence);
    if (has_other_parts(s))
        return VK_ERROR_FEATURE_NOT_PRESENT;
    size_t count = (size_t)s->waitSemaphoreCount + s->signalSemaphoreCount;
    struct part p = {
        .submit = *s,
        .values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .semaphores = calloc(count, sizeof *p.semaphores),
        .stages = calloc(count, sizeof *p.stages),
        .numbers = calloc(count, sizeof *p.numbers),
    };
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (p.semaphores && p.stages && p.numbers)
        result = submit_rest(d, queue, s, &p, fence);
    free(p.semaphores);
    free(p.stages);
    free(p.numbers);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue,
                                                   uint32_t count,
                                                   const VkSubmitInfo *submits,
                                                   VkFence fence)
{
    struct layer_device *d = layer_device_of(queue);
    VkResult result = VK_SUCCESS;
    bool has = false;
    for (uint32_t i = 0; i < count; i++)
        has |= has_files(&submits[i]);
    if (!has)
        return d->QueueSubmit(queue, count, submits, fence);
    for (uint32_t i = 0; i < count && !result; i++)
        result = submit_one(d, queue, &submits[i],
                            i + 1 < count ? VK_NULL_HANDLE : fence);
    return result;
}

/* ---- vkQueueSubmit2 ----------------------------------------------------- */

static bool has_file_info(const VkSemaphoreSubmitInfo *s, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (layer_semaphore_find(s[i].semaphore))
            return true;
    return false;
}

/* The others are left in `out`; returns how many. */
static uint32_t take_infos(const VkSemaphoreSubmitInfo *s, uint32_t count,
                           bool is_wait, VkSemaphoreSubmitInfo *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct layer_semaphore *file = layer_semaphore_find(s[i].semaphore);
        if (!file)
            out[n++] = s[i];
        else if (is_wait)
            layer_semaphore_wait(file, s[i].value);
    }
    return n;
}

static VkResult submit_one_2(struct layer_device *d, VkQueue queue,
                             const VkSubmitInfo2 *s, VkFence fence)
{
    uint32_t waits = s->waitSemaphoreInfoCount;
    uint32_t signals = s->signalSemaphoreInfoCount;
    bool signals_files = has_file_info(s->pSignalSemaphoreInfos, signals);
    VkSubmitInfo2 rest = *s;
    VkSemaphoreSubmitInfo *infos = calloc(waits + signals + 1, sizeof *infos);
    if (!infos)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    rest.pWaitSemaphoreInfos = infos;
    rest.waitSemaphoreInfoCount =
        take_infos(s->pWaitSemaphoreInfos, waits, true, infos);
    rest.pSignalSemaphoreInfos = infos + waits;
    rest.signalSemaphoreInfoCount =
        take_infos(s->pSignalSemaphoreInfos, signals, false, infos + waits);
    VkResult result = d->QueueSubmit2(queue, 1, &rest, fence);
    free(infos);
    if (!result && signals_files)
        result = d->QueueWaitIdle(queue);
    for (uint32_t i = 0; i < signals && !result; i++) {
        const VkSemaphoreSubmitInfo *info = &s->pSignalSemaphoreInfos[i];
        struct layer_semaphore *file = layer_semaphore_find(info->semaphore);
        if (file)
            layer_semaphore_signal(file, info->value);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit_2(
    VkQueue queue, uint32_t count, const VkSubmitInfo2 *submits, VkFence fence)
{
    struct layer_device *d = layer_device_of(queue);
    VkResult result = VK_SUCCESS;
    if (!count)
        return d->QueueSubmit2(queue, 0, NULL, fence);
    for (uint32_t i = 0; i < count && !result; i++)
        result = submit_one_2(d, queue, &submits[i],
                              i + 1 < count ? VK_NULL_HANDLE : fence);
    return result;
}

PFN_vkVoidFunction layer_submit_function(const char *name)
{
    static const struct layer_function own[] = {
        LAYER_FUNCTION("vkQueueSubmit", queue_submit),
        LAYER_FUNCTION("vkQueueSubmit2", queue_submit_2),
        LAYER_FUNCTION("vkQueueSubmit2KHR", queue_submit_2),
    };
    return layer_find(own, sizeof own / sizeof own[0], name);
}
