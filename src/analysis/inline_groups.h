/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inline groups: where the images of two sides differ in what is inlined into what,
 * the function and its callers are compared as a sum, too (DESIGN 8, pass 4).
 *
 *   vm_acct_memory     901 -> 0      \  one row each, as ever
 *   vm_enough_memory   770 -> 1497   /
 *   vm_acct_memory    1671 -> 1497      beside them: "vm_acct_memory was inlined into
 *                                       vm_enough_memory and 9 others"
 */
#ifndef PD_ANALYSIS_INLINE_GROUPS_H
#define PD_ANALYSIS_INLINE_GROUPS_H

#include "profdiff/compare.h"

/*
 * Fill c->beside by the images of options. Groups may overlap, and have ticks in the
 * function and in one of its callers at least. What could not be told becomes one of
 * c->notes. Errors: NOMEM.
 */
int pd_inline_groups_make(struct pd_comparison *c, const struct pd_compare_options *options,
			  struct pd_error *err) PD_MUST_USE;
/* c->rows have new numbers: [old ones], PD_NO_ROW of those that are gone. */
void pd_inline_groups_renumber(struct pd_comparison *c, const uint32_t *new_of);
/* Groups and their members in the order of rows. */
void pd_inline_groups_sort(struct pd_comparison *c);

#endif
