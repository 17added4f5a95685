/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Textures and surfaces: what a handle points to, and the requests that kernels
 * make.
 *
 * A handle is the address of a struct exec_texture. A texture or surface
 * reference (.texref, .surfref) is a variable that contains such an address.
 * Kernels use the variable's address as the handle, so if there is no
 * TEXTURE_MAGIC at a handle, the address that is there is the real one. A
 * separate sampler (.samplerref) is a variable that contains its settings, as
 * struct texture_sampler.
 */
#ifndef WEFT_ABI_TEXTURE_H
#define WEFT_ABI_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

/* This is no possible address. */
#define TEXTURE_MAGIC      UINT64_C(0xface7ec57e8e15f1)
#define TEXTURE_LEVELS_MAX 16
#define TEXTURE_HANDLE_MIN 4096 /* smaller ones are no addresses */
#define TEXTURE_LANES      32
/* A direction in a cube that is shorter is scaled up, so that the reciprocal of
 * its length is a float. */
#define CUBE_SHORT 0x1p-64

enum texel_kind {
    TEXEL_UNSIGNED,
    TEXEL_SIGNED,
    TEXEL_FLOAT, /* 16 or 32 bits */
    TEXEL_UNSIGNED_NORMALIZED,
    TEXEL_SIGNED_NORMALIZED,
};

/* How a texel's channels lie: side by side, in one word, or in a block of 4 x 4
 * texels (the block formats of Direct3D, BC1 to BC7). */
enum texel_layout {
    TEXEL_CHANNELS,
    TEXEL_1010102,
    TEXEL_BC1,
    TEXEL_BC2,
    TEXEL_BC3,
    TEXEL_BC4,
    TEXEL_BC5,
    TEXEL_BC6H,
    TEXEL_BC6H_SIGNED,
    TEXEL_BC7,
};
#define TEXEL_BLOCK_SIDE 4

/* Numbered as CU_TR_ADDRESS_MODE_*. */
enum texture_address {
    TEXTURE_WRAP,
    TEXTURE_CLAMP,
    TEXTURE_MIRROR,
    TEXTURE_BORDER,
};

/* What a .samplerref holds: 8 bytes that are never a handle. */
struct texture_sampler {
    uint8_t address[3]; /* enum texture_address */
    bool is_linear, is_unnormalized;
    uint8_t unused[2];
    uint8_t mark; /* TEXTURE_SAMPLER */
};
#define TEXTURE_SAMPLER 0x5a

/* Kinds of textures that code in kernels reads without a helper; their channels
 * are side by side. TEXTURE_PATH() makes the path's number, which says all that
 * the code depends on, except what is beyond the edges; 0: no path reads the
 * texture. A cube's faces are read as layers. */
enum texture_path {
    TEXTURE_PATH_WORDS = 1, /* 32 bits, as they are */
    TEXTURE_PATH_BYTES,
    TEXTURE_PATH_UNITS,     /* bytes as fractions */
    TEXTURE_PATH_ELEMENTS,  /* words in linear memory, fetched by number */
    TEXTURE_PATH_HALVES,    /* from here on narrow channels, read as floats */
    TEXTURE_PATH_FRACTIONS, /* of 8 or 16 bits, signed or not */
    TEXTURE_PATH_COLORS,    /* bytes of sRGB */
};
#define TEXTURE_PATH_LAYERED 8 /* added to dims */
#define TEXTURE_PATH_CUBE    16
#define TEXTURE_PATH(kind, channels, dims, is_linear)                          \
    ((uint32_t)(kind) | (uint32_t)(channels) << 8 | (uint32_t)(dims) << 16 |   \
     (uint32_t)(is_linear) << 24)
enum texture_beyond {
    TEXTURE_BEYOND_BORDER = 1, /* a side has one */
    TEXTURE_BEYOND_CUBE,       /* faces go on across edges */
};
/* The longest side: coordinates in units of 1 / 256 texel fit a float. */
#define TEXTURE_PATH_SIDE_MAX 16384

/* Coordinates of larger grains count texels. */
#define TEXTURE_GRAIN_EXACT (1 << 30)

/* How coordinates along a side become texels: texel i, if it is beyond an edge,
 * is replaced by ((i ^ flip) & keep) + before, or + behind. Right for
 * coordinates up to one length beyond either edge. */
struct texture_side {
    int32_t size;
    float scale; /* from coordinates to texels */
    /* Coordinates are truncated to multiples of unit = 1 / grain. */
    float grain, unit;
    uint32_t flip, keep;
    int32_t before, behind;
    uint32_t border; /* all ones: what is beyond has the border's color */
};

/* Texel (x, y) of slice z: data + z * slice_bytes + y * pitch_bytes + x times
 * the texel's bytes. A slice is a plane, a layer or a face. Texels. */
struct texture_level {
    uint8_t *data;
    uint64_t pitch_bytes, slice_bytes;
    uint32_t width, height, depth;
    struct texture_side side[3]; /* if code in kernels reads it */
};

/* How a texture unit adds texels (exec's mix.c): what it keeps of them, in bits
 * behind the largest exponent, and of sums of four behind an exponent of 0. */
enum texture_sum {
    TEXTURE_SUM_FLOAT_BITS = 28,
    TEXTURE_SUM_HALF_BITS = 15,
    TEXTURE_SUM_COLOR_BITS = 8,
    TEXTURE_SUM_GRID_BITS = 10,
};

/* How many bits behind the binary point normalised coordinates keep. */
static inline int texture_grain(uint32_t size)
{
    int bits = size > 1 ? 32 - __builtin_clz(size - 1) : 0;
    return bits + 8 > 21 ? bits + 8 : 21;
}

