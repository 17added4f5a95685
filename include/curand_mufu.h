/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The GPU's fast sine, cosine and power of 2 with all their bits, and logf and
 * expf as device code has them: what single normals and log-normals are made
 * of. Part of curand_kernel.h.
 *
 * 64 quadratic pieces in fixed point, cut to a float; the square leaves out the
 * low columns of its folded partial products. Structure: Oberman & Siu, "A
 * High-Performance Area-Efficient Multifunction Interpolator", ARITH 2005.
 * Pieces and columns are fits to an H200's answers; they give all of a quarter
 * turn's 2^23 phases, all 2^23 fractions and three million other numbers. The
 * constants of logf and expf are those in the PTX that nvcc writes for them.
 */
#ifndef CURAND_MUFU_H_
#define CURAND_MUFU_H_

#include "curand_globals.h"

#ifdef __CUDACC__
#define WEFT_TABLE static __device__ const
#else
#include <math.h>
#define WEFT_TABLE static const
#endif

/* The piece's value at its start, and its slope with the curvature in the
 * upper half; the tables say in which units. */
struct weft_piece {
    int start;
    unsigned int terms;
};

/* clang-format off */
#define WEFT_PIECE(start, slope, curve) \
    {start, (unsigned int)(curve) << 16 | slope},

/* A quarter turn; start in 2^-25, slope in 2^-14, curvature in 2^-10. */
WEFT_TABLE struct weft_piece weft_sine_pieces[64] = {
    WEFT_PIECE(0, 25737, -14) WEFT_PIECE(823463, 25730, -48)
    WEFT_PIECE(1646436, 25706, -76) WEFT_PIECE(2468414, 25668, -110)
    WEFT_PIECE(3288906, 25613, -137) WEFT_PIECE(4107418, 25544, -171)
    WEFT_PIECE(4923453, 25459, -201) WEFT_PIECE(5736526, 25358, -229)
    WEFT_PIECE(6546141, 25243, -262) WEFT_PIECE(7351816, 25112, -292)
    WEFT_PIECE(8153060, 24966, -322) WEFT_PIECE(8949394, 24805, -352)
    WEFT_PIECE(9740335, 24629, -381) WEFT_PIECE(10525413, 24438, -410)
    WEFT_PIECE(11304145, 24233, -441) WEFT_PIECE(12076070, 24013, -470)
    WEFT_PIECE(12840725, 23778, -497) WEFT_PIECE(13597643, 23529, -525)
    WEFT_PIECE(14346367, 23266, -553) WEFT_PIECE(15086452, 22989, -581)
    WEFT_PIECE(15817450, 22698, -608) WEFT_PIECE(16538916, 22394, -637)
    WEFT_PIECE(17250422, 22076, -664) WEFT_PIECE(17951542, 21744, -688)
    WEFT_PIECE(18641840, 21400, -715) WEFT_PIECE(19320916, 21042, -738)
    WEFT_PIECE(19988350, 20672, -763) WEFT_PIECE(20643746, 20290, -790)
    WEFT_PIECE(21286703, 19895, -812) WEFT_PIECE(21916841, 19489, -839)
    WEFT_PIECE(22533776, 19070, -859) WEFT_PIECE(23137138, 18640, -881)
    WEFT_PIECE(23726565, 18199, -904) WEFT_PIECE(24301698, 17747, -926)
    WEFT_PIECE(24862194, 17284, -946) WEFT_PIECE(25407711, 16811, -967)
    WEFT_PIECE(25937924, 16328, -988) WEFT_PIECE(26452518, 15834, -1004)
    WEFT_PIECE(26951170, 15332, -1025) WEFT_PIECE(27433593, 14820, -1043)
    WEFT_PIECE(27899488, 14299, -1059) WEFT_PIECE(28348583, 13769, -1074)
    WEFT_PIECE(28780594, 13232, -1093) WEFT_PIECE(29195273, 12686, -1107)
    WEFT_PIECE(29592364, 12133, -1123) WEFT_PIECE(29971632, 11572, -1136)
    WEFT_PIECE(30332846, 11004, -1148) WEFT_PIECE(30675788, 10430, -1162)
    WEFT_PIECE(31000253, 9849, -1172) WEFT_PIECE(31306042, 9263, -1185)
    WEFT_PIECE(31592974, 8671, -1196) WEFT_PIECE(31860879, 8073, -1203)
    WEFT_PIECE(32109590, 7471, -1213) WEFT_PIECE(32338961, 6864, -1220)
    WEFT_PIECE(32548845, 6254, -1230) WEFT_PIECE(32739132, 5639, -1236)
    WEFT_PIECE(32909694, 5021, -1242) WEFT_PIECE(33060432, 4400, -1247)
    WEFT_PIECE(33191257, 3776, -1250) WEFT_PIECE(33302087, 3151, -1258)
    WEFT_PIECE(33392857, 2523, -1260) WEFT_PIECE(33463517, 1893, -1260)
    WEFT_PIECE(33514014, 1263, -1263) WEFT_PIECE(33544326, 632, -1265)
};

