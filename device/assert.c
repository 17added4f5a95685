/* SPDX-License-Identifier: Apache-2.0 */
/* What glibc's assert() calls. It lies here and not in a header, so that
 * programs may declare it again as glibc does: CCCL does under NDEBUG. */
#include "device.h"

/* PTX interoperability guide, "System Calls". */
void __assertfail(const char *message, const char *file, unsigned line,
                  const char *function, unsigned long char_size);

void __assert_fail(const char *message, const char *file, unsigned line,
                   const char *function);
void __assert_fail(const char *message, const char *file, unsigned line,
                   const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
