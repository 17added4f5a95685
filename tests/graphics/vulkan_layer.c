/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vulkan and CUDA take turns on memory of either, by semaphores that Vulkan
 * made, binary ones and timelines: with Mesa's software driver and the layer
 * of src/vulkan. As NVIDIA's samples do, which choose a device by its UUID.
 */
#define _GNU_SOURCE /* memfd_create */
#include "../runtime/check.h"
#include "../runtime/kernels.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SKIPPED = 77 };

#if __has_include(<vulkan/vk_layer.h>)
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

enum { COUNT = 4096, BYTES = COUNT * 4, TURNS = 20 };

static PFN_vkGetInstanceProcAddr lookup;
static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkCommandPool pool;

#define VK(name)    ((PFN_##name)lookup(instance, #name))
#define OF_DEVICE(name) ((PFN_##name)VK(vkGetDeviceProcAddr)(device, #name))
#define VK_OK(call) CHECK((call) == VK_SUCCESS)

static void skip(const char *why)
{
    printf("skipped: %s\n", why);
    exit(SKIPPED);
}

/* ---- the device --------------------------------------------------------- */

static void make_layered(uint32_t version, uint32_t layer_count)
{
    const char *const layers[] = {"VK_LAYER_WEFT_interop", "VK_LAYER_TEST_gpu"};
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = version};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &app,
        .enabledLayerCount = layer_count,
        .ppEnabledLayerNames = layers};
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        skip("no libvulkan.so.1");
    *(void **)&lookup = dlsym(library, "vkGetInstanceProcAddr");
    VK_OK(VK(vkCreateInstance)(&info, NULL, &instance));
    if (!instance)
        exit(1);
}

static void make_instance(uint32_t version)
{
    make_layered(version, 1);
}

/* The driver that computes on the CPU; with CUDA's UUID. */
static void find_device(void)
{
    VkPhysicalDevice all[8];
    uint32_t count = 8;
    struct cudaDeviceProp prop;
    physical = VK_NULL_HANDLE;
    VK(vkEnumeratePhysicalDevices)(instance, &count, all);
    for (uint32_t i = 0; i < count && !physical; i++) {
        VkPhysicalDeviceIDProperties id = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
        VkPhysicalDeviceProperties2 p = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
            .pNext = &id};
        VK(vkGetPhysicalDeviceProperties2)(all[i], &p);
        if (p.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU)
            continue;
        physical = all[i];
        OK(cudaGetDeviceProperties(&prop, 0));
        CHECK(!memcmp(id.deviceUUID, prop.uuid.bytes, VK_UUID_SIZE));
    }
    if (!physical)
        skip("no software driver of Vulkan");
}

static const char *const extensions[] = {"VK_KHR_external_memory_fd",
                                         "VK_KHR_external_semaphore",
                                         "VK_KHR_external_semaphore_fd"};
enum { EXTENSIONS = 3 };

/* The list has each extension once, whatever room there is for it. */
static void check_extensions(void)
{
    VkExtensionProperties all[512];
    uint32_t count = 0, few = 5;
    VK_OK(
        VK(vkEnumerateDeviceExtensionProperties)(physical, NULL, &count, NULL));
    CHECK(count > few && count <= 512);
    CHECK(VK(vkEnumerateDeviceExtensionProperties)(physical, NULL, &few, all) ==
          VK_INCOMPLETE);
    CHECK(few == 5);
    VK_OK(
        VK(vkEnumerateDeviceExtensionProperties)(physical, NULL, &count, all));
    for (unsigned k = 0; k < EXTENSIONS; k++) {
        unsigned found = 0;
        for (uint32_t i = 0; i < count; i++)
            found += !strcmp(all[i].extensionName, extensions[k]);
        CHECK(found == 1);
    }
}

