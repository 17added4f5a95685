/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semaphores that are made to be exported have their value in a file of
 * memory; who imports its descriptor, CUDA or Vulkan, waits and signals there.
 * The driver has a semaphore of the same handle, which it never sees used.
 */
#define _GNU_SOURCE
#include "layer.h"

#include "base/clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILE_BYTES = 4096, PAUSE_NS = 20000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = {&all, &all};

static struct layer_semaphore *find_any(VkSemaphore handle)
{
    struct layer_semaphore *found = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct layer_semaphore, s, &all, in_semaphores)
        if (s->handle == handle)
            found = s;
    pthread_mutex_unlock(&lock);
    return found;
}

struct layer_semaphore *layer_semaphore_find(VkSemaphore handle)
{
    struct layer_semaphore *s = find_any(handle);
    return s && s->now.file >= 0 ? s : NULL;
}

bool layer_semaphore_try(struct layer_semaphore *s, uint64_t value)
{
    uint64_t one = 1;
    return s->is_timeline
               ? atomic_load(s->now.value) >= value
               : atomic_compare_exchange_strong(s->now.value, &one, 0);
}

static void end_payload(struct layer_payload *p)
{
    if (p->file < 0)
        return;
    munmap((void *)p->value, FILE_BYTES);
    close(p->file);
    *p = (struct layer_payload){.file = -1};
}

static void end_temporary(struct layer_semaphore *s)
{
    end_payload(&s->now);
    s->now = s->earlier;
    s->earlier.file = -1;
    s->is_temporary = false;
}

static void pause_shortly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

void layer_semaphore_wait(struct layer_semaphore *s, uint64_t value)
{
    while (!layer_semaphore_try(s, value))
        pause_shortly();
    if (s->is_temporary)
        end_temporary(s);
}

void layer_semaphore_signal(struct layer_semaphore *s, uint64_t value)
{
    atomic_store(s->now.value, s->is_timeline ? value : 1);
}

/* ---- made and destroyed ------------------------------------------------- */