/* 2^x from 1 to 2; start in 2^-25, slope in 2^-15, curvature in 2^-11. */
WEFT_TABLE struct weft_piece weft_power_pieces[64] = {
    WEFT_PIECE(33554435, 22713, 494) WEFT_PIECE(33919818, 22960, 501)
    WEFT_PIECE(34289182, 23210, 506) WEFT_PIECE(34662565, 23463, 511)
    WEFT_PIECE(35040018, 23718, 518) WEFT_PIECE(35421577, 23977, 521)
    WEFT_PIECE(35807292, 24238, 527) WEFT_PIECE(36197209, 24502, 532)
    WEFT_PIECE(36591372, 24768, 541) WEFT_PIECE(36989825, 25038, 546)
    WEFT_PIECE(37392616, 25311, 551) WEFT_PIECE(37799797, 25586, 559)
    WEFT_PIECE(38211409, 25865, 564) WEFT_PIECE(38627504, 26147, 568)
    WEFT_PIECE(39048131, 26431, 577) WEFT_PIECE(39473337, 26719, 583)
    WEFT_PIECE(39903173, 27010, 589) WEFT_PIECE(40337690, 27304, 596)
    WEFT_PIECE(40776937, 27602, 600) WEFT_PIECE(41220970, 27902, 609)
    WEFT_PIECE(41669836, 28206, 615) WEFT_PIECE(42123592, 28513, 622)
    WEFT_PIECE(42582286, 28824, 627) WEFT_PIECE(43045977, 29138, 633)
    WEFT_PIECE(43514717, 29455, 641) WEFT_PIECE(43988561, 29776, 647)
    WEFT_PIECE(44467565, 30100, 655) WEFT_PIECE(44951786, 30428, 661)
    WEFT_PIECE(45441278, 30759, 670) WEFT_PIECE(45936101, 31094, 677)
    WEFT_PIECE(46436314, 31432, 686) WEFT_PIECE(46941971, 31775, 691)
    WEFT_PIECE(47453135, 32121, 699) WEFT_PIECE(47969867, 32471, 705)
    WEFT_PIECE(48492225, 32824, 715) WEFT_PIECE(49020269, 33182, 721)
    WEFT_PIECE(49554065, 33543, 730) WEFT_PIECE(50093674, 33908, 739)
    WEFT_PIECE(50639159, 34277, 748) WEFT_PIECE(51190582, 34651, 753)
    WEFT_PIECE(51748011, 35028, 763) WEFT_PIECE(52311510, 35409, 773)
    WEFT_PIECE(52881146, 35795, 779) WEFT_PIECE(53456983, 36185, 787)
    WEFT_PIECE(54039091, 36579, 796) WEFT_PIECE(54627538, 36977, 806)
    WEFT_PIECE(55222393, 37380, 813) WEFT_PIECE(55823725, 37787, 822)
    WEFT_PIECE(56431607, 38198, 833) WEFT_PIECE(57046106, 38614, 842)
    WEFT_PIECE(57667297, 39035, 849) WEFT_PIECE(58295254, 39460, 858)
    WEFT_PIECE(58930048, 39889, 870) WEFT_PIECE(59571754, 40324, 877)
    WEFT_PIECE(60220447, 40763, 887) WEFT_PIECE(60876205, 41207, 896)
    WEFT_PIECE(61539104, 41655, 909) WEFT_PIECE(62209220, 42109, 917)
    WEFT_PIECE(62886634, 42568, 925) WEFT_PIECE(63571424, 43031, 938)
    WEFT_PIECE(64263672, 43500, 946) WEFT_PIECE(64963458, 43973, 959)
    WEFT_PIECE(65670863, 44452, 969) WEFT_PIECE(66385972, 44936, 980)
};
#undef WEFT_PIECE
/* clang-format on */

QUALIFIERS int weft_curand_bits(float x)
{
    union {
        float number;
        int bits;
    } u;
    u.number = x;
    return u.bits;
}

QUALIFIERS float weft_curand_float(int x)
{
    union {
        int bits;
        float number;
    } u;
    u.bits = x;
    return u.number;
}

/* x^2 / 2^19 in 17 bits, without the partial products of bits i < j whose
 * column i + j + 1 (2 i for i = j) is below 19. */
