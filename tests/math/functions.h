/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WEFT_TESTS_MATH_FUNCTIONS_H
#define WEFT_TESTS_MATH_FUNCTIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls the function of a row of table.def on the device. `numbers`: `count`
 * first arguments, as many second, third and fourth ones, floats or doubles;
 * the results are written over the first. */
void functions_apply(int row, int is_double, void *numbers, int count);

/* The same on the host; returns 0 if the function is the C library's. */
int functions_call(int row, int is_double, void *numbers, int count);

#ifdef __cplusplus
}
#endif
#endif
