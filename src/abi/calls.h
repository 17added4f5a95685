/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of calls.def: their numbers and signatures, found by the names that
 * PTX declares. For both engines and core. */
#ifndef WEFT_ABI_CALLS_H
#define WEFT_ABI_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum exec_call {
#define DEVICE_CALL(name, result, parameters) EXEC_CALL_##name,
#include "abi/calls.def"
    EXEC_CALL_COUNT
};

#define EXEC_CALL_MAX_ARGUMENTS 8

struct exec_call_form {
    const char *name;
    char result;
    const char *parameters;
};

static const struct exec_call_form exec_call_forms[] = {
#define DEVICE_CALL(name, result, parameters) {#name, result, parameters},
#include "abi/calls.def"
};

/* Before names that NVIDIA's compilers alone may use. */
#define EXEC_CALL_PREFIX "__cudaCDP2"

/* `name` as calls.def has it, without compilers' prefix and suffix. False: it
 * is too long for `plain`. */
static inline bool exec_call_plain_name(const char *name, char *plain,
                                        size_t capacity)
{
    static const char prefix[] = EXEC_CALL_PREFIX, suffix[] = "_ptsz";
    size_t skipped = sizeof prefix - 1, tail = sizeof suffix - 1;
    bool is_renamed = strncmp(name, prefix, skipped) == 0;
    const char *rest = is_renamed ? name + skipped : name;
    const char *front = is_renamed ? "cuda" : "";
    if (strlen(front) + strlen(rest) >= capacity)
        return false;
    strcat(strcpy(plain, front), rest);
    size_t length = strlen(plain);
    if (length > tail && strcmp(plain + length - tail, suffix) == 0)
        plain[length - tail] = '\0';
    return true;
}

/* The call of this name; EXEC_CALL_COUNT: there is none. */
static inline enum exec_call exec_call_find(const char *name)
{
    char plain[64];
    unsigned i = 0;
    if (!exec_call_plain_name(name, plain, sizeof plain))
        return EXEC_CALL_COUNT;
    while (i < EXEC_CALL_COUNT && strcmp(exec_call_forms[i].name, plain) != 0)
        i++;
    return (enum exec_call)i;
}

#endif
