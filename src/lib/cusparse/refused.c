/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are not supported log their name. They look at no argument, so
 * one prototype stands for those of the public header, not included here. */
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
