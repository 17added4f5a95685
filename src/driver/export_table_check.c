/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handshake. NVIDIA's runtime asks the driver for a digest of what both
 * know (versions, process, time, devices), and computes it itself. If the two
 * differ, each of its calls fails with cudaErrorSoftwareValidityNotEstablished.
 * The digest is HMAC (RFC 2104) over MD2 (RFC 1319) with a fixed key. The
 * runtime asks three questions, and the first two have fixed answers.
 *
 * Source: ZLUDA's public description (dark_api).
 */
#include "driver/export_table.h"

#include <pthread.h>
#include <unistd.h>

#include "driver/internal.h"

/* ---- MD2 ----------------------------------------------------------------- */

enum { BLOCK = 16, ROUNDS = 18 };

/* A permutation made from the digits of pi: RFC 1319, section 3.2. */
static const uint8_t pi_permutation[256] = {
    41,  46,  67,  201, 162, 216, 124, 1,   61,  54,  84,  161, 236, 240, 6,
    19,  98,  167, 5,   243, 192, 199, 115, 140, 152, 147, 43,  217, 188, 76,
    130, 202, 30,  155, 87,  60,  253, 212, 224, 22,  103, 66,  111, 24,  138,
    23,  229, 18,  190, 78,  196, 214, 218, 158, 222, 73,  160, 251, 245, 142,
    187, 47,  238, 122, 169, 104, 121, 145, 21,  178, 7,   63,  148, 194, 16,
    137, 11,  34,  95,  33,  128, 127, 93,  154, 90,  144, 50,  39,  53,  62,
    204, 231, 191, 247, 151, 3,   255, 25,  48,  179, 72,  165, 181, 209, 215,
    94,  146, 42,  172, 86,  170, 198, 79,  184, 56,  210, 150, 164, 125, 182,
    118, 252, 107, 226, 156, 116, 4,   241, 69,  157, 112, 89,  100, 113, 135,
    32,  134, 91,  207, 101, 230, 45,  168, 2,   27,  96,  37,  173, 174, 176,
    185, 246, 28,  70,  97,  105, 52,  64,  126, 15,  85,  71,  163, 35,  221,
    81,  175, 58,  195, 92,  249, 206, 186, 197, 234, 38,  44,  83,  13,  110,
    133, 40,  132, 9,   211, 223, 205, 244, 65,  129, 77,  82,  106, 220, 55,
    200, 108, 193, 171, 250, 36,  225, 123, 8,   12,  189, 177, 74,  120, 136,
    149, 139, 227, 99,  232, 109, 233, 203, 213, 254, 59,  0,   29,  57,  242,
    239, 183, 14,  102, 88,  208, 228, 166, 119, 114, 248, 235, 117, 75,  10,
    49,  68,  80,  180, 143, 237, 31,  26,  219, 153, 141, 51,  159, 17,  131,
    20,
};

struct md2 {
    uint8_t state[BLOCK], block[BLOCK], checksum[BLOCK];
    unsigned used; /* of the block */
};

static void md2_block(struct md2 *m)
{
    uint8_t x[3 * BLOCK], last = m->checksum[BLOCK - 1];
    for (unsigned i = 0; i < BLOCK; i++) {
        x[i] = m->state[i];
        x[BLOCK + i] = m->block[i];
        x[2 * BLOCK + i] = m->block[i] ^ m->state[i];
        last = m->checksum[i] ^= pi_permutation[m->block[i] ^ last];
    }
    uint8_t t = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned k = 0; k < sizeof x; k++)
            t = x[k] ^= pi_permutation[t];
        t = (uint8_t)(t + round);
    }
    memcpy(m->state, x, BLOCK);
    m->used = 0;
}

static void md2_add(struct md2 *m, const void *data, size_t size_bytes)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size_bytes; i++) {
        m->block[m->used++] = bytes[i];
        if (m->used == BLOCK)
            md2_block(m);
    }
}

static void md2_end(struct md2 *m, uint8_t digest[BLOCK])
{
    uint8_t padding[BLOCK], checksum[BLOCK];
    unsigned missing = BLOCK - m->used;
    memset(padding, (int)missing, missing);
    md2_add(m, padding, missing);
    memcpy(checksum, m->checksum, BLOCK);
    md2_add(m, checksum, BLOCK);
    memcpy(digest, m->state, BLOCK);
}

/* ---- HMAC ---------------------------------------------------------------- */

static const uint8_t key[BLOCK] = {0x14, 0x6a, 0xdd, 0xae, 0x53, 0xa9,
                                   0xa7, 0x52, 0xaa, 0x08, 0x41, 0x36,
                                   0x0b, 0xf5, 0x5a, 0x9f};

static void hmac_begin(struct md2 *m, uint8_t pad)
{
    uint8_t padded[BLOCK];
    for (unsigned i = 0; i < BLOCK; i++)
        padded[i] = key[i] ^ pad;
    *m = (struct md2){0};
    md2_add(m, padded, BLOCK);
}

static void hmac_end(struct md2 *m, uint8_t digest[BLOCK])
{
    uint8_t inner[BLOCK];
    md2_end(m, inner);
    hmac_begin(m, 0x5c);
    md2_add(m, inner, BLOCK);
    md2_end(m, digest);
}

/* ---- the questions ------------------------------------------------------- */

struct caller {
    uint32_t driver_version, version, process, thread;
    const void *runtime_table, *check_table, *function;
    uint64_t seconds;
};
static_assert(sizeof(struct caller) == 48, "every byte counts");

struct device_identity {
    uint8_t uuid[16];
    int32_t domain, bus, device;
};
static_assert(sizeof(struct device_identity) == 28, "every byte counts");

static struct device_identity identify_device(int device)
{
    struct device_identity id;
    device_uuid(device_number(device), id.uuid);
    device_attribute(&id.domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, device);
    device_attribute(&id.bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device);
    device_attribute(&id.device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, device);
    return id;
}

static CUresult answer_check(uint32_t version, uint64_t seconds,
                             uint8_t digest[BLOCK]);

static void make_digest(uint32_t version, uint64_t seconds,
                        uint8_t digest[BLOCK])
{
    struct md2 m;
    struct caller caller = {
        .driver_version = (uint32_t)device_driver_version(),
        .version = version,
        .process = (uint32_t)getpid(),
        .thread = (uint32_t)(uintptr_t)pthread_self(),
        .runtime_table = drv_table_runtime,
        .check_table = drv_table_check,
        .function = (const void *)answer_check,
        .seconds = seconds,
    };
    hmac_begin(&m, 0x36);
    md2_add(&m, &caller, sizeof caller);
    for (int i = 0; i < device_count(); i++) {
        struct device_identity id = identify_device(i);
        md2_add(&m, &id, sizeof id);
    }
    hmac_end(&m, digest);
}

/* The last digit of the version is the question's number. */
static CUresult answer_check(uint32_t version, uint64_t seconds,
                             uint8_t digest[BLOCK])
{
    static const uint64_t fixed[][2] = {
        {0x3341181c03cb675c, 0x8ed383aa1f4cd1e8},
        {0x1841181c03cb675c, 0x8ed383aa1f4cd1e8},
    };
    unsigned question = version % 10;
    if (!digest)
        return CUDA_ERROR_INVALID_VALUE;
    if (question < ARRAY_COUNT(fixed))
        memcpy(digest, fixed[question], BLOCK);
    else
        make_digest(version, seconds, digest);
    return CUDA_SUCCESS;
}

const void *const drv_table_check[3] = {
    [0] = EXPORT_TABLE_SIZE(3),
    [1] = (const void *)answer_check,
};
