/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imports of memory. The driver takes descriptors of its own making alone;
 * those of CUDA's allocations (cuMemExportToShareableHandle) are mapped here
 * and imported as memory of the host.
 */
#define _GNU_SOURCE
#include "layer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct mapping {
    VkDeviceMemory memory;
    void *at;
    size_t bytes;
    struct list in_mappings;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list mappings = {&mappings, &mappings};

/* Is it one of the driver's making? */
static bool is_drivers(int fd)
{
    static const char name[] = "/memfd:llvmpipe memory fd";
    const ssize_t length = sizeof name - 1;
    char path[64], link[128];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(path, link, sizeof link);
    if (n < 0) /* no descriptor, which the driver refuses, or no /proc */
        return true;
    return n >= length && !memcmp(link, name, (size_t)length);
}

/* Of the chain, flags (such as those of addresses) hold for the host's memory,
 * too. Vulkan allows no VkMemoryDedicatedAllocateInfo with it. */
static VkResult import_mapping(struct layer_device *d, struct mapping *m,
                               const VkMemoryAllocateInfo *info,
                               const VkAllocationCallbacks *allocator,
                               VkDeviceMemory *out)
{
    const VkExternalMemoryHandleTypeFlagBits host =
        VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
    VkMemoryHostPointerPropertiesEXT p = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    const VkMemoryAllocateFlagsInfo *flags =
        layer_in_chain(info, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    VkMemoryAllocateFlagsInfo flags_copy = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    const VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .pNext = flags ? &flags_copy : NULL,
        .handleType = host,
        .pHostPointer = m->at};
    VkMemoryAllocateInfo as = *info;
    if (flags) {
        flags_copy.flags = flags->flags;
        flags_copy.deviceMask = flags->deviceMask;
    }
    as.pNext = &import;
    as.allocationSize = m->bytes;
    if (!d->GetMemoryHostPointerPropertiesEXT ||
        d->GetMemoryHostPointerPropertiesEXT(d->device, host, m->at, &p) ||
        !(p.memoryTypeBits >> info->memoryTypeIndex & 1))
        return VK_ERROR_INVALID_EXTERNAL_HANDLE;
    return d->AllocateMemory(d->device, &as, allocator, out);
}

/* The descriptor is the memory's from then on. */
static VkResult import_file(struct layer_device *d, int fd,
                            const VkMemoryAllocateInfo *info,
                            const VkAllocationCallbacks *allocator,
                            VkDeviceMemory *out)
{
    struct stat st;
    struct mapping *m = calloc(1, sizeof *m);
    VkResult result = VK_ERROR_INVALID_EXTERNAL_HANDLE;
    if (!m)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (fstat(fd, &st) || st.st_size <= 0 ||
        (uint64_t)st.st_size < info->allocationSize)
        goto free_mapping;
    m->bytes = (size_t)st.st_size;
    m->at = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (m->at == MAP_FAILED)
        goto free_mapping;
    result = import_mapping(d, m, info, allocator, out);
    if (result)
        goto unmap;
    close(fd);
    m->memory = *out;
    pthread_mutex_lock(&lock);
    list_push(&mappings, &m->in_mappings);
    pthread_mutex_unlock(&lock);
    return VK_SUCCESS;

unmap:
    munmap(m->at, m->bytes);
free_mapping:
    free(m);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                const VkAllocationCallbacks *allocator, VkDeviceMemory *out)
{
    struct layer_device *d = layer_device_of(device);
    const VkImportMemoryFdInfoKHR *import =
        layer_in_chain(info, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    if (!import ||
        import->handleType != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT ||
        is_drivers(import->fd))
        return d->AllocateMemory(device, info, allocator, out);
    return import_file(d, import->fd, info, allocator, out);
}

static VKAPI_ATTR void VKAPI_CALL
free_memory(VkDevice device, VkDeviceMemory memory,
            const VkAllocationCallbacks *allocator)
{
    struct mapping *found = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct mapping, m, &mappings, in_mappings)
        if (m->memory == memory)
            found = m;
    if (found)
        list_remove(&found->in_mappings);
    pthread_mutex_unlock(&lock);
    layer_device_of(device)->FreeMemory(device, memory, allocator);
    if (found)
        munmap(found->at, found->bytes);
    free(found);
}

PFN_vkVoidFunction layer_memory_function(const char *name)
{
    static const struct layer_function own[] = {
        LAYER_FUNCTION("vkAllocateMemory", allocate_memory),
        LAYER_FUNCTION("vkFreeMemory", free_memory),
    };
    return layer_find(own, sizeof own / sizeof own[0], name);
}
