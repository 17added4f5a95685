/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A layer for Vulkan: VK_LAYER_WEFT_interop gives a driver that computes on the
 * CPU (Mesa's lavapipe) what programs that use CUDA and Vulkan ask of a GPU's.
 *
 *   layer.c       the loader's interface: instances, devices, extensions
 *   semaphores.c  semaphores whose value is in a file, as core imports them
 *   submits.c     submissions that wait for such semaphores or signal them
 *   memory.c      imports of memory that CUDA exports
 *
 * In this folder, unless a comment says otherwise:
 *   threads  any; each list has a lock
 *   errors   a VkResult, as the driver's functions give; NULL or false where
 *            there is none
 *   owners   handles are the program's; what the layer keeps of one ends with
 *            it
 *   units    sizes are bytes, times nanoseconds
 */
#ifndef WEFT_VULKAN_LAYER_H
#define WEFT_VULKAN_LAYER_H

#define VK_NO_PROTOTYPES
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include "base/base.h"

/* Functions of the driver, or of the layer below, that this one calls. One that
 * became part of Vulkan may be there by the name of its extension alone. */
#define DEVICE_FUNCTIONS(X)                                                    \
    X(DestroyDevice)                                                           \
    X(CreateSemaphore)                                                         \
    X(DestroySemaphore)                                                        \
    X(GetSemaphoreCounterValue)                                                \
    X(GetSemaphoreFdKHR)                                                       \
    X(ImportSemaphoreFdKHR)                                                    \
    X(SignalSemaphore)                                                         \
    X(WaitSemaphores)                                                          \
    X(QueueSubmit)                                                             \
    X(QueueSubmit2)                                                            \
    X(QueueWaitIdle)                                                           \
    X(AllocateMemory)                                                          \
    X(FreeMemory)                                                              \
    X(GetMemoryHostPointerPropertiesEXT)

struct layer_device {
    void *key; /* what all of the device's dispatchable handles begin with */
    VkDevice device;
    PFN_vkGetDeviceProcAddr lookup;
    bool is_served;           /* else the layer only passes calls on */
    bool has_semaphore_files; /* VK_KHR_external_semaphore_fd is enabled */
    struct list in_devices;
#define X(name) PFN_vk##name name;
    DEVICE_FUNCTIONS(X)
#undef X
};

/* The device of a VkDevice or a VkQueue. */
struct layer_device *layer_device_of(void *dispatchable);

/* The layer's function for a device by this name, or NULL. */
PFN_vkVoidFunction layer_semaphore_function(const char *name);
PFN_vkVoidFunction layer_submit_function(const char *name);
PFN_vkVoidFunction layer_memory_function(const char *name);

struct layer_function {
    const char *name;
    PFN_vkVoidFunction address;
};
#define LAYER_FUNCTION(name, function)                                         \
    {                                                                          \
        name, (PFN_vkVoidFunction)(function)                                   \
    }

/* The function of that name in a table of so many, or NULL. */
PFN_vkVoidFunction layer_find(const struct layer_function *table, size_t count,
                              const char *name);

/* The struct of a type in a chain, or NULL. */
const void *layer_in_chain(const void *chain, VkStructureType type);

/* ---- semaphores in files ---------------------------------------------------
 * The first 64 bits of a file: of a binary semaphore 0 or 1, of a timeline the
 * value (core/external_semaphore.c). */
struct layer_payload {
    int file; /* -1: the driver has the value */
    _Atomic uint64_t *value;
};

/* All timelines, and binary semaphores that have or had a file. */
struct layer_semaphore {
    VkSemaphore handle;
    bool is_timeline;
    bool is_temporary; /* the next wait ends `now`, then `earlier` counts */
    struct layer_payload now, earlier;
    struct list in_semaphores;
};

/* The semaphore if its value is in a file, else NULL. */
struct layer_semaphore *layer_semaphore_find(VkSemaphore handle);
/* Takes a binary semaphore that is signalled; a timeline: has it the value? */
bool layer_semaphore_try(struct layer_semaphore *s, uint64_t value);
/* Tries until it succeeds; ends a temporary import. */
void layer_semaphore_wait(struct layer_semaphore *s, uint64_t value);
void layer_semaphore_signal(struct layer_semaphore *s, uint64_t value);

#endif
