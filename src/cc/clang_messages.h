/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of clang's messages by which more than one folder knows them. */
#ifndef WEFT_CC_CLANG_MESSAGES_H
#define WEFT_CC_CLANG_MESSAGES_H

/* 'a.h' file not found */
#define CLANG_FILE_NOT_FOUND "' file not found"
/* 2 errors generated when compiling for host. */
#define CLANG_SUMMARY " generated when compiling for "

#endif
