/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loader's interface. Drivers of GPUs are left alone: what this layer adds
 * is for devices that compute on the CPU. Such a device gets the UUID of CUDA's
 * first one, by which programs find the two that belong together, and the
 * extensions of semaphores.
 *
 * Source: Vulkan-Loader, "Architecture of the Vulkan Layer Interfaces".
 */
#define _GNU_SOURCE /* dladdr */
#include "layer.h"

#include "base/beside.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#define LAYER_NAME "VK_LAYER_WEFT_interop"
#define EXPORTED   __attribute__((visibility("default")))

/* Functions of instances that this layer calls. */
#define INSTANCE_FUNCTIONS(X)                                                  \
    X(DestroyInstance)                                                         \
    X(GetPhysicalDeviceProperties)                                             \
    X(GetPhysicalDeviceProperties2)                                            \
    X(EnumerateDeviceExtensionProperties)                                      \
    X(GetPhysicalDeviceExternalSemaphoreProperties)

struct layer_instance {
    void *key;
    VkInstance instance;
    PFN_vkGetInstanceProcAddr lookup;
    struct list in_instances;
#define X(name) PFN_vk##name name;
    INSTANCE_FUNCTIONS(X)
#undef X
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list instances = {&instances, &instances};
static struct list devices = {&devices, &devices};

static void *key_of(void *dispatchable)
{
    return *(void **)dispatchable;
}

static struct layer_instance *instance_of(void *dispatchable)
{
    struct layer_instance *found = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct layer_instance, i, &instances, in_instances)
        if (i->key == key_of(dispatchable))
            found = i;
    pthread_mutex_unlock(&lock);
    return found;
}

struct layer_device *layer_device_of(void *dispatchable)
{
    struct layer_device *found = NULL;
    pthread_mutex_lock(&lock);
    list_for_each(struct layer_device, d, &devices, in_devices)
        if (d->key == key_of(dispatchable))
            found = d;
    pthread_mutex_unlock(&lock);
    return found;
}

PFN_vkVoidFunction layer_find(const struct layer_function *table, size_t count,
                              const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(table[i].name, name))
            return table[i].address;
    return NULL;
}

const void *layer_in_chain(const void *chain, VkStructureType type)
{
    const VkBaseInStructure *s = chain;
    while (s && s->sType != type)
        s = s->pNext;
    return s;
}

/* What the loader says of the layer below. NULL: it says nothing. */
static void *find_link(const void *create_info, VkStructureType type)
{
    /* Its twin for instances begins alike. */
    const VkLayerDeviceCreateInfo *l = create_info;
    while (l && !(l->sType == type && l->function == VK_LAYER_LINK_INFO))
        l = l->pNext;
    return (void *)l;
}

/* A driver has no function by a name that the program's version of Vulkan
 * lacks, but has it by its extension's. */