struct exec_texture {
    uint64_t magic; /* TEXTURE_MAGIC; 0: destroyed */
    /* TEXTURE_PATH(), of fetches that name no level and that do. */
    uint32_t path, level_path;
    uint32_t row_path;          /* path, if coordinates count texels; else 0 */
    struct texture_level start; /* the level of fetches that name none */
    struct texture_level level[TEXTURE_LEVELS_MAX];
    uint32_t level_count;
    uint32_t layers;       /* or cubes */
    uint8_t dims;          /* 1, 2, 3 */
    uint8_t kind;          /* enum texel_kind */
    uint8_t layout;        /* enum texel_layout */
    uint8_t element_bytes; /* of a texel, or of a block */
    uint8_t channel_bytes; /* 1, 2, 4 */
    uint8_t channels;      /* 1, 2, 4 */
    uint8_t address[3];    /* enum texture_address */
    bool is_layered, is_cube;
    bool is_buffer; /* linear memory: fetched by number */
    bool is_surface;
    bool is_linear, is_mip_linear, is_normalized, is_srgb, is_seamless;
    uint32_t max_anisotropy;
    float border[4];
    float lod_bias, lod_min, lod_max;
    /* For level_path: lod_more is added to a level of detail, which is then
     * clamped to [lod_low, lod_high]; whether fetches mix two levels. */
    float lod_low, lod_high, lod_more;
    bool is_between;
    /* Coordinates are normalised, and all sizes are powers of two, so products
     * of the two are exact. */
    bool has_exact_sides;
    /* What is beyond the edges: enum texture_beyond; 0: texels. */
    uint8_t beyond;
    /* The border's color as fetches return it, and as filters use it. */
    uint32_t border_texel[4], border_term[4];
    uint32_t channel_type, channel_order; /* as txq and suq give them */
    bool is_exactly_trilinear;            /* if it is anisotropic */
    const uint32_t *colors;               /* texel_color_words() */
    const float *logarithms;              /* lod_logarithms() */
};

enum texture_op {
    TEXTURE_FETCH,
    TEXTURE_GATHER, /* component of the four texels around */
    TEXTURE_QUERY,
    TEXTURE_IS_KIND, /* istypep */
    SURFACE_LOAD,
    SURFACE_STORE,
    SURFACE_STORE_FORMATTED, /* converts 32-bit values */
    SURFACE_REDUCE,
    SURFACE_REDUCE_FORMATTED, /* x counts values */
};
enum texture_lod { TEXTURE_LOD_NONE, TEXTURE_LOD_GIVEN, TEXTURE_LOD_GRADIENT };
enum texture_result {
    TEXTURE_RESULT_32,
    TEXTURE_RESULT_HALF,
    TEXTURE_RESULT_HALVES, /* two in each of two words */
};
enum surface_bounds { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO };
enum surface_reduction {
    SURFACE_ADD,
    SURFACE_MIN,
    SURFACE_MAX,
    SURFACE_AND,
    SURFACE_OR,
};
enum texture_query {
    TEXTURE_WIDTH,
    TEXTURE_HEIGHT,
    TEXTURE_DEPTH,
    TEXTURE_ARRAY_SIZE,
    TEXTURE_LEVEL_COUNT,
    TEXTURE_CHANNEL_TYPE,
    TEXTURE_CHANNEL_ORDER,
    TEXTURE_NORMALIZED,
    TEXTURE_SAMPLE_COUNT,
    TEXTURE_MEMORY_LAYOUT,
    TEXTURE_FILTER, /* from here on of a sampler */
    TEXTURE_ADDRESS_0,
    TEXTURE_ADDRESS_1,
    TEXTURE_ADDRESS_2,
    TEXTURE_UNNORMALIZED,
};
enum texture_handle { HANDLE_TEXTURE, HANDLE_SAMPLER, HANDLE_SURFACE };

/* Offsets are numbers of so many bits, as on an H200; a gather's have more. */
#define TEXTURE_OFFSET_BITS 4
#define GATHER_OFFSET_BITS  6

/* What the instruction says. */
struct texture_form {
    uint8_t op;        /* enum texture_op */
    uint8_t dims;      /* coordinates besides the index; a cube has 3 */
    uint8_t operands;  /* coordinates that are read, the index with them */
    uint8_t lod;       /* enum texture_lod */
    uint8_t lod_words; /* of `lod` in the request */
    uint8_t result;    /* enum texture_result */
    uint8_t component; /* of a gather */
    uint8_t bounds;    /* enum surface_bounds */
    uint8_t reduction; /* enum surface_reduction */
    uint8_t query;     /* enum texture_query */
    uint8_t count;     /* values that are read or written */
    uint8_t bytes;     /* of each in a surface */
    bool is_signed;    /* a reduction's values */
    uint8_t wanted;    /* enum texture_handle, of TEXTURE_IS_KIND */
    uint8_t offsets;   /* how many coordinates have one */
    bool has_index, is_cube;
    bool is_integer; /* coordinates count texels */
    bool has_sampler, has_reference;
    bool has_level; /* a query's, in `lod` */
};

/* One access by a warp's lanes. Arrays are indexed by lane; values are the bits
 * of 32-bit floats or integers. */
struct exec_texture_request {
    uint64_t handle[TEXTURE_LANES];
    uint32_t at[4][TEXTURE_LANES];  /* as in PTX: the index first */
    uint32_t lod[6][TEXTURE_LANES]; /* level; or gradients in x, then y */
    uint64_t sampler[TEXTURE_LANES];
    uint32_t offset[3][TEXTURE_LANES];
    uint32_t reference[TEXTURE_LANES]; /* of a depth comparison */
    uint64_t value[4][TEXTURE_LANES];
    uint32_t lanes; /* the lanes that take part, by bit */
    struct texture_form form;
};

#endif
