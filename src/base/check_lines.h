/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the error log that core writes for WEFT_CHECK and compute-sanitizer
 * reads: formats, of printf and of scanf alike, and how lines begin.
 */
#ifndef WEFT_BASE_CHECK_LINES_H
#define WEFT_BASE_CHECK_LINES_H

#define CHECK_LINE_LEAK    "Leaked %zu bytes"
#define CHECK_LINE_MORE    "%u more errors were found"
#define CHECK_LINE_WARNING "Warning: "

#endif
