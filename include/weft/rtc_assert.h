/* SPDX-License-Identifier: Apache-2.0 */
/* assert() as a program of NVRTC's has it without a header. Read before the
 * program, behind the precompiled header, which knows no NDEBUG. */
#undef assert
#ifdef NDEBUG
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition)                                                      \
    (static_cast<bool>(condition)                                              \
         ? static_cast<void>(0)                                                \
         : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
