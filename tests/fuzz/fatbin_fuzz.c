/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: any bytes are a fat binary with PTX or an answer what is
 * there instead, and nothing outside of them is read. They stand right before
 * memory that cannot be read.
 *
 * sources: src/fatbin/read.c -lzstd -llz4
 */
#include "fatbin/fatbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, ROOM = 16 * PAGE };

static uint8_t *place(const uint8_t *data, size_t size)
{
    static uint8_t *room;
    if (!room) {
        room = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED || mprotect(room + ROOM, PAGE, PROT_NONE))
            abort();
    }
    if (size)
        memcpy(room + ROOM - size, data, size);
    return room + ROOM - size;
}

/* The magic number is a lucky guess otherwise. */
static void help(uint8_t *image, size_t size)
{
    static const uint8_t head[] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0};
    if (size >= sizeof head && image[0] & 1)
        memcpy(image, head, sizeof head);
}

static void select_for(const void *image, unsigned device)
{
    struct fatbin_entry e;
    char *seen;
    bool found = fatbin_select(image, device, &e, &seen);
    if (found ? !e.ptx : !seen) {
        fprintf(stderr, "neither PTX nor a word about what there is\n");
        abort();
    }
    unsigned char sum = 0;
    for (size_t i = 0; i < e.ptx_bytes; i++)
        sum ^= (unsigned char)e.ptx[i];
    if (found && e.ptx_bytes && sum == 0x5a)
        putc(0, stderr); /* so that the text is read */
    free(e.owned);
    free(seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const void *const *parts;
    if (size > ROOM)
        return 0;
    uint8_t *image = place(data, size);
    help(image, size);
    select_for(image, 80);
    select_for(image, FATBIN_ANY_DEVICE);
    fatbin_parts(image, &parts);
    return 0;
}
