/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs: ordered work that is built once and launched many times. A part of
 * core.h. Parameters of nodes are the driver API's; the doors translate.
 *
 * Handles may have any value: INVALID_VALUE if there is no such living object.
 */
#ifndef WEFT_CORE_GRAPHS_H
#define WEFT_CORE_GRAPHS_H

#include "core/graph/exports.h"

#include "cuda.h"

#pragma GCC visibility push(default)

/* ---- graphs and nodes (graph/graph.c, graph/edges.c) ------------------- */

/* The caller owns graphs and clones until graph_destroy; a graph owns its
 * nodes. Any thread may call; one at a time for one graph, as CUDA requires.
 * OUT_OF_MEMORY. `ctx` NULL: the graph gets the current context of the thread
 * that first needs one for it. */
CUresult graph_create(CUcontext ctx, CUgraph *out);
CUresult graph_destroy(CUgraph g);
CUresult graph_clone(CUgraph g, CUgraph *out);
/* The clone's node for `original`. INVALID_VALUE: there is none. */
CUresult graph_find_in_clone(CUgraphNode original, CUgraph clone,
                             CUgraphNode *out);
/* data: one for each dependency, or NULL. Writes results into the parameters:
 * an allocation's address, the bodies of a condition. */
CUresult graph_add_node(CUgraph g, const CUgraphNode *dependencies,
                        const CUgraphEdgeData *data, size_t count,
                        CUgraphNodeParams *params, CUgraphNode *out);
CUresult graph_destroy_node(CUgraphNode n);
CUresult graph_node_type(CUgraphNode n, CUgraphNodeType *type);
/* The parameters of a node of this type. What they point to is the node's. */
CUresult graph_node_params(CUgraphNode n, CUgraphNodeType type,
                           CUgraphNodeParams *out);
CUresult graph_node_set_params(CUgraphNode n, const CUgraphNodeParams *params);
CUresult graph_node_attribute(CUgraphNode n, CUlaunchAttributeID id,
                              CUlaunchAttributeValue *value);
/* A node that kernels may change gets a handle, which is written to *value. */
CUresult graph_node_set_attribute(CUgraphNode n, CUlaunchAttributeID id,
                                  CUlaunchAttributeValue *value);
CUresult graph_node_copy_attributes(CUgraphNode to, CUgraphNode from);

/* Lists. With `nodes` NULL, *count becomes the number of nodes. Otherwise
 * *count is the room in the array, and becomes the number of nodes there are;
 * the rest of the room is set to NULL. */
CUresult graph_nodes(CUgraph g, CUgraphNode *nodes, size_t *count);
CUresult graph_roots(CUgraph g, CUgraphNode *nodes, size_t *count);
/* data NULL: LOSSY_QUERY if an edge has data. */
CUresult graph_edges(CUgraph g, CUgraphNode *from, CUgraphNode *to,
                     CUgraphEdgeData *data, size_t *count);
CUresult graph_node_dependencies(CUgraphNode n, CUgraphNode *nodes,
                                 CUgraphEdgeData *data, size_t *count);
CUresult graph_node_dependents(CUgraphNode n, CUgraphNode *nodes,
                               CUgraphEdgeData *data, size_t *count);
CUresult graph_add_dependencies(CUgraph g, const CUgraphNode *from,
                                const CUgraphNode *to,
                                const CUgraphEdgeData *data, size_t count);
CUresult graph_remove_dependencies(CUgraph g, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count);

/* A handle for the value of a conditional node of g. With
 * CU_GRAPH_COND_ASSIGN_DEFAULT in flags, each launch starts with
 * default_value. */
CUresult graph_condition_create(CUgraph g, unsigned default_value,
                                unsigned flags, CUgraphConditionalHandle *out);

/* Writes a picture in graphviz's language to a file. */
CUresult graph_print_dot(CUgraph g, const char *path, unsigned flags);

/* ---- user objects (graph/object.c) ------------------------------------- */

/* A counted object of the program: destroy(p) is called, on the thread of host
 * functions, when neither the program nor a graph has a reference left. count:
 * number of references, at least 1. INVALID_VALUE: flags, counts, no such
 * object. */
CUresult object_create(void *p, CUhostFn destroy, unsigned count,
                       unsigned flags, CUuserObject *out);
CUresult object_retain(CUuserObject o, unsigned count);
CUresult object_release(CUuserObject o, unsigned count);
/* Gives the graph references, which its clones and instances share; with
 * CU_GRAPH_USER_OBJECT_MOVE they are taken from the caller's. */
CUresult graph_retain_object(CUgraph g, CUuserObject o, unsigned count,
                             unsigned flags);
CUresult graph_release_object(CUgraph g, CUuserObject o, unsigned count);

/* ---- instances (graph/instance.c, run.c, update.c) --------------------- */

/* The caller owns the instance until graph_exec_destroy. Writes results into
 * `params`. */
CUresult graph_instantiate(CUgraph g, CUDA_GRAPH_INSTANTIATE_PARAMS *params,
                           CUgraphExec *out);
CUresult graph_exec_destroy(CUgraphExec e);
CUresult graph_exec_flags(CUgraphExec e, cuuint64_t *flags);
CUresult graph_exec_upload(CUgraphExec e, CUstream s);
CUresult graph_exec_launch(CUgraphExec e, CUstream s);
CUresult graph_exec_update(CUgraphExec e, CUgraph g,
                           CUgraphExecUpdateResultInfo *info);
CUresult graph_exec_set_params(CUgraphExec e, CUgraphNode n,
                               const CUgraphNodeParams *params);
CUresult graph_exec_set_enabled(CUgraphExec e, CUgraphNode n, unsigned enabled);
CUresult graph_exec_enabled(CUgraphExec e, CUgraphNode n, unsigned *enabled);

/* ---- memory of graphs (graph/memory.c) --------------------------------- */

/* Memory of a device's graphs. Trimming gives back to the system what is not
 * allocated, once the work of its context is done. */
CUresult graph_memory_trim(int device);
CUresult graph_memory_attribute(int device, CUgraphMem_attribute a,
                                cuuint64_t *value);
CUresult graph_memory_set_attribute(int device, CUgraphMem_attribute a,
                                    cuuint64_t value);

#pragma GCC visibility pop

#endif
