/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Narrow products in the tiles of Intel's AMX, registers of 16 rows of 64
 * bytes. A row of a tile of sums is a part of a column of D, whose columns are
 * what lies together in memory. So the instruction's first operand is 16
 * columns of B with 16 lanes along k each, and its second one 16 lanes along k
 * with 16 rows of A each: A is packed as for the other kernels, B by the
 * functions here.
 */
#if defined(__x86_64__)
#include "lib/product/narrow_kernel.h"

#include <cpuid.h>
#include <immintrin.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/bits.h"

/* Rows of a tile, and lanes of a row; lanes of a tile; rows of a block. */
enum { TILE = 16, TILE_LANES = TILE * TILE, ROWS = 2 * TILE };

/* ---- packing B -------------------------------------------------------- */

/* Where the numbers of a column, `bytes` long, lie together. */
static void pack_columns(const struct narrow *x, size_t element, int64_t count,
                         size_t bytes, int32_t *to)
{
    for (int64_t j = 0; j < count; j++) {
        const char *column =
            (const char *)x->at + j * x->step * (int64_t)element;
        for (size_t done = 0; done < bytes; done += 4 * TILE) {
            size_t some = bytes - done < 4 * TILE ? bytes - done : 4 * TILE;
            int32_t *row = to + done / (4 * TILE) * TILE_LANES + j * TILE;
            memcpy(row, column + done, some);
        }
    }
}

/* Where columns lie together: 16 lanes of each are packed as A's and
 * transposed. */
static void pack_rows(const struct narrow *x, narrow_pack_fn *pack, int group,
                      size_t element, int64_t count, int64_t k, int32_t *to)
{
    int32_t lanes[TILE_LANES] __attribute__((aligned(64)));
    for (int64_t from = 0; from < k; from += TILE * group, to += TILE_LANES) {
        int64_t some = k - from < TILE * group ? k - from : TILE * group;
        struct narrow part = *x;
        part.at = (const char *)x->at + from * x->step_k * (int64_t)element;
        if (some < TILE * group)
            memset(lanes, 0, sizeof lanes);
        pack(&part, count, TILE, some, lanes);
        for (int i = 0; i < TILE; i += 8)
            for (int j = 0; j < TILE; j += 8)
                narrow_turn((const char *)(lanes + i * TILE + j), 4 * TILE, 0,
                            TILE, to + j * TILE + i);
    }
}

static void pack_tiles(const struct narrow *x, narrow_pack_fn *pack, int group,
                       int64_t count, int64_t k, int32_t *to)
{
    size_t element = sizeof(int32_t) / (size_t)group;
    int64_t tiles = (k + TILE * group - 1) / (TILE * group);
    if (x->step == 1) {
        pack_rows(x, pack, group, element, count, k, to);
        return;
    }
    if (count < TILE || k % (TILE * group) != 0)
        memset(to, 0, (size_t)tiles * TILE_LANES * sizeof *to);
    pack_columns(x, element, count, (size_t)k * element, to);
}

static void pack_bytes(const struct narrow *x, int64_t count, int64_t width,
                       int64_t k, int32_t *to)
{
    (void)width;
    pack_tiles(x, narrow_pack_bytes, 4, count, k, to);
}

static void pack_bfloats(const struct narrow *x, int64_t count, int64_t width,
                         int64_t k, int32_t *to)
{
    (void)width;
    pack_tiles(x, narrow_pack_bfloats, 2, count, k, to);
}

/* ---- by AMX ----------------------------------------------------------- */

#define TILES_ISA "amx-tile,amx-int8,amx-bf16"

/* Linux saves tiles for a process only after it has asked (arch_prctl). The
 * other numbers are bits of CPUID. */
enum { CALL_REQUEST = 0x1023, STATE_TILES = 18 };
enum { HAS_BFLOATS = 1 << 22, HAS_TILES = 1 << 24, HAS_BYTES = 1 << 25 };

static bool has_amx;

static void find_amx(void)
{
    unsigned a, b, c, d, all = HAS_BFLOATS | HAS_TILES | HAS_BYTES;
    has_amx = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & all) == all &&
              __builtin_cpu_supports("avx2") &&
              syscall(SYS_arch_prctl, CALL_REQUEST, STATE_TILES) == 0;
}

/* GCC 12 takes _tile_loadconfig to read eight bytes, and loads of tiles to read
 * nothing. Without this it may move or leave out the stores before them. */
static inline void finish_stores(const void *at)
{
    __asm__ volatile("" : : "r"(at) : "memory");
}

__attribute__((target(TILES_ISA))) static void begin_amx(void)
{
    struct {
        uint8_t palette, start_row, reserved[14];
        uint16_t row_bytes[16];
        uint8_t rows[16];
    } shape = {.palette = 1};
    for (int i = 0; i < 8; i++) {
        shape.row_bytes[i] = 4 * TILE;
        shape.rows[i] = TILE;
    }
    finish_stores(&shape);
    _tile_loadconfig(&shape);
}

__attribute__((target(TILES_ISA))) static void end_amx(void)
{
    _tile_release();
}

/* Tiles 0 and 1 are the sums of B's tile 4 with A's tiles 6 and 7, tiles 2 and
 * 3 those of B's tile 5. */
