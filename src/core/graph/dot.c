/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of graphs, in the language of graphviz. */
#include "core/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>

CUresult graph_print_dot(CUgraph g, const char *path, unsigned flags)
{
    (void)flags;
    if (!path)
        return CUDA_ERROR_INVALID_VALUE;
    graph_lock();
    bool ok = graph_is_alive(g, ALIVE_GRAPH);
    graph_unlock();
    return ok ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
}
