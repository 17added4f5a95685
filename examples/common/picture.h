// SPDX-License-Identifier: Apache-2.0
//
// Writes a picture to a PNG file.
#ifndef WEFT_EXAMPLE_PICTURE_H
#define WEFT_EXAMPLE_PICTURE_H

#include <cstdio>
#include <cstring>
#include <vector>

#include <png.h>

#include <cuda_runtime.h>

// Pixels of three bytes, or of one: grey.
inline bool write_png_as(const char *path, png_uint_32 format,
                         const void *pixels, int width, int height)
{
    png_image image;
    std::memset(&image, 0, sizeof(image));
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = format;
    if (png_image_write_to_file(&image, path, 0, pixels, 0, nullptr))
        return true;
    std::fprintf(stderr, "%s: %s\n", path, image.message);
    return false;
}

inline bool write_png(const char *path, const std::vector<uchar3> &picture,
                      int width, int height)
{
    return write_png_as(path, PNG_FORMAT_RGB, picture.data(), width, height);
}

inline bool write_png(const char *path,
                      const std::vector<unsigned char> &picture, int width,
                      int height)
{
    return write_png_as(path, PNG_FORMAT_GRAY, picture.data(), width, height);
}

#endif
