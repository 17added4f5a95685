/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ptxas -v prints, for the tools that stand in for it (report.c). Any
 * thread; texts are malloc'ed, NULL: out of memory.
 */
#ifndef WEFT_CORE_USAGE_H
#define WEFT_CORE_USAGE_H

#pragma redefine_extname report_usage weft_report_usage
#pragma redefine_extname report_text_usage weft_report_text_usage

#pragma GCC visibility push(default)

struct ptx_module;

/* What each function of a module takes on the device `target`; lines without a
 * head begin with `indent`. */
char *report_usage(const struct ptx_module *m, const char *target,
                   const char *indent);
/* The same for PTX; NULL: or it is none. */
char *report_text_usage(const char *ptx, const char *target,
                        const char *indent);

#pragma GCC visibility pop

#endif
