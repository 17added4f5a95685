/* SPDX-License-Identifier: Apache-2.0 */
/* The host's <bits/iterator_concepts.h>, all of it for both sides: see
 * <weft/library_first.h>. What its concepts call, though never run, is what a
 * kernel may call. */
#include <weft/library_first.h>
#pragma clang force_cuda_host_device begin
#include_next <bits/iterator_concepts.h>
#pragma clang force_cuda_host_device end
