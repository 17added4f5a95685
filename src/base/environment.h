/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Environment variables by which one part of weft tells another what to do.
 * What a variable means is in docs/architecture.md.
 */
#ifndef WEFT_BASE_ENVIRONMENT_H
#define WEFT_BASE_ENVIRONMENT_H

/* compute-sanitizer sets these for core. */
#define ENVIRONMENT_CHECK           "WEFT_CHECK"
#define ENVIRONMENT_CHECK_MEMCHECK  "memcheck"
#define ENVIRONMENT_CHECK_RACECHECK "racecheck"
#define ENVIRONMENT_CHECK_INITCHECK "initcheck"
#define ENVIRONMENT_CHECK_SYNCCHECK "synccheck"
#define ENVIRONMENT_CHECK_LEAKS     "leakcheck"
#define ENVIRONMENT_GUARD          "WEFT_GUARD"
#define ENVIRONMENT_LOG_FILE       "CUDA_LOG_FILE"

/* weft run sets it for core. */
#define ENVIRONMENT_NEWER_PTX "WEFT_NEWER_PTX"

/* weftcc obeys these, and NVRTC, which runs it, keys its cache by the first and
 * keeps the others from it. */
#define ENVIRONMENT_CLANG         "WEFT_CLANG"
#define ENVIRONMENT_PREPEND_FLAGS "NVCC_PREPEND_FLAGS"
#define ENVIRONMENT_APPEND_FLAGS  "NVCC_APPEND_FLAGS"

#endif
