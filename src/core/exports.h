/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What libweft.so exports, and under which name: the linker sees
 * weft_stream_create, so that no program's own stream_create can get between
 * our libraries. Functions of core.h that are not listed stay inside.
 */
#ifndef WEFT_CORE_EXPORTS_H
#define WEFT_CORE_EXPORTS_H

#pragma redefine_extname ctx_primary weft_ctx_primary
#pragma redefine_extname ctx_sticky weft_ctx_sticky
#pragma redefine_extname ctx_synchronize weft_ctx_synchronize
#pragma redefine_extname ctx_reset weft_ctx_reset
#pragma redefine_extname device_count weft_device_count
#pragma redefine_extname device_attribute weft_device_attribute
#pragma redefine_extname device_name weft_device_name
#pragma redefine_extname device_total_memory weft_device_total_memory
#pragma redefine_extname device_free_memory weft_device_free_memory
#pragma redefine_extname device_limit_get weft_device_limit_get
#pragma redefine_extname device_limit_set weft_device_limit_set
#pragma redefine_extname mem_alloc weft_mem_alloc
#pragma redefine_extname mem_alloc_managed weft_mem_alloc_managed
#pragma redefine_extname mem_alloc_host weft_mem_alloc_host
#pragma redefine_extname mem_register_host weft_mem_register_host
#pragma redefine_extname mem_unregister_host weft_mem_unregister_host
#pragma redefine_extname mem_free weft_mem_free
#pragma redefine_extname mem_free_host weft_mem_free_host
#pragma redefine_extname mem_query weft_mem_query
#pragma redefine_extname mem_copy weft_mem_copy
#pragma redefine_extname mem_set weft_mem_set
#pragma redefine_extname stream_resolve weft_stream_resolve
#pragma redefine_extname stream_create weft_stream_create
#pragma redefine_extname stream_destroy weft_stream_destroy
#pragma redefine_extname stream_synchronize weft_stream_synchronize
#pragma redefine_extname stream_query weft_stream_query
#pragma redefine_extname stream_wait_event weft_stream_wait_event
#pragma redefine_extname stream_add_callback weft_stream_add_callback
#pragma redefine_extname stream_submit weft_stream_submit
#pragma redefine_extname stream_flags weft_stream_flags
#pragma redefine_extname stream_priority weft_stream_priority
#pragma redefine_extname event_create weft_event_create
#pragma redefine_extname event_destroy weft_event_destroy
#pragma redefine_extname event_record weft_event_record
#pragma redefine_extname event_synchronize weft_event_synchronize
#pragma redefine_extname event_query weft_event_query
#pragma redefine_extname event_elapsed weft_event_elapsed
#pragma redefine_extname module_load weft_module_load
#pragma redefine_extname module_unload weft_module_unload
#pragma redefine_extname module_function weft_module_function
#pragma redefine_extname module_global weft_module_global
#pragma redefine_extname function_attribute weft_function_attribute
#pragma redefine_extname function_set_attribute weft_function_set_attribute
#pragma redefine_extname launch_kernel weft_launch_kernel
#pragma redefine_extname occupancy_max_blocks weft_occupancy_max_blocks
#pragma redefine_extname fatbin_select weft_fatbin_select

#endif
