/* SPDX-License-Identifier: Apache-2.0 */
/* Names and meanings of statuses, for two libraries. */
#include "lib/product/statuses.h"

const char *product_status_name(cublasStatus_t status)
{
    switch (status) {
#define STATUS(name, text)                                                     \
    case name:                                                                 \
        return #name;
#include "lib/product/statuses.def"
    }
    return "unrecognized status";
}

const char *product_status_text(cublasStatus_t status)
{
    switch (status) {
#define STATUS(name, text)                                                     \
    case name:                                                                 \
        return text;
#include "lib/product/statuses.def"
    }
    return "unrecognized status";
}
