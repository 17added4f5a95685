/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of core/ share, by layers, each of which knows those above it
 * in this list: limits.h; ctx.h; mem.h; stream.h; module.h; then grid.h,
 * graph/. capture_hooks.h leads upwards.
 *
 *   ctx.c       contexts; contexts.c, ctx_life.c how they come and go;
 *               ctx_stack.c those of a thread; ctx_storage.c what clients keep
 *               with one
 *   device.c    attributes (attributes.def); device_limits.c limits;
 *               compute_mode.c who may use one
 *   mem.c       allocations and what a pointer is; pages.c maps the memory;
 *               mem_calls.c what programs call
 *   copy.c      copies and fills; copy_policy.c who waits for them; copy_box.c
 *               what their descriptions mean
 *   pool.c      memory in stream order; pool_share.c between processes
 *   virtual.c   addresses and memory apart; multicast.c those that reach
 *               several devices
 *   range.c     what is said of managed memory; batch.c many of them at once
 *   ipc.c       memory and events of other processes
 *   graphics.c  buffers and images of OpenGL (graphics_resource.h)
 *   external_memory.c, external_semaphore.c  what Vulkan and others share
 *   memops.c    words that streams write and wait for; until.c waiting for
 *               what no task of ours does
 *   pointer.c   what is said of a pointer
 *   array.c     arrays (array.h says how they lie); registry.c living handles
 *   capture_hooks.c  where streams ask graph/ whether they are captured
 *   stream.c    order between pieces of work; stream_attributes.c what is said
 *               about it
 *   event.c     marks in that order
 *   module.c    loading PTX, functions; globals.c variables; externs.c what a
 *               module does not define; report.c the logs of a load
 *   library.c   device code of no context, of which each makes a module
 *   image.c     what PTX is loaded from; src/fatbin the container that
 *               compilers put it in
 *   launch.c    launching a kernel; launch_attributes.c what is said about it
 *   function.c  a kernel's attributes; clusters.c how many of its clusters fit
 *   redundant_rows.c   of a block: one stands for all
 *   tensor_map.c  descriptions of tensors for the device's copies
 *   grid.c      grids that launch grids (grid.h); device_calls.c what kernels
 *               call of the runtime; error_text.c names of errors for them
 */
#ifndef WEFT_CORE_INTERNAL_H
#define WEFT_CORE_INTERNAL_H

#include "core/ctx.h"
#include "core/limits.h"
#include "core/mem.h"
#include "core/module.h"
#include "core/stream.h"

#endif
