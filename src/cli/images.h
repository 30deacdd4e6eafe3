/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The images of two sides, as the command line names them.
 */
#ifndef PD_CLI_IMAGES_H
#define PD_CLI_IMAGES_H

#include "analysis/sizes.h"
#include "cli/opts.h"
#include "cli/sides.h"

/* Zero-initialise; free with cli_images_done(). */
struct cli_images {
	struct pd_size_side sides[2]; /* labels are of names */
	struct cli_sides names;
};

void cli_images_done(struct cli_images *images);

/*
 * Read the images of two words, each [LABEL=]PATH; a folder is all images in it. The
 * second is NULL where there is one side only. Both at once. Errors: USAGE, and those of
 * pd_image_open().
 */
int cli_images_read(const struct cli_options *o, char *const words[2], enum pd_image_detail detail,
		    struct pd_diags *diags, struct cli_images *images,
		    struct pd_error *err) PD_MUST_USE;

/* --size: make the document. */
int cli_size(struct cli_options *o, struct pd_diags *diags, struct pd_document **ret_document,
	     struct pd_error *err) PD_MUST_USE;

#endif
