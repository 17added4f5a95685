/* SPDX-License-Identifier: Apache-2.0 */
/* The names of graphs.h in libweft.so: see core/exports.h. */
#ifndef WEFT_CORE_GRAPH_EXPORTS_H
#define WEFT_CORE_GRAPH_EXPORTS_H

#pragma redefine_extname graph_create weft_graph_create
#pragma redefine_extname graph_destroy weft_graph_destroy
#pragma redefine_extname graph_clone weft_graph_clone
#pragma redefine_extname graph_find_in_clone weft_graph_find_in_clone
#pragma redefine_extname graph_add_node weft_graph_add_node
#pragma redefine_extname graph_destroy_node weft_graph_destroy_node
#pragma redefine_extname graph_node_type weft_graph_node_type
#pragma redefine_extname graph_node_params weft_graph_node_params
#pragma redefine_extname graph_node_set_params weft_graph_node_set_params
#pragma redefine_extname graph_node_attribute weft_graph_node_attribute
#pragma redefine_extname graph_node_set_attribute weft_graph_node_set_attribute
#pragma redefine_extname graph_node_copy_attributes                            \
    weft_graph_node_copy_attributes
#pragma redefine_extname graph_nodes weft_graph_nodes
#pragma redefine_extname graph_roots weft_graph_roots
#pragma redefine_extname graph_edges weft_graph_edges
#pragma redefine_extname graph_node_dependencies weft_graph_node_dependencies
#pragma redefine_extname graph_node_dependents weft_graph_node_dependents
#pragma redefine_extname graph_add_dependencies weft_graph_add_dependencies
#pragma redefine_extname graph_remove_dependencies                             \
    weft_graph_remove_dependencies
#pragma redefine_extname graph_condition_create weft_graph_condition_create
#pragma redefine_extname graph_print_dot weft_graph_print_dot
#pragma redefine_extname object_create weft_object_create
#pragma redefine_extname object_retain weft_object_retain
#pragma redefine_extname object_release weft_object_release
#pragma redefine_extname graph_retain_object weft_graph_retain_object
#pragma redefine_extname graph_release_object weft_graph_release_object
#pragma redefine_extname graph_instantiate weft_graph_instantiate
#pragma redefine_extname graph_exec_destroy weft_graph_exec_destroy
#pragma redefine_extname graph_exec_flags weft_graph_exec_flags
#pragma redefine_extname graph_exec_upload weft_graph_exec_upload
#pragma redefine_extname graph_exec_launch weft_graph_exec_launch
#pragma redefine_extname graph_exec_update weft_graph_exec_update
#pragma redefine_extname graph_exec_set_params weft_graph_exec_set_params
#pragma redefine_extname graph_exec_set_enabled weft_graph_exec_set_enabled
#pragma redefine_extname graph_exec_enabled weft_graph_exec_enabled
#pragma redefine_extname graph_memory_trim weft_graph_memory_trim
#pragma redefine_extname graph_memory_attribute weft_graph_memory_attribute
#pragma redefine_extname graph_memory_set_attribute                            \
    weft_graph_memory_set_attribute

#endif