/* Maps the file; the semaphore owns it from then on. */
static bool use_file(struct layer_semaphore *s, int file, bool is_temporary)
{
    struct stat st;
    if (fstat(file, &st) || !S_ISREG(st.st_mode) ||
        st.st_size < (off_t)sizeof *s->now.value)
        return false;
    void *p =
        mmap(NULL, FILE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (p == MAP_FAILED)
        return false;
    if (s->is_temporary)
        end_temporary(s);
    if (is_temporary)
        s->earlier = s->now;
    else
        end_payload(&s->now);
    s->now = (struct layer_payload){file, p};
    s->is_temporary = is_temporary;
    return true;
}

static void end_semaphore(struct layer_semaphore *s)
{
    end_payload(&s->now);
    end_payload(&s->earlier);
    free(s);
}

/* Without a file yet. */
static struct layer_semaphore *new_semaphore(bool is_timeline)
{
    struct layer_semaphore *s = calloc(1, sizeof *s);
    if (s) {
        s->now.file = s->earlier.file = -1;
        s->is_timeline = is_timeline;
    }
    return s;
}

static struct layer_semaphore *semaphore_in_file(bool is_timeline,
                                                 uint64_t value)
{
    struct layer_semaphore *s = new_semaphore(is_timeline);
    int file = s ? memfd_create("weft-semaphore", MFD_CLOEXEC) : -1;
    if (file >= 0 && !ftruncate(file, FILE_BYTES) && use_file(s, file, false)) {
        atomic_store(s->now.value, value);
        return s;
    }
    if (file >= 0)
        close(file);
    if (s)
        end_semaphore(s);
    return NULL;
}

static void add_semaphore(struct layer_semaphore *s, VkSemaphore handle)
{
    s->handle = handle;
    pthread_mutex_lock(&lock);
    list_push(&all, &s->in_semaphores);
    pthread_mutex_unlock(&lock);
}

/* The driver's own, of the same kind, but not to be exported. */
static VkResult create_below(struct layer_device *d,
                             const VkSemaphoreTypeCreateInfo *type,
                             const VkAllocationCallbacks *allocator,
                             VkSemaphore *out)
{
    VkSemaphoreTypeCreateInfo plain_type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    const VkSemaphoreCreateInfo plain = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = type ? &plain_type : NULL};
    if (type) {
        plain_type.semaphoreType = type->semaphoreType;
        plain_type.initialValue = type->initialValue;
    }
    return d->CreateSemaphore(d->device, &plain, allocator, out);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_semaphore(VkDevice device, const VkSemaphoreCreateInfo *info,
                 const VkAllocationCallbacks *allocator, VkSemaphore *out)
{
    struct layer_device *d = layer_device_of(device);
    const VkExportSemaphoreCreateInfo *export =
        layer_in_chain(info, VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO);
    const VkSemaphoreTypeCreateInfo *type =
        layer_in_chain(info, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    bool is_timeline =
        type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    bool has_file =
        export &&
        export->handleTypes & VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    if (!has_file && !is_timeline)
        return d->CreateSemaphore(device, info, allocator, out);
    struct layer_semaphore *s =
        has_file ? semaphore_in_file(is_timeline,
                                     is_timeline ? type->initialValue : 0)
                 : new_semaphore(true);
    if (!s)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = has_file
                          ? create_below(d, type, allocator, out)
                          : d->CreateSemaphore(device, info, allocator, out);
    if (result)
        end_semaphore(s);
    else
        add_semaphore(s, *out);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL
destroy_semaphore(VkDevice device, VkSemaphore semaphore,
                  const VkAllocationCallbacks *allocator)
{
    struct layer_semaphore *s = semaphore ? find_any(semaphore) : NULL;
    if (s) {
        pthread_mutex_lock(&lock);
        list_remove(&s->in_semaphores);
        pthread_mutex_unlock(&lock);
        end_semaphore(s);
    }
    layer_device_of(device)->DestroySemaphore(device, semaphore, allocator);
}

/* ---- descriptors -------------------------------------------------------- */

static VkResult refuse_handle(const char *function, unsigned handle_type)
{
    fprintf(stderr,
            "weft: %s with handle type %#x is not supported for this "
            "semaphore: make it with "
            "VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT and use that\n",
            function, handle_type);
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

static VKAPI_ATTR VkResult VKAPI_CALL
get_file(VkDevice device, const VkSemaphoreGetFdInfoKHR *info, int *out)
{
    struct layer_device *d = layer_device_of(device);
    struct layer_semaphore *s = layer_semaphore_find(info->semaphore);
    bool is_file =
        info->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    if (!is_file && !s && d->GetSemaphoreFdKHR)
        return d->GetSemaphoreFdKHR(device, info, out);
    if (!is_file || !s)
        return refuse_handle("vkGetSemaphoreFdKHR", info->handleType);
    *out = fcntl(s->now.file, F_DUPFD_CLOEXEC, 0);
    return *out < 0 ? VK_ERROR_TOO_MANY_OBJECTS : VK_SUCCESS;
}

/* A semaphore that was not made to be exported has its value in the file from
 * then on, too. */
static VKAPI_ATTR VkResult VKAPI_CALL
import_file(VkDevice device, const VkImportSemaphoreFdInfoKHR *info)
{
    struct layer_device *d = layer_device_of(device);
    struct layer_semaphore *s = find_any(info->semaphore);
    bool is_temporary = info->flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT;
    bool is_new = !s;
    if (info->handleType != VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT) {
        if (d->ImportSemaphoreFdKHR && !layer_semaphore_find(info->semaphore))
            return d->ImportSemaphoreFdKHR(device, info);
        return refuse_handle("vkImportSemaphoreFdKHR", info->handleType);
    }
    s = s ? s : new_semaphore(false);
    if (!s)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!(is_temporary && s->is_timeline) && /* which Vulkan does not allow */
        use_file(s, info->fd, is_temporary)) {
        if (is_new)
            add_semaphore(s, info->semaphore);
        return VK_SUCCESS;
    }
    if (is_new)
        end_semaphore(s);
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
}

/* ---- timelines on the host ---------------------------------------------- */

static VKAPI_ATTR VkResult VKAPI_CALL get_value(VkDevice device,
                                                VkSemaphore semaphore,
                                                uint64_t *out)
{
    struct layer_semaphore *s = layer_semaphore_find(semaphore);
    if (!s)
        return layer_device_of(device)->GetSemaphoreCounterValue(
            device, semaphore, out);
    *out = atomic_load(s->now.value);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
signal_value(VkDevice device, const VkSemaphoreSignalInfo *info)
{
    struct layer_semaphore *s = layer_semaphore_find(info->semaphore);
    if (!s)
        return layer_device_of(device)->SignalSemaphore(device, info);
    layer_semaphore_signal(s, info->value);
    return VK_SUCCESS;
}

static bool has_value(VkDevice device, VkSemaphore semaphore, uint64_t value)
{
    uint64_t now = 0;
    return !get_value(device, semaphore, &now) && now >= value;
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_values(
    VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout_ns)
{
    bool is_any = info->flags & VK_SEMAPHORE_WAIT_ANY_BIT, has_file = false;
    uint64_t begin = clock_now_ns();
    for (uint32_t i = 0; i < info->semaphoreCount; i++)
        has_file |= layer_semaphore_find(info->pSemaphores[i]) != NULL;
    if (!has_file)
        return layer_device_of(device)->WaitSemaphores(device, info,
                                                       timeout_ns);
    for (;;) {
        uint32_t reached = 0;
        for (uint32_t i = 0; i < info->semaphoreCount; i++)
            reached +=
                has_value(device, info->pSemaphores[i], info->pValues[i]);
        if (reached == info->semaphoreCount || (is_any && reached))
            return VK_SUCCESS;
        if (clock_now_ns() - begin >= timeout_ns)
            return VK_TIMEOUT;
        pause_shortly();
    }
}

PFN_vkVoidFunction layer_semaphore_function(const char *name)
{
    static const struct layer_function own[] = {
        LAYER_FUNCTION("vkCreateSemaphore", create_semaphore),
        LAYER_FUNCTION("vkDestroySemaphore", destroy_semaphore),
        LAYER_FUNCTION("vkGetSemaphoreFdKHR", get_file),
        LAYER_FUNCTION("vkImportSemaphoreFdKHR", import_file),
        LAYER_FUNCTION("vkGetSemaphoreCounterValue", get_value),
        LAYER_FUNCTION("vkGetSemaphoreCounterValueKHR", get_value),
        LAYER_FUNCTION("vkSignalSemaphore", signal_value),
        LAYER_FUNCTION("vkSignalSemaphoreKHR", signal_value),
        LAYER_FUNCTION("vkWaitSemaphores", wait_values),
        LAYER_FUNCTION("vkWaitSemaphoresKHR", wait_values),
    };
    return layer_find(own, sizeof own / sizeof own[0], name);
}
