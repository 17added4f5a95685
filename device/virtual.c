/* SPDX-License-Identifier: Apache-2.0 */
/* What a C++ class puts into its table for a virtual function that nobody
 * defined: a call of it is an error of the program. Itanium C++ ABI, "Pure
 * Virtual Function API". */
#include "device.h"

void __cxa_pure_virtual(void);
void __cxa_pure_virtual(void)
{
    __builtin_trap();
}

void __cxa_deleted_virtual(void);
void __cxa_deleted_virtual(void)
{
    __builtin_trap();
}
