/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

cufftResult handle_exec(struct handle *h, void *in, void *out, bool inverse)
{
    return handle_transform(h, in, out, inverse);
}
