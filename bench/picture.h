/* SPDX-License-Identifier: Apache-2.0 */
/* The pictures and the volume of the benchmarks of textures. */
#ifndef WEFT_BENCH_PICTURE_H
#define WEFT_BENCH_PICTURE_H

#include <math.h>

enum {
    TEXTURE_SIDE = 2048,
    VOLUME_SIDE = 128,
    RAYS = 512,
    RAY_STEPS = 128,
};
#define TURNED_BY 0.5f

static inline float picture_value(int x, int y)
{
    return (float)((x * 7 + y * 13) % 251);
}

static inline float volume_value(int x, int y, int z)
{
    return (float)((x + 2 * y + 3 * z) % 17) / 16;
}

/* What the turned picture has in its middle. */
static inline float picture_middle(void)
{
    int m = TEXTURE_SIDE / 2;
    return (picture_value(m - 1, m - 1) + picture_value(m, m - 1) +
            picture_value(m - 1, m) + picture_value(m, m)) /
           4;
}

/* The ray in the middle of the picture, about. */
static inline float ray_middle(void)
{
    float sum = 0;
    for (int i = 0; i < RAY_STEPS; i++) {
        float w = (i + 0.5f) / RAY_STEPS, at[3];
        at[0] = (0.5f + 0.5f / RAYS + 0.2f * (w - 0.5f)) * VOLUME_SIDE - 0.5f;
        at[1] = (0.5f + 0.5f / RAYS + 0.1f * (w - 0.5f)) * VOLUME_SIDE - 0.5f;
        at[2] = w * VOLUME_SIDE - 0.5f;
        for (int k = 0; k < 8; k++) {
            float weight = 1;
            int cell[3];
            for (int d = 0; d < 3; d++) {
                float part = at[d] - floorf(at[d]);
                cell[d] = (int)floorf(at[d]) + (k >> d & 1);
                weight *= k >> d & 1 ? part : 1 - part;
            }
            sum += weight * volume_value(cell[0], cell[1], cell[2]);
        }
    }
    return sum;
}

#endif
