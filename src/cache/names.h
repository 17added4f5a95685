/* SPDX-License-Identifier: Apache-2.0 */
/* What the names of our files end in: of entries, and of those being written.
 */
#ifndef WEFT_CACHE_NAMES_H
#define WEFT_CACHE_NAMES_H

#define CACHE_SUFFIX     ".weft"
#define CACHE_TMP_SUFFIX ".weft-tmp"

#endif