#define AMX_KERNEL(name, MULTIPLY)                                             \
    __attribute__((target(TILES_ISA))) static void name(                       \
        int64_t steps, const int32_t *a, const int32_t *b,                     \
        const int32_t *less, struct narrow_sums to)                            \
    {                                                                          \
        size_t ld = (size_t)to.ld * sizeof *to.at;                             \
        const int32_t *next = b + TILE * steps;                                \
        int32_t *right = to.at + TILE * to.ld;                                 \
        (void)less;                                                            \
        finish_stores(to.at);                                                  \
        if (to.adds) {                                                         \
            _tile_loadd(0, to.at, ld);                                         \
            _tile_loadd(1, to.at + TILE, ld);                                  \
            _tile_loadd(2, right, ld);                                         \
            _tile_loadd(3, right + TILE, ld);                                  \
        } else {                                                               \
            _tile_zero(0);                                                     \
            _tile_zero(1);                                                     \
            _tile_zero(2);                                                     \
            _tile_zero(3);                                                     \
        }                                                                      \
        for (int64_t p = 0; p < steps; p += TILE) {                            \
            _tile_loadd(4, b + p * TILE, 4 * TILE);                            \
            _tile_loadd(6, a + p * ROWS, 4 * ROWS);                            \
            _tile_loadd(7, a + p * ROWS + TILE, 4 * ROWS);                     \
            _tile_loadd(5, next + p * TILE, 4 * TILE);                         \
            MULTIPLY(0, 4, 6);                                                 \
            MULTIPLY(1, 4, 7);                                                 \
            MULTIPLY(2, 5, 6);                                                 \
            MULTIPLY(3, 5, 7);                                                 \
        }                                                                      \
        _tile_stored(0, to.at, ld);                                            \
        _tile_stored(1, to.at + TILE, ld);                                     \
        _tile_stored(2, right, ld);                                            \
        _tile_stored(3, right + TILE, ld);                                     \
    }

AMX_KERNEL(multiply_bytes_amx, _tile_dpbssd)
AMX_KERNEL(multiply_bfloats_amx, _tile_dpbf16ps)

const struct narrow_kernel *narrow_amx(enum narrow_kind kind)
{
    static const struct narrow_kernel kernels[NARROW_KINDS] = {
        [NARROW_BYTES] = {ROWS, ROWS, TILE, 4, TILE, 1, narrow_pack_bytes,
                          pack_bytes, multiply_bytes_amx, NULL, begin_amx,
                          end_amx},
        [NARROW_BFLOATS] = {ROWS, ROWS, TILE, 2, TILE, 2, narrow_pack_bfloats,
                            pack_bfloats, multiply_bfloats_amx, NULL, begin_amx,
                            end_amx},
    };
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_amx);
    return has_amx ? &kernels[kind] : NULL;
}

/* ---- the same in C ---------------------------------------------------- */

static int32_t add_bytes(int32_t sum, int32_t x, int32_t y)
{
    int8_t a[4], b[4];
    memcpy(a, &x, sizeof a);
    memcpy(b, &y, sizeof b);
    for (int i = 0; i < 4; i++)
        sum = (int32_t)((uint32_t)sum + (uint32_t)(a[i] * b[i]));
    return sum;
}

static int32_t add_bfloats(int32_t sum, int32_t x, int32_t y)
{
    float total = float_of_bits((uint32_t)sum);
    total +=
        float_of_bits((uint32_t)x << 16) * float_of_bits((uint32_t)y << 16);
    total += float_of_bits((uint32_t)x & 0xffff0000u) *
             float_of_bits((uint32_t)y & 0xffff0000u);
    memcpy(&sum, &total, sizeof sum);
    return sum;
}

#define TILES_KERNEL(name, ADD)                                                \
    static void name(int64_t steps, const int32_t *a, const int32_t *b,        \
                     const int32_t *less, struct narrow_sums to)               \
    {                                                                          \
        (void)less;                                                            \
        for (int j = 0; j < ROWS; j++)                                         \
            for (int i = 0; i < ROWS; i++) {                                   \
                int32_t *at = to.at + j * to.ld + i, sum = to.adds ? *at : 0;  \
                for (int64_t p = 0; p < steps; p++) {                          \
                    int64_t tile =                                             \
                        j / TILE * TILE * steps + p / TILE * TILE_LANES;       \
                    sum = ADD(sum, a[p * ROWS + i],                            \
                              b[tile + j % TILE * TILE + p % TILE]);           \
                }                                                              \
                *at = sum;                                                     \
            }                                                                  \
    }

TILES_KERNEL(multiply_bytes_tiles, add_bytes)
TILES_KERNEL(multiply_bfloats_tiles, add_bfloats)

const struct narrow_kernel *narrow_tiles(enum narrow_kind kind)
{
    static const struct narrow_kernel kernels[NARROW_KINDS] = {
        [NARROW_BYTES] = {ROWS, ROWS, TILE, 4, TILE, 1, narrow_pack_bytes,
                          pack_bytes, multiply_bytes_tiles, NULL, NULL, NULL},
        [NARROW_BFLOATS] = {ROWS, ROWS, TILE, 2, TILE, 2, narrow_pack_bfloats,
                            pack_bfloats, multiply_bfloats_tiles, NULL, NULL,
                            NULL},
    };
    return __builtin_cpu_supports("avx2") ? &kernels[kind] : NULL;
}

#endif