static void check_semaphore_properties(void)
{
    const VkPhysicalDeviceExternalSemaphoreInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkExternalSemaphoreProperties p = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
    VK(vkGetPhysicalDeviceExternalSemaphoreProperties)(physical, &info, &p);
    CHECK(p.externalSemaphoreFeatures ==
          (VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT |
           VK_EXTERNAL_SEMAPHORE_FEATURE_IMPORTABLE_BIT));
}

static void make_device(const void *features, uint32_t extension_count,
                        const char *const *names)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queues = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueCount = 1,
        .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType =
                                         VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = extension_count,
                                     .ppEnabledExtensionNames = names};
    VK_OK(VK(vkCreateDevice)(physical, &info, NULL, &device));
    if (!device)
        exit(1);
    VK(vkGetDeviceQueue)(device, 0, 0, &queue);
    const VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VK_OK(VK(vkCreateCommandPool)(device, &pool_info, NULL, &pool));
}

static void make_newest(void)
{
    VkPhysicalDeviceVulkan13Features later = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &later,
        .timelineSemaphore = VK_TRUE};
    make_instance(VK_API_VERSION_1_3);
    find_device();
    check_extensions();
    check_semaphore_properties();
    make_device(&features, EXTENSIONS, extensions);
}

static void destroy_all(void)
{
    VK(vkDestroyCommandPool)(device, pool, NULL);
    VK(vkDestroyDevice)(device, NULL);
    VK(vkDestroyInstance)(instance, NULL);
}

/* ---- memory and commands ------------------------------------------------ */

static VkBuffer make_buffer(void)
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkBufferCreateInfo info = {.sType =
                                         VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = &external,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    VK_OK(VK(vkCreateBuffer)(device, &info, NULL, &buffer));
    return buffer;
}

static VkDeviceMemory allocate(const void *next)
{
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = next,
        .allocationSize = BYTES};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK_OK(VK(vkAllocateMemory)(device, &info, NULL, &memory));
    return memory;
}

static VkCommandBuffer begin_commands(void)
{
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer c;
    VK_OK(VK(vkAllocateCommandBuffers)(device, &info, &c));
    VK_OK(VK(vkBeginCommandBuffer)(c, &begin));
    return c;
}

/* All of the buffer becomes the value. */
static VkCommandBuffer fill_commands(VkBuffer buffer, uint32_t value)
{
    VkCommandBuffer c = begin_commands();
    VK(vkCmdFillBuffer)(c, buffer, 0, BYTES, value);
    VK_OK(VK(vkEndCommandBuffer)(c));
    return c;
}

/* ---- semaphores --------------------------------------------------------- */

static const VkSemaphoreTypeCreateInfo type = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    .initialValue = 5};

/* Not to be exported. */
static VkSemaphore make_plain(bool is_timeline)
{
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
        .pNext = is_timeline ? &type : NULL};
    VkSemaphore s = VK_NULL_HANDLE;
    VK_OK(VK(vkCreateSemaphore)(device, &info, NULL, &s));
    return s;
}

static VkSemaphore make_semaphore(bool is_timeline)
{
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .pNext = is_timeline ? &type : NULL,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkSemaphoreCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &export};
    VkSemaphore s = VK_NULL_HANDLE;
    VK_OK(VK(vkCreateSemaphore)(device, &info, NULL, &s));
    return s;
}

static int file_of(VkSemaphore s)
{
    const VkSemaphoreGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
        .semaphore = s,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd = -1;
    VK_OK(OF_DEVICE(vkGetSemaphoreFdKHR)(device, &info, &fd));
    CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
    return fd;
}

static VkResult import_file(VkSemaphore s, int fd, VkSemaphoreImportFlags flags)
{
    const VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = s,
        .flags = flags,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = fd};
    return OF_DEVICE(vkImportSemaphoreFdKHR)(device, &import);
}

static cudaExternalSemaphore_t import_semaphore(VkSemaphore s, bool is_timeline)
{
    struct cudaExternalSemaphoreHandleDesc d = {
        .type = is_timeline ? cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd
                            : cudaExternalSemaphoreHandleTypeOpaqueFd,
        .handle.fd = file_of(s)};
    cudaExternalSemaphore_t imported = NULL;
    OK(cudaImportExternalSemaphore(&imported, &d));
    return imported;
}

