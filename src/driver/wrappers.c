/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that programs call: each calls the one behind it (renames.h)
 * and logs its error. Made from api.def; signatures.awk extracts the parameters
 * from the headers.
 */
#include "driver/failed.h"

#include "cudaEGL.h"
#include "cudaGL.h"
#include "cudaProfiler.h"
#include "cudaVDPAU.h"
#include "driver_signatures.h"

#define WRAP_AS(name, shown, parameters, arguments)                            \
    extern CUresult weft_##name parameters;                                    \
    CUresult name parameters;                                                  \
    CUresult name parameters                                                   \
    {                                                                          \
        CUresult err = weft_##name arguments;                                  \
        return __builtin_expect(err == CUDA_SUCCESS, 1)                        \
                   ? err                                                       \
                   : drv_failed(shown, err);                                   \
    }
#define WRAP_ALL(...) WRAP_AS(__VA_ARGS__)
#define WRAP_NO(name, shown)                                                   \
    WRAP_ALL(name, shown, SIGNATURE_##name)
#define WRAP_PTDS(name, shown)                                                 \
    WRAP_NO(name, shown)                                                       \
    WRAP_ALL(name##_ptds, shown, SIGNATURE_##name)
#define WRAP_PTSZ(name, shown)                                                 \
    WRAP_NO(name, shown)                                                       \
    WRAP_ALL(name##_ptsz, shown, SIGNATURE_##name)

#define SHOWN_AS(text) #text
#define SHOWN(name)    SHOWN_AS(name)
#define STATE_REFUSES(name, per_thread, shown)
#define STATE_NARROW_0(name, per_thread, shown)
#define STATE_NARROW_1(name, per_thread, shown)
#define STATE_NARROW_2(name, per_thread, shown)
#define STATE_DONE(name, per_thread, shown) WRAP_##per_thread(name, shown)
#define CU_API(name, suffix, since, per_thread, state)                         \
    STATE_##state(name##suffix, per_thread, SHOWN(name##suffix))
#include "driver/api.def"
