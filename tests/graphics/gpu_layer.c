/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VK_LAYER_TEST_gpu, a layer for Vulkan by which each device says that it is a
 * GPU, so that a test sees what weft's layer does beside one. One instance at a
 * time.
 */
#define VK_NO_PROTOTYPES
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr below;
static PFN_vkGetDeviceProcAddr device_below;
static PFN_vkGetPhysicalDeviceProperties properties_below;
static VkInstance instance;

static VKAPI_ATTR void VKAPI_CALL
get_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties *out)
{
    properties_below(device, out);
    out->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_instance(const VkInstanceCreateInfo *info,
                const VkAllocationCallbacks *allocator, VkInstance *out)
{
    const VkLayerInstanceCreateInfo *l = info->pNext;
    while (l->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
           l->function != VK_LAYER_LINK_INFO)
        l = l->pNext;
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)l;
    below = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = ((PFN_vkCreateInstance)below(NULL, "vkCreateInstance"))(
        info, allocator, out);
    instance = *out;
    /* now: asked later, the loader answers with the first layer's */
    properties_below = (PFN_vkGetPhysicalDeviceProperties)below(
        instance, "vkGetPhysicalDeviceProperties");
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
              const VkAllocationCallbacks *allocator, VkDevice *out)
{
    const VkLayerDeviceCreateInfo *l = info->pNext;
    while (l->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
           l->function != VK_LAYER_LINK_INFO)
        l = l->pNext;
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)l;
    device_below = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    return ((PFN_vkCreateDevice)below(instance, "vkCreateDevice"))(
        physical, info, allocator, out);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
device_function(VkDevice device, const char *name)
{
    return device_below(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
instance_function(VkInstance of, const char *name)
{
    if (!strcmp(name, "vkCreateInstance"))
        return (PFN_vkVoidFunction)create_instance;
    if (!strcmp(name, "vkCreateDevice"))
        return (PFN_vkVoidFunction)create_device;
    if (!strcmp(name, "vkGetPhysicalDeviceProperties"))
        return (PFN_vkVoidFunction)get_properties;
    return below ? below(of, name) : NULL;
}

__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *v)
{
    v->loaderLayerInterfaceVersion = 2;
    v->pfnGetInstanceProcAddr = instance_function;
    v->pfnGetDeviceProcAddr = device_function;
    v->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
