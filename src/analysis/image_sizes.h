/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes beside ticks in one row.
 */
#ifndef PD_ANALYSIS_IMAGE_SIZES_H
#define PD_ANALYSIS_IMAGE_SIZES_H

#include "profdiff/compare.h"
#include "profdiff/image.h"

/*
 * Tell each row how large its function is in the image of each side: [sides], NULL
 * where a side has none. An image serves the rows of its module: the kernel's, those
 * of its base name, and those without a module. suffix is that of the comparison.
 * Errors: NOMEM.
 */
int pd_comparison_add_sizes(struct pd_comparison *c, struct pd_image *const *images,
			    enum pd_suffix_mode suffix, struct pd_error *err) PD_MUST_USE;

#endif