/* Vulkan's commands, between a wait and a signal. */
static void submit(VkCommandBuffer c, VkSemaphore wait, uint64_t wait_value,
                   VkSemaphore signal, uint64_t signal_value)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait ? 1 : 0,
        .pWaitSemaphoreValues = &wait_value,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &signal_value};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = wait ? 1 : 0,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &c,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &signal};
    VK_OK(VK(vkQueueSubmit)(queue, 1, &info, VK_NULL_HANDLE));
}

static void submit_later(VkCommandBuffer c, VkSemaphore wait,
                         uint64_t wait_value, VkSemaphore signal,
                         uint64_t signal_value)
{
    const VkSemaphoreSubmitInfo waits = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = wait,
        .value = wait_value,
        .stageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT};
    const VkSemaphoreSubmitInfo signals = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = signal,
        .value = signal_value,
        .stageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT};
    const VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = c};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .waitSemaphoreInfoCount = wait ? 1 : 0,
                                .pWaitSemaphoreInfos = &waits,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &commands,
                                .signalSemaphoreInfoCount = 1,
                                .pSignalSemaphoreInfos = &signals};
    VK_OK(((PFN_vkQueueSubmit2)VK(vkGetDeviceProcAddr)(
        device, "vkQueueSubmit2"))(queue, 1, &info, VK_NULL_HANDLE));
}

/* ---- turns -------------------------------------------------------------- */

/* Vulkan fills the buffer with 2 k, CUDA copies it out and fills it with
 * 2 k + 1, Vulkan sees that before its next turn: a semaphore each way, or one
 * timeline. */
static void take_turns(VkBuffer buffer, unsigned *theirs, void *ours,
                       bool is_timeline, bool is_later)
{
    VkSemaphore done = make_semaphore(is_timeline);
    VkSemaphore next = is_timeline ? done : make_semaphore(false);
    cudaExternalSemaphore_t wait = import_semaphore(done, is_timeline);
    cudaExternalSemaphore_t signal = import_semaphore(next, is_timeline);
    cudaStream_t stream;
    static unsigned got[TURNS][COUNT];
    int failed_before = failures;
    OK(cudaStreamCreate(&stream));
    for (unsigned k = 0; k < TURNS; k++) {
        uint64_t now = 5 + 2 * k;
        struct cudaExternalSemaphoreWaitParams w = {.params.fence.value =
                                                        now + 1};
        struct cudaExternalSemaphoreSignalParams s = {.params.fence.value =
                                                          now + 2};
        VkCommandBuffer c = fill_commands(buffer, 2 * k);
        (is_later ? submit_later : submit)(c, k ? next : VK_NULL_HANDLE, now,
                                           done, now + 1);
        CHECK(theirs[COUNT - 1] == 2 * k);
        OK(cudaWaitExternalSemaphoresAsync(&wait, &w, 1, stream));
        OK(cudaMemcpyAsync(got[k], ours, BYTES, cudaMemcpyDeviceToHost,
                           stream));
        OK(launch_store(ours, 2 * k + 1, COUNT, stream));
        OK(cudaSignalExternalSemaphoresAsync(&signal, &s, 1, stream));
    }
    OK(cudaStreamSynchronize(stream));
    for (unsigned k = 0; k < TURNS; k++)
        CHECK(got[k][0] == 2 * k && got[k][COUNT - 1] == 2 * k);
    CHECK(theirs[0] == 2 * TURNS - 1 && theirs[COUNT - 1] == 2 * TURNS - 1);
    if (failures > failed_before)
        printf("so for timeline %d, vkQueueSubmit2 %d\n", is_timeline,
               is_later);
    OK(cudaDestroyExternalSemaphore(wait));
    OK(cudaDestroyExternalSemaphore(signal));
    OK(cudaStreamDestroy(stream));
    VK(vkDestroySemaphore)(device, done, NULL);
    if (next != done)
        VK(vkDestroySemaphore)(device, next, NULL);
}

