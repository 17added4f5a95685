/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers and images of Vulkan in kernels, with Mesa's software driver, which
 * is loaded here: nothing is linked with it.
 */
#include "../runtime/check.h"
#include "../runtime/kernels.h"

#include <dlfcn.h>

enum { SKIPPED = 77 };

#if __has_include(<vulkan/vulkan.h>)
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr lookup;
static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;

#define VK(name)    ((PFN_##name)lookup(instance, #name))
#define VK_OK(call) CHECK((call) == VK_SUCCESS)

static void skip(const char *why)
{
    printf("skipped: %s\n", why);
    exit(SKIPPED);
}

/* ---- a device ------------------------------------------------------------ */

static void make_instance(void)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app};
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        skip("no libvulkan.so.1");
    *(void **)&lookup = dlsym(library, "vkGetInstanceProcAddr");
    if (VK(vkCreateInstance)(&info, NULL, &instance))
        skip("no instance of Vulkan");
}

/* The driver that computes on the CPU. */
static void find_device(void)
{
    VkPhysicalDevice all[8];
    VkPhysicalDeviceProperties p;
    uint32_t count = 8;
    VK(vkEnumeratePhysicalDevices)(instance, &count, all);
    for (uint32_t i = 0; i < count && !physical; i++) {
        VK(vkGetPhysicalDeviceProperties)(all[i], &p);
        if (p.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
            physical = all[i];
    }
    if (!physical)
        skip("no software driver of Vulkan");
}

static void make_device(void)
{
    const char *extensions[] = {"VK_KHR_external_memory_fd"};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType =
                                         VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = extensions};
    if (VK(vkCreateDevice)(physical, &info, NULL, &device))
        skip("this Vulkan exports no memory");
    VK(vkGetDeviceQueue)(device, 0, 0, &queue);
}

/* ---- memory -------------------------------------------------------------- */

static VkDeviceMemory allocate(VkDeviceSize bytes, bool is_exported)
{
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = is_exported ? &exported : NULL,
        .allocationSize = bytes};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK_OK(VK(vkAllocateMemory)(device, &info, NULL, &memory));
    return memory;
}

static void *map(VkDeviceMemory memory)
{
    void *p = NULL;
    VK_OK(VK(vkMapMemory)(device, memory, 0, VK_WHOLE_SIZE, 0, &p));
    return p;
}

static cudaExternalMemory_t import(VkDeviceMemory memory, VkDeviceSize bytes)
{
    const VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    struct cudaExternalMemoryHandleDesc d = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .size = bytes};
    cudaExternalMemory_t m = NULL;
    VK_OK(VK(vkGetMemoryFdKHR)(device, &info, &d.handle.fd));
    OK(cudaImportExternalMemory(&m, &d));
    return m;
}

static void check_buffer(void)
{
    enum { COUNT = 4096, BYTES = COUNT * 4 };
    VkDeviceMemory memory = allocate(BYTES, true);
    unsigned *theirs = map(memory), host[COUNT];
    struct cudaExternalMemoryBufferDesc whole = {.size = BYTES};
    cudaExternalMemory_t m = import(memory, BYTES);
    void *ours;
    for (unsigned i = 0; i < COUNT; i++)
        theirs[i] = i * 3;
    OK(cudaExternalMemoryGetMappedBuffer(&ours, m, &whole));
    OK(cudaMemcpy(host, ours, BYTES, cudaMemcpyDeviceToHost));
    CHECK(!memcmp(host, theirs, BYTES));
    OK(launch_store(ours, 8, COUNT, 0));
    OK(cudaDeviceSynchronize());
    CHECK(theirs[0] == 8 && theirs[COUNT - 1] == 8);
    OK(cudaFree(ours));
    OK(cudaDestroyExternalMemory(m));
    VK(vkFreeMemory)(device, memory, NULL);
}

/* ---- images -------------------------------------------------------------- */

enum { LEVELS = 3 };

static const struct image {
    unsigned width, height, depth, layers;
    VkFormat format;
    int channels, bits;
    enum cudaChannelFormatKind kind;
} images[] = {
    {30, 10, 1, 1, VK_FORMAT_R8G8B8A8_UNORM, 4, 8,
     cudaChannelFormatKindUnsigned},
    {64, 64, 1, 1, VK_FORMAT_R32_SFLOAT, 1, 32, cudaChannelFormatKindFloat},
    {17, 9, 1, 3, VK_FORMAT_R16_UINT, 1, 16, cudaChannelFormatKindUnsigned},
    {12, 7, 5, 1, VK_FORMAT_R8_UNORM, 1, 8, cudaChannelFormatKindUnsigned},
};

static unsigned least_one(unsigned n)
{
    return n ? n : 1;
}

static size_t texel_bytes(const struct image *i)
{
    return (size_t)(i->channels * i->bits / 8);
}

static VkImage make_image(const struct image *i)
{
    const VkExternalMemoryImageCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &exported,
        .imageType = i->depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
        .format = i->format,
        .extent = {i->width, i->height, i->depth},
        .mipLevels = LEVELS,
        .arrayLayers = i->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImage image = VK_NULL_HANDLE;
    VK_OK(VK(vkCreateImage)(device, &info, NULL, &image));
    return image;
}