QUALIFIERS int weft_cut_square(int x)
{
    int high = x >> 10;
    int sum = 2 * high * (high + (x >> 9 & 1));
    for (int i = 2; i < 9; i++)
        sum += x & 1 << i ? x >> (18 - i) : 0;
    return sum;
}

/* An integer from 0 to 2^31 - 64 as a float, its digits beyond 24 bits cut
 * off. */
QUALIFIERS float weft_cut_int(int x)
{
    float f = (float)x;
    return weft_curand_float(weft_curand_bits(f) - ((int)f > x));
}

/* a * b for a and b above 0, the digits beyond 24 bits cut off. */
QUALIFIERS float weft_cut_product(float a, float b)
{
    float p = a * b;
    return weft_curand_float(weft_curand_bits(p) - (fmaf(a, b, -p) < 0));
}

/* Sine of a phase in units of 2^-25 turns; the phase may exceed one turn. The
 * sum has 37 bits: the piece's start determines the upper 25, and of the lower
 * 12 as many are kept as a float has room for. */
QUALIFIERS float weft_sine_of_phase(int phase)
{
    int up = phase & 0x7fffff;
    int at = phase & 0x800000 ? 0x7fffff - up : up;
    struct weft_piece p = weft_sine_pieces[at >> 17];
    int x = at & 0x1ffff;
    unsigned int sum =
        (p.terms & 0xffff) * (unsigned int)x +
        (unsigned int)((int)p.terms >> 16) * (unsigned int)weft_cut_square(x);
    int high = p.start + (int)(sum >> 12), low = (int)(sum & 0xfff);
    int is_small = high < 1 << 19;
    float sine =
        weft_cut_int(is_small ? high << 12 | low : high << 5 | low >> 7);
    sine *= is_small ? 7.275958e-12f : 9.313226e-10f;
    return phase & 0x1000000 ? -sine : sine;
}

/* __sincosf of v from 0 to 2 pi. */
QUALIFIERS void weft_sine_cosine(float v, float *sine, float *cosine)
{
    int phase = (int)(weft_cut_product(v, 0.15915494f) * 33554432.0f);
    *sine = weft_sine_of_phase(phase);
    *cosine = weft_sine_of_phase(phase + 0x800000);
}

/* ex2.approx.ftz. The fraction has 23 bits, complemented for x below 0 unless
 * the size is cut to 0. The sum has 39 bits, of which 24 are kept. */
QUALIFIERS float weft_power_of_2(float x)
{
    int size = (int)(fminf(fabsf(x), 200.0f) * 8388608.0f);
    int n = x < 0 && size ? ~size : size;
    int power = n >> 23;
    struct weft_piece p = weft_power_pieces[n >> 17 & 63];
    int at = n & 0x1ffff, slope = (int)(p.terms & 0xffff);
    int low = slope * (at & 15) + (int)(p.terms >> 16) * weft_cut_square(at);
    int sum = slope * (at >> 4) + ((low + 6114) >> 4);
    float f = weft_curand_float(0x3f000000 + ((p.start + (sum >> 9)) >> 2));
    power = power < -127 ? -127 : power > 128 ? 128 : power;
    return f * weft_curand_float((power + 127) << 23);
}

/* logf of x from 2^-126: 2^k m with m in [2/3, 4/3). */
QUALIFIERS float weft_log(float x)
{
    int bits = weft_curand_bits(x);
    int k = (bits - 0x3f2aaaab) & (int)0xff800000;
    float m = weft_curand_float(bits - k) - 1;
    float p = fmaf(-0.13018857f, m, 0.1408461f);
    p = fmaf(p, m, -0.12148628f);
    p = fmaf(p, m, 0.1398061f);
    p = fmaf(p, m, -0.16684236f);
    p = fmaf(p, m, 0.200123f);
    p = fmaf(p, m, -0.24999669f);
    p = fmaf(p, m, 0.33333182f);
    p = fmaf(p, m, -0.5f);
    return fmaf(k * 1.1920929e-07f, 0.6931472f, fmaf(p * m, m, m));
}

/* expf: 2^n 2^r; of large numbers r is above 1, of small ones below 0. */
QUALIFIERS float weft_exp(float x)
{
    float t = fminf(fmaxf(fmaf(x, 0.00572498f, 0.5f), 0.0f), 1.0f);
    float whole = t * 252, n = floorf(whole);
    n -= n == whole && fmaf(t, 252, -whole) < 0 ? 127 : 126;
    float r = fmaf(x, 1.925963e-08f, fmaf(x, 1.442695f, -n));
    float y = weft_power_of_2(r) * weft_curand_float(((int)n + 127) << 23);
    return x == x ? y : x;
}

#endif
