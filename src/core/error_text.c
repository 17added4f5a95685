/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of cudaGetErrorName and cudaGetErrorString, for the host and for
 * kernels. */
#include "core/core.h"

#include "driver_types.h"

const char *error_name(int error)
{
    switch (error) {
#define RT_ERROR(name, text)                                                   \
    case name:                                                                 \
        return #name;
#include "core/errors.def"
    }
    return "unrecognized error code";
}

const char *error_text(int error)
{
    switch (error) {
#define RT_ERROR(name, text)                                                   \
    case name:                                                                 \
        return text;
#include "core/errors.def"
    }
    return "unrecognized error code";
}
