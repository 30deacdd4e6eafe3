/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands that compare sides, or look at one.
 */
#ifndef PD_CLI_COMPARE_H
#define PD_CLI_COMPARE_H

#include "cli/inputs.h"
#include "cli/opts.h"
#include "cli/side_images.h"
#include "cli/sides.h"

/*
 * Read the sides that the words name and compare them; sides must outlive what is made of
 * it. images: those of -k go there, and serve the comparison; NULL: they do not.
 */
int cli_compare_sides(struct cli_options *o, struct cli_inputs *in, struct cli_sides *sides,
		      struct cli_side_images *images, struct pd_comparison **ret_comparison,
		      struct pd_error *err) PD_MUST_USE;
/* Tell every finding of --fail-on; how many there are. */
uint32_t cli_tell_findings(const struct cli_options *o, const struct pd_comparison *c);
/*
 * Compare what the words name. Conditions of --fail-on that hold are told on
 * standard error and counted.
 */
int cli_compare(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		uint32_t *ret_n_findings, struct pd_error *err) PD_MUST_USE;
/* --save-noise: write the history of the one side that the words name. */
int cli_save_noise(struct cli_options *o, struct cli_inputs *in, struct pd_error *err) PD_MUST_USE;

/* --callers: the same of two images, with the ticks of profiles if some are given. */
int cli_callers(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		struct pd_error *err) PD_MUST_USE;

#endif