static void check_turns(VkBuffer buffer, VkDeviceMemory memory, void *ours)
{
    void *theirs = NULL;
    VK_OK(VK(vkMapMemory)(device, memory, 0, VK_WHOLE_SIZE, 0, &theirs));
    for (unsigned i = 0; i < 4 && theirs; i++)
        take_turns(buffer, theirs, ours, i & 1, i & 2);
    VK(vkUnmapMemory)(device, memory);
}

/* Memory of Vulkan's in CUDA. */
static void check_their_memory(void)
{
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkBuffer buffer = make_buffer();
    VkDeviceMemory memory = allocate(&exported);
    VkMemoryGetFdInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
        .memory = memory,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    struct cudaExternalMemoryHandleDesc d = {
        .type = cudaExternalMemoryHandleTypeOpaqueFd, .size = BYTES};
    struct cudaExternalMemoryBufferDesc whole = {.size = BYTES};
    cudaExternalMemory_t m = NULL;
    void *ours;
    VK_OK(VK(vkBindBufferMemory)(device, buffer, memory, 0));
    VK_OK(VK(vkGetMemoryFdKHR)(device, &info, &d.handle.fd));
    OK(cudaImportExternalMemory(&m, &d));
    OK(cudaExternalMemoryGetMappedBuffer(&ours, m, &whole));
    check_turns(buffer, memory, ours);
    OK(cudaFree(ours));
    OK(cudaDestroyExternalMemory(m));
    VK(vkDestroyBuffer)(device, buffer, NULL);
    VK(vkFreeMemory)(device, memory, NULL);
}

