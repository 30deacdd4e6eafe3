/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The images of the sides of a comparison (-k), and what each of them tells of the
 * base's: bytes beside ticks, and which functions are inlined where.
 */
#ifndef PD_CLI_SIDE_IMAGES_H
#define PD_CLI_SIDE_IMAGES_H

#include "analysis/sizes.h"
#include "cli/inputs.h"
#include "cli/sides.h"

/* Zero-initialise; free with cli_side_images_done(). */
struct cli_side_images {
	uint32_t n;              /* sides */
	struct pd_image **items; /* [n], NULL where a side has none; sides may share one */
	struct pd_image **owned; /* [n + 1]: of each side, and the one of all others */
	struct pd_size_side (*sides)[2]; /* [n]: the base and that side */
	struct pd_sizes **pairs; /* [n]: of these two; NULL where one has none of its own */
	const char *why_no_pairs; /* a sentence, or NULL */
};

/*
 * Open the images that -k names, the first of each side. detail is what is wanted of
 * them; with PD_IMAGE_INLINES those that can be are paired, if there are two. Errors:
 * USAGE, those of pd_image_open().
 */
int cli_side_images_open(struct cli_options *o, struct cli_inputs *in,
			 const struct cli_sides *sides, enum pd_image_detail detail,
			 struct cli_side_images *images, struct pd_error *err) PD_MUST_USE;
void cli_side_images_done(struct cli_side_images *images);

#endif
