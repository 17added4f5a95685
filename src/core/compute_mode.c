/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compute modes: whether processes may make contexts on a device, as
 * `nvidia-smi -c` and NVML set it for all of a user's processes.
 *
 * A folder of the user's, empty after a restart of the machine, has two files
 * for a device: mode-N, one digit, and holder-N, which a process locks while it
 * has contexts on a device in exclusive mode. The system takes the lock back
 * from a process that ends, however it ends, and does not give it to a child.
 * Setting a mode does not ask who has contexts then.
 */
#define _GNU_SOURCE
#include "core/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cache/cache.h"

static struct {
    pthread_mutex_t lock;
    struct {
        unsigned context_count;
        int holder_fd; /* above 0: this process has the lock */
    } of[DEVICE_COUNT_MAX];
} modes = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool name_folder(char path[CACHE_PATH_BYTES])
{
    const char *base = secure_getenv("XDG_RUNTIME_DIR");
    int n = base && *base ? snprintf(path, CACHE_PATH_BYTES, "%s/weft", base)
                          : snprintf(path, CACHE_PATH_BYTES, "/dev/shm/weft-%u",
                                     (unsigned)geteuid());
    return n < CACHE_PATH_BYTES - CACHE_NAME_BYTES;
}

/* Opens a file of the device's. -1: there is none, or no safe place for it. */
static int open_file(const char *kind, int number, int flags)
{
    char path[CACHE_PATH_BYTES], *end;
    if (!name_folder(path) || access(path, F_OK) != 0 || !cache_resolve(path))
        return -1;
    end = path + strlen(path);
    snprintf(end, CACHE_NAME_BYTES, "/%s-%d", kind, number);
    return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

CUcomputemode compute_mode_of(int number)
{
    char digit;
    assert(number >= 0 && number < DEVICE_COUNT_MAX);
    int fd = open_file("mode", number, O_RDONLY);
    if (fd < 0)
        return CU_COMPUTEMODE_DEFAULT;
    ssize_t got = pread(fd, &digit, 1, 0);
    close(fd);
    if (got != 1) /* it is being made */
        return CU_COMPUTEMODE_DEFAULT;
    return digit == '2'   ? CU_COMPUTEMODE_PROHIBITED
           : digit == '3' ? CU_COMPUTEMODE_EXCLUSIVE_PROCESS
                          : CU_COMPUTEMODE_DEFAULT;
}

bool compute_mode_set(int number, CUcomputemode mode)
{
    char path[CACHE_PATH_BYTES], digit = (char)('0' + (int)mode);
    assert(number >= 0 && number < DEVICE_COUNT_MAX);
    if (!name_folder(path) || !cache_make_folder(path))
        return false;
    int fd = open_file("mode", number, O_WRONLY | O_CREAT);
    bool ok = fd >= 0 && pwrite(fd, &digit, 1, 0) == 1;
    if (fd >= 0)
        close(fd);
    return ok;
}

/* Takes the lock of a device that one process alone may use. */
static bool lock_device(int number, int *fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *fd = open_file("holder", number, O_RDWR | O_CREAT);
    if (*fd >= 0 && fcntl(*fd, F_SETLK, &whole) == 0)
        return true;
    if (*fd >= 0)
        close(*fd);
    *fd = 0;
    return false;
}

static bool is_allowed(int number, int *fd)
{
    switch (compute_mode_of(number)) {
    case CU_COMPUTEMODE_PROHIBITED:
        return false;
    case CU_COMPUTEMODE_EXCLUSIVE_PROCESS:
        return lock_device(number, fd);
    default:
        return true;
    }
}

CUresult compute_mode_enter(int device)
{
    int number = device_number(device);
    pthread_mutex_lock(&modes.lock);
    bool ok = modes.of[number].context_count ||
              is_allowed(number, &modes.of[number].holder_fd);
    modes.of[number].context_count += ok;
    pthread_mutex_unlock(&modes.lock);
    return ok ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
}

void compute_mode_leave(int device)
{
    int number = device_number(device);
    pthread_mutex_lock(&modes.lock);
    assert(modes.of[number].context_count);
    if (--modes.of[number].context_count == 0 && modes.of[number].holder_fd) {
        close(modes.of[number].holder_fd);
        modes.of[number].holder_fd = 0;
    }
    pthread_mutex_unlock(&modes.lock);
}