/* Memory of CUDA's in Vulkan. */
static void check_our_memory(void)
{
    const CUmemAllocationProp prop = {
        .type = CU_MEM_ALLOCATION_TYPE_PINNED,
        .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
        .location.type = CU_MEM_LOCATION_TYPE_DEVICE};
    const CUmemAccessDesc access = {
        .location.type = CU_MEM_LOCATION_TYPE_DEVICE,
        .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemGenericAllocationHandle handle;
    CUdeviceptr ours;
    size_t bytes;
    VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    CHECK(!cuMemGetAllocationGranularity(&bytes, &prop,
                                         CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    CHECK(!cuMemCreate(&handle, bytes, &prop, 0));
    CHECK(!cuMemAddressReserve(&ours, bytes, 0, 0, 0));
    CHECK(!cuMemMap(ours, bytes, 0, handle, 0));
    CHECK(!cuMemSetAccess(ours, bytes, &access, 1));
    CHECK(!cuMemExportToShareableHandle(
        &import.fd, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    VkBuffer buffer = make_buffer();
    VkDeviceMemory memory = allocate(&import);
    VK_OK(VK(vkBindBufferMemory)(device, buffer, memory, 0));
    check_turns(buffer, memory, (void *)(uintptr_t)ours);
    VK(vkDestroyBuffer)(device, buffer, NULL);
    VK(vkFreeMemory)(device, memory, NULL);
    CHECK(!cuMemUnmap(ours, bytes));
    CHECK(!cuMemRelease(handle));
    CHECK(!cuMemAddressFree(ours, bytes));
}

/* A file of the program's, with a short name. */
static void check_short_name(void)
{
    VkImportMemoryFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
        .fd = memfd_create("x", MFD_CLOEXEC)};
    CHECK(!ftruncate(import.fd, BYTES));
    uint32_t *ours = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, import.fd, 0);
    CHECK(ours != MAP_FAILED);
    VkBuffer buffer = make_buffer();
    VkDeviceMemory memory = allocate(&import);
    VkSemaphore s = make_semaphore(false);
    VK_OK(VK(vkBindBufferMemory)(device, buffer, memory, 0));
    submit(fill_commands(buffer, 42), VK_NULL_HANDLE, 0, s, 0);
    CHECK(ours[0] == 42 && ours[COUNT - 1] == 42);
    VK(vkDestroySemaphore)(device, s, NULL);
    VK(vkDestroyBuffer)(device, buffer, NULL);
    VK(vkFreeMemory)(device, memory, NULL);
    munmap(ours, BYTES);
}

/* A timeline by functions of the host, and one, made to be exported or not,
 * that imports another's file. */
static void check_host(VkSemaphore b)
{
    VkSemaphore a = make_semaphore(true);
    VkSemaphoreSignalInfo signal = {.sType =
                                        VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                    .semaphore = a,
                                    .value = 9};
    const uint64_t wanted = 9;
    const VkSemaphoreWaitInfo wait = {.sType =
                                          VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &b,
                                      .pValues = &wanted};
    uint64_t value = 0;
    VK_OK(import_file(b, file_of(a), 0));
    VK_OK(VK(vkGetSemaphoreCounterValue)(device, b, &value));
    CHECK(value == 5);
    CHECK(VK(vkWaitSemaphores)(device, &wait, 1000000) == VK_TIMEOUT);
    VK_OK(VK(vkSignalSemaphore)(device, &signal));
    VK_OK(VK(vkWaitSemaphores)(device, &wait, 1000000));
    VK_OK(VK(vkGetSemaphoreCounterValue)(device, b, &value));
    CHECK(value == 9);
    signal.semaphore = b;
    signal.value = 11;
    VK_OK(VK(vkSignalSemaphore)(device, &signal));
    VK_OK(VK(vkGetSemaphoreCounterValue)(device, a, &value));
    CHECK(value == 11);
    VK(vkDestroySemaphore)(device, a, NULL);
    VK(vkDestroySemaphore)(device, b, NULL);
}

/* ---- imports ------------------------------------------------------------ */

static void submit_semaphores(VkSemaphore wait, VkSemaphore signal)
{
    VkCommandBuffer c = begin_commands();
    VK_OK(VK(vkEndCommandBuffer)(c));
    submit(c, wait, 0, signal, 0);
}

static uint64_t value_in_file(VkSemaphore s)
{
    uint64_t value = 77;
    int fd = file_of(s);
    CHECK(pread(fd, &value, sizeof value, 0) == sizeof value);
    close(fd);
    return value;
}

/* A temporary import ends with the wait. */
static void check_temporary(VkSemaphore b)
{
    VkSemaphore a = make_semaphore(false), other = make_semaphore(false);
    VK_OK(import_file(b, file_of(a), VK_SEMAPHORE_IMPORT_TEMPORARY_BIT));
    submit_semaphores(VK_NULL_HANDLE, a);
    CHECK(value_in_file(b) == 1);
    submit_semaphores(b, other);
    CHECK(value_in_file(a) == 0);
    submit_semaphores(VK_NULL_HANDLE, b);
    CHECK(value_in_file(a) == 0);
    submit_semaphores(b, a);
    CHECK(value_in_file(a) == 1);
    VK(vkQueueWaitIdle)(queue);
    VK(vkDestroySemaphore)(device, a, NULL);
    VK(vkDestroySemaphore)(device, b, NULL);
    VK(vkDestroySemaphore)(device, other, NULL);
}

/* Files that have no room for a value, and what is no file. */
static void check_refused(void)
{
    VkSemaphore s = make_semaphore(false);
    int pipes[2], empty = memfd_create("empty", MFD_CLOEXEC);
    CHECK(!pipe(pipes));
    CHECK(import_file(s, empty, 0) == VK_ERROR_INVALID_EXTERNAL_HANDLE);
    CHECK(import_file(s, pipes[0], 0) == VK_ERROR_INVALID_EXTERNAL_HANDLE);
    submit_semaphores(VK_NULL_HANDLE, s);
    CHECK(value_in_file(s) == 1);
    close(empty);
    close(pipes[0]);
    close(pipes[1]);
    VK(vkDestroySemaphore)(device, s, NULL);
}

/* ---- older versions of Vulkan --------------------------------------------
 * They have by their extensions' names what became part of later ones. */

static void check_version_1_1(void)
{
    const VkPhysicalDeviceTimelineSemaphoreFeatures features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const char *const names[] = {"VK_KHR_timeline_semaphore",
                                 "VK_KHR_external_semaphore_fd"};
    make_instance(VK_API_VERSION_1_1);
    find_device();
    make_device(&features, 2, names);
    for (unsigned i = 0; i < 2; i++) {
        VkSemaphore s = i ? make_semaphore(true) : make_plain(true);
        uint64_t value = 0;
        VK_OK(OF_DEVICE(vkGetSemaphoreCounterValueKHR)(device, s, &value));
        CHECK(value == 5);
        VK(vkDestroySemaphore)(device, s, NULL);
    }
    CHECK(!OF_DEVICE(vkQueueSubmit2KHR)); /* its extension is not enabled */
    destroy_all();
}

static void check_version_1_2(void)
{
    const VkPhysicalDeviceSynchronization2Features later = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
        .synchronization2 = VK_TRUE};
    const VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = (void *)&later,
        .timelineSemaphore = VK_TRUE};
    const char *const names[] = {"VK_KHR_synchronization2",
                                 "VK_KHR_external_semaphore_fd"};
    make_instance(VK_API_VERSION_1_2);
    find_device();
    make_device(&features, 2, names);
    for (unsigned i = 0; i < 2; i++) {
        VkSemaphore s = i ? make_semaphore(true) : make_plain(true);
        const VkSemaphoreSubmitInfo signal = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = s,
            .value = 7};
        const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                    .signalSemaphoreInfoCount = 1,
                                    .pSignalSemaphoreInfos = &signal};
        uint64_t value = 0;
        VK_OK(OF_DEVICE(vkQueueSubmit2KHR)(queue, 1, &info, VK_NULL_HANDLE));
        VK_OK(VK(vkQueueWaitIdle)(queue));
        VK_OK(VK(vkGetSemaphoreCounterValue)(device, s, &value));
        CHECK(value == 7);
        VK(vkDestroySemaphore)(device, s, NULL);
    }
    destroy_all();
    make_instance(VK_API_VERSION_1_2);
    find_device();
    make_device(NULL, 0, NULL);
    CHECK(!OF_DEVICE(vkGetSemaphoreFdKHR)); /* its extension is not enabled */
    destroy_all();
}

