/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --annotate: the code of a function, in one image or two, with the ticks of profiles.
 */
#ifndef PD_CLI_ANNOTATE_H
#define PD_CLI_ANNOTATE_H

#include "cli/inputs.h"
#include "cli/opts.h"

/* Make the document. Errors: USAGE, those of inputs, images and pd_annotate(). */
int cli_annotate(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		 struct pd_error *err) PD_MUST_USE;

#endif