static cudaMipmappedArray_t map_image(const struct image *i,
                                      cudaExternalMemory_t m)
{
    struct cudaExternalMemoryMipmappedArrayDesc d = {.numLevels = LEVELS};
    cudaMipmappedArray_t mipmap = NULL;
    d.formatDesc = cudaCreateChannelDesc(
        i->bits, i->channels > 1 ? i->bits : 0, i->channels > 2 ? i->bits : 0,
        i->channels > 2 ? i->bits : 0, i->kind);
    d.extent.width = i->width;
    d.extent.height = i->height;
    d.extent.depth = i->depth > 1 ? i->depth : i->layers > 1 ? i->layers : 0;
    d.flags = i->layers > 1 ? cudaArrayLayered : 0;
    OK(cudaExternalMemoryGetMappedMipmappedArray(&mipmap, m, &d));
    return mipmap;
}

/* Each texel's bytes, one different from the next. */
static void fill(const struct image *i, unsigned level, uint8_t *out,
                 size_t bytes)
{
    for (size_t k = 0; k < bytes; k++)
        out[k] = (uint8_t)(k * 5 + level * 31 + texel_bytes(i));
}

static void write_level(const struct image *i, cudaMipmappedArray_t mipmap,
                        unsigned level, uint8_t *data, size_t *bytes)
{
    struct cudaMemcpy3DParms p = {.kind = cudaMemcpyHostToDevice};
    p.extent.width = least_one(i->width >> level);
    p.extent.height = least_one(i->height >> level);
    p.extent.depth = i->layers > 1 ? i->layers : least_one(i->depth >> level);
    p.srcPtr = make_cudaPitchedPtr(data, p.extent.width * texel_bytes(i),
                                   p.extent.width, p.extent.height);
    OK(cudaGetMipmappedArrayLevel(&p.dstArray, mipmap, level));
    *bytes = p.srcPtr.pitch * p.extent.height * p.extent.depth;
    fill(i, level, data, *bytes);
    OK(cudaMemcpy3D(&p));
}

static VkBuffer make_buffer(VkDeviceSize bytes, VkDeviceMemory memory)
{
    const VkBufferCreateInfo info = {.sType =
                                         VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    VK_OK(VK(vkCreateBuffer)(device, &info, NULL, &buffer));
    VK_OK(VK(vkBindBufferMemory)(device, buffer, memory, 0));
    return buffer;
}

/* Vulkan copies the level into the buffer. */
static void read_level(const struct image *i, VkImage image, unsigned level,
                       VkBuffer buffer)
{
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool = VK_NULL_HANDLE;
    VkCommandBuffer commands;
    VK_OK(VK(vkCreateCommandPool)(device, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, i->layers},
        .imageExtent = {least_one(i->width >> level),
                        least_one(i->height >> level),
                        least_one(i->depth >> level)}};
    VK_OK(VK(vkAllocateCommandBuffers)(device, &buffer_info, &commands));
    VK_OK(VK(vkBeginCommandBuffer)(commands, &begin));
    VK(vkCmdCopyImageToBuffer)
    (commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &copy);
    VK_OK(VK(vkEndCommandBuffer)(commands));
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &commands};
    VK_OK(VK(vkQueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE));
    VK_OK(VK(vkQueueWaitIdle)(queue));
    VK(vkDestroyCommandPool)(device, pool, NULL);
}

/* What CUDA writes into each level, Vulkan reads there. */
static void check_image(const struct image *i)
{
    enum { ROOM = 1 << 16 };
    static uint8_t data[ROOM];
    VkImage image = make_image(i);
    VkMemoryRequirements need;
    VK(vkGetImageMemoryRequirements)(device, image, &need);
    VkDeviceMemory memory = allocate(need.size, true);
    VkDeviceMemory room = allocate(ROOM, false);
    VkBuffer buffer = make_buffer(ROOM, room);
    const uint8_t *read = map(room);
    int failed_before = failures;
    VK_OK(VK(vkBindImageMemory)(device, image, memory, 0));
    cudaExternalMemory_t m = import(memory, need.size);
    cudaMipmappedArray_t mipmap = map_image(i, m);
    size_t bytes = 0;
    for (unsigned level = 0; level < LEVELS && mipmap; level++) {
        write_level(i, mipmap, level, data, &bytes);
        read_level(i, image, level, buffer);
        CHECK(!memcmp(data, read, bytes));
    }
    if (failures > failed_before)
        printf("so for the image of %u x %u\n", i->width, i->height);
    OK(cudaFreeMipmappedArray(mipmap));
    OK(cudaDestroyExternalMemory(m));
    VK(vkDestroyImage)(device, image, NULL);
    VK(vkDestroyBuffer)(device, buffer, NULL);
    VK(vkFreeMemory)(device, memory, NULL);
    VK(vkFreeMemory)(device, room, NULL);
}

int main(void)
{
    make_instance();
    find_device();
    make_device();
    kernels_register();
    check_buffer();
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        check_image(&images[i]);
    kernels_unregister();
    VK(vkDestroyDevice)(device, NULL);
    return check_result();
}

#else

int main(void)
{
    printf("skipped: no headers of Vulkan when this was built\n");
    return failures ? 1 : SKIPPED;
}

#endif