/* ---- beside a GPU ------------------------------------------------------- */

static void check_gpu(void)
{
    VkPhysicalDeviceProperties p;
    uint32_t count = 1;
    make_layered(VK_API_VERSION_1_3, 2);
    VK(vkEnumeratePhysicalDevices)(instance, &count, &physical);
    VK(vkGetPhysicalDeviceProperties)(physical, &p);
    CHECK(p.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU);
    make_device(NULL, 0, NULL);
    CHECK(queue);
    VkSemaphore s = make_plain(false);
    submit_semaphores(VK_NULL_HANDLE, s);
    VK_OK(VK(vkQueueWaitIdle)(queue));
    VK(vkDestroySemaphore)(device, s, NULL);
    destroy_all();
}

int main(void)
{
    make_newest();
    kernels_register();
    check_host(make_semaphore(true));
    check_host(make_plain(true));
    check_temporary(make_semaphore(false));
    check_refused();
    check_their_memory();
    check_our_memory();
    check_short_name();
    kernels_unregister();
    destroy_all();
    check_version_1_1();
    check_version_1_2();
    check_gpu();
    return check_result();
}

#else

int main(void)
{
    printf("skipped: no headers of Vulkan when this was built\n");
    return failures ? 1 : SKIPPED;
}

#endif
