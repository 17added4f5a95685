/* SPDX-License-Identifier: Apache-2.0 */
/* What is not done says so by its name. The header's prototypes are not seen
 * here: no argument is looked at. */
enum { STATUS_NOT_SUPPORTED = 10 };
int cusparse_end(const char *name, int status);

#define DONE(name)
#define REFUSED(name)                                                          \
    __attribute__((visibility("default"))) int name(void);                     \
    int name(void)                                                             \
    {                                                                          \
        return cusparse_end(#name, STATUS_NOT_SUPPORTED);                      \
    }
#define CUSPARSE_API(name, state) state(name)
#include "lib/cusparse/api.def"
