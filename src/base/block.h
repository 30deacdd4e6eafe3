/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of zeroed memory. Large ones are asked of the kernel in huge pages, since
 * touching memory for the first time costs more than most of what is done with it.
 */
#ifndef PD_BASE_BLOCK_H
#define PD_BASE_BLOCK_H

#include <stddef.h>

/* NULL if there is no memory. */
void *pd_block_new(size_t n_bytes);
/* Free a block of that size; NULL allowed. */
void pd_block_free(void *block, size_t n_bytes);

#endif
