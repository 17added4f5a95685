/* SPDX-License-Identifier: Apache-2.0 */
/* How our files in the folder are called: entries, and what becomes one. */
#ifndef WEFT_CACHE_NAMES_H
#define WEFT_CACHE_NAMES_H

#define CACHE_SUFFIX     ".weft"
#define CACHE_TMP_SUFFIX ".weft-tmp"

#endif
