/* SPDX-License-Identifier: Apache-2.0 */
/* Channel descriptors: the format of an array's elements. */
#include "runtime/internal.h"

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind f)
{
    return (struct cudaChannelFormatDesc){
        .x = x, .y = y, .z = z, .w = w, .f = f};
}