#define FIND_BELOW(object, name, lookup, handle)                               \
    object->name = (PFN_vk##name)lookup(handle, "vk" #name);                   \
    if (!object->name)                                                         \
        object->name = (PFN_vk##name)lookup(handle, "vk" #name "KHR");

/* ---- physical devices --------------------------------------------------- */

static bool is_served(const struct layer_instance *i, VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties p;
    i->GetPhysicalDeviceProperties(device, &p);
    return p.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* Extensions that the layer has whether the driver has them or not. */
static const VkExtensionProperties added[] = {
    {VK_KHR_EXTERNAL_SEMAPHORE_EXTENSION_NAME,
     VK_KHR_EXTERNAL_SEMAPHORE_SPEC_VERSION},
    {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
     VK_KHR_EXTERNAL_SEMAPHORE_FD_SPEC_VERSION},
};
enum { ADDED = sizeof added / sizeof added[0] };

static bool is_among(const char *name, const VkExtensionProperties *all,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!strcmp(name, all[i].extensionName))
            return true;
    return false;
}

/* The driver's extensions, with room for those that are added. NULL: no
 * memory. */
static VkExtensionProperties *driver_extensions(const struct layer_instance *i,
                                                VkPhysicalDevice device,
                                                uint32_t *count)
{
    *count = 0;
    i->EnumerateDeviceExtensionProperties(device, NULL, count, NULL);
    VkExtensionProperties *all = calloc(*count + ADDED, sizeof *all);
    if (all)
        i->EnumerateDeviceExtensionProperties(device, NULL, count, all);
    return all;
}

/* As Vulkan's functions give lists: to NULL the length, else what fits. */
static VkResult give_extensions(const VkExtensionProperties *all,
                                uint32_t all_count, uint32_t *count,
                                VkExtensionProperties *out)
{
    uint32_t given = out && *count < all_count ? *count : all_count;
    if (out)
        memcpy(out, all, given * sizeof *all);
    *count = given;
    return given < all_count ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
enumerate_extensions(VkPhysicalDevice device, const char *layer,
                     uint32_t *count, VkExtensionProperties *out)
{
    if (layer && !strcmp(layer, LAYER_NAME))
        return give_extensions(added, ADDED, count, out);
    struct layer_instance *i = instance_of(device);
    if (layer || !is_served(i, device))
        return i->EnumerateDeviceExtensionProperties(device, layer, count, out);
    uint32_t all_count;
    VkExtensionProperties *all = driver_extensions(i, device, &all_count);
    if (!all)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (unsigned k = 0; k < ADDED; k++)
        if (!is_among(added[k].extensionName, all, all_count))
            all[all_count++] = added[k];
    VkResult result = give_extensions(all, all_count, count, out);
    free(all);
    return result;
}

static pthread_once_t uuid_once = PTHREAD_ONCE_INIT;
static bool has_uuid;
static uint8_t cuda_uuid[VK_UUID_SIZE];

/* The first device of weft's driver, which is in the folder of this library and
 * stays open: another one's may be a GPU. */
static void ask_cuda_for_uuid(void)
{
    void *cuda = open_beside(&has_uuid, "libcuda.so.1");
    int (*init)(unsigned), (*get)(int *, int), (*uuid)(void *, int), device;
    if (!cuda)
        return;
    *(void **)&init = dlsym(cuda, "cuInit");
    *(void **)&get = dlsym(cuda, "cuDeviceGet");
    *(void **)&uuid = dlsym(cuda, "cuDeviceGetUuid");
    has_uuid = init && get && uuid && !init(0) && !get(&device, 0) &&
               !uuid(cuda_uuid, device);
}

static VKAPI_ATTR void VKAPI_CALL
get_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *out)
{
    struct layer_instance *i = instance_of(device);
    i->GetPhysicalDeviceProperties2(device, out);
    if (out->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
        return;
    pthread_once(&uuid_once, ask_cuda_for_uuid);
    if (!has_uuid)
        return;
    VkPhysicalDeviceIDProperties *id = (void *)layer_in_chain(
        out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    VkPhysicalDeviceVulkan11Properties *later = (void *)layer_in_chain(
        out, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES);
    if (id)
        memcpy(id->deviceUUID, cuda_uuid, sizeof cuda_uuid);
    if (later)
        memcpy(later->deviceUUID, cuda_uuid, sizeof cuda_uuid);
}

static VKAPI_ATTR void VKAPI_CALL get_semaphore_properties(
    VkPhysicalDevice device, const VkPhysicalDeviceExternalSemaphoreInfo *info,
    VkExternalSemaphoreProperties *out)
{
    const VkExternalSemaphoreHandleTypeFlags file =
        VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;
    struct layer_instance *i = instance_of(device);
    i->GetPhysicalDeviceExternalSemaphoreProperties(device, info, out);
    if (!is_served(i, device) || info->handleType != file)
        return;
    out->exportFromImportedHandleTypes = file;
    out->compatibleHandleTypes = file;
    out->externalSemaphoreFeatures =
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
        VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT;
}

/* ---- devices ------------------------------------------------------------ */

static VKAPI_ATTR void VKAPI_CALL
destroy_device(VkDevice device, const VkAllocationCallbacks *allocator)
{
    struct layer_device *d = device ? layer_device_of(device) : NULL;
    if (!d)
        return;
    pthread_mutex_lock(&lock);
    list_remove(&d->in_devices);
    pthread_mutex_unlock(&lock);
    d->DestroyDevice(device, allocator);
    free(d);
}

/* Extensions of the driver's that are wanted, and what imports need. Returns
 * how many. */
static uint32_t choose_extensions(const VkDeviceCreateInfo *info,
                                  const VkExtensionProperties *all,
                                  uint32_t all_count, const char **out)
{
    const char *host = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
    uint32_t count = 0;
    bool has_host = false;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        const char *name = info->ppEnabledExtensionNames[i];
        if (is_among(name, added, ADDED) && !is_among(name, all, all_count))
            continue;
        has_host |= !strcmp(name, host);
        out[count++] = name;
    }
    if (!has_host && is_among(host, all, all_count))
        out[count++] = host;
    return count;
}

static VkResult create_served(struct layer_instance *i,
                              VkPhysicalDevice physical,
                              const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *allocator,
                              PFN_vkCreateDevice create, VkDevice *out)
{
    uint32_t all_count;
    VkExtensionProperties *all = driver_extensions(i, physical, &all_count);
    const char **names = calloc(info->enabledExtensionCount + 1, sizeof *names);
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (all && names) {
        VkDeviceCreateInfo less = *info;
        less.enabledExtensionCount =
            choose_extensions(info, all, all_count, names);
        less.ppEnabledExtensionNames = names;
        result = create(physical, &less, allocator, out);
    }
    free(names);
    free(all);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    struct layer_instance *i = instance_of(physical);
    VkLayerDeviceCreateInfo *link =
        find_link(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetDeviceProcAddr lookup =
        link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    PFN_vkCreateDevice create =
        (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
            i->instance, "vkCreateDevice");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    struct layer_device *d = calloc(1, sizeof *d);
    if (!d)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    d->is_served = is_served(i, physical);
    VkResult result =
        d->is_served ? create_served(i, physical, info, allocator, create, out)
                     : create(physical, info, allocator, out);
    if (result) {
        free(d);
        return result;
    }
    d->key = key_of(*out);
    d->device = *out;
    d->lookup = lookup;
    for (uint32_t k = 0; k < info->enabledExtensionCount; k++)
        d->has_semaphore_files |=
            !strcmp(info->ppEnabledExtensionNames[k],
                    VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME);
#define X(name) FIND_BELOW(d, name, lookup, *out)
    DEVICE_FUNCTIONS(X)
#undef X
    pthread_mutex_lock(&lock);
    list_push(&devices, &d->in_devices);
    pthread_mutex_unlock(&lock);
    return VK_SUCCESS;
}

/* ---- instances ---------------------------------------------------------- */

static VKAPI_ATTR void VKAPI_CALL
destroy_instance(VkInstance instance, const VkAllocationCallbacks *allocator)
{
    struct layer_instance *i = instance ? instance_of(instance) : NULL;
    if (!i)
        return;
    pthread_mutex_lock(&lock);
    list_remove(&i->in_instances);
    pthread_mutex_unlock(&lock);
    i->DestroyInstance(instance, allocator);
    free(i);
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info,
                const VkAllocationCallbacks *allocator, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link =
        find_link(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkGetInstanceProcAddr lookup =
        link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    PFN_vkCreateInstance create =
        (PFN_vkCreateInstance)lookup(NULL, "vkCreateInstance");
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    struct layer_instance *i = calloc(1, sizeof *i);
    if (!i)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = create(info, allocator, out);
    if (result) {
        free(i);
        return result;
    }
    i->key = key_of(*out);
    i->instance = *out;
    i->lookup = lookup;
#define X(name) FIND_BELOW(i, name, lookup, *out)
    INSTANCE_FUNCTIONS(X)
#undef X
    pthread_mutex_lock(&lock);
    list_push(&instances, &i->in_instances);
    pthread_mutex_unlock(&lock);
    return VK_SUCCESS;
}

/* ---- functions by name -------------------------------------------------- */

/* Does the device have it although the driver may not? */
static bool is_added_function(const struct layer_device *d, const char *name)
{
    return d->has_semaphore_files && (!strcmp(name, "vkGetSemaphoreFdKHR") ||
                                      !strcmp(name, "vkImportSemaphoreFdKHR"));
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
device_function(VkDevice device, const char *name)
{
    struct layer_device *d = layer_device_of(device);
    if (!strcmp(name, "vkDestroyDevice"))
        return (PFN_vkVoidFunction)destroy_device;
    if (!strcmp(name, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)device_function;
    if (!d)
        return NULL;
    PFN_vkVoidFunction below = d->lookup(device, name);
    if (!d->is_served || !(below || is_added_function(d, name)))
        return below;
    PFN_vkVoidFunction f = layer_semaphore_function(name);
    f = f ? f : layer_submit_function(name);
    f = f ? f : layer_memory_function(name);
    return f ? f : below;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
instance_function(VkInstance instance, const char *name)
{
    static const struct layer_function own[] = {
        LAYER_FUNCTION("vkCreateInstance", create_instance),
        LAYER_FUNCTION("vkDestroyInstance", destroy_instance),
        LAYER_FUNCTION("vkCreateDevice", create_device),
        LAYER_FUNCTION("vkGetInstanceProcAddr", instance_function),
        LAYER_FUNCTION("vkGetDeviceProcAddr", device_function),
        LAYER_FUNCTION("vkEnumerateDeviceExtensionProperties",
                       enumerate_extensions),
        LAYER_FUNCTION("vkGetPhysicalDeviceProperties2", get_properties),
        LAYER_FUNCTION("vkGetPhysicalDeviceProperties2KHR", get_properties),
        LAYER_FUNCTION("vkGetPhysicalDeviceExternalSemaphoreProperties",
                       get_semaphore_properties),
        LAYER_FUNCTION("vkGetPhysicalDeviceExternalSemaphorePropertiesKHR",
                       get_semaphore_properties),
    };
    PFN_vkVoidFunction f = layer_find(own, sizeof own / sizeof own[0], name);
    struct layer_instance *i = instance ? instance_of(instance) : NULL;
    return f ? f : i ? i->lookup(instance, name) : NULL;
}

EXPORTED VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *v)
{
    if (v->loaderLayerInterfaceVersion < 2)
        return VK_ERROR_INITIALIZATION_FAILED;
    v->loaderLayerInterfaceVersion = 2;
    v->pfnGetInstanceProcAddr = instance_function;
    v->pfnGetDeviceProcAddr = device_function;
    v->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
