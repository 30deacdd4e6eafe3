/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes beside ticks in one row, and the source file where the input told none.
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

/* The module that an image is of, as rows call it; borrowed from the image, or static. */
const char *pd_image_module_name(const struct pd_image *image);
/* The same as a string of the comparison. */
pd_str pd_module_of_image(struct pd_comparison *c, const struct pd_image *image);
/* Whether a row may be of that module: it is of none, of that one, or of its base name. */
bool pd_module_serves(const struct pd_comparison *c, const struct pd_row *row, pd_str module);

#endif
