/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --why: all that there is to say of one function.
 */
#ifndef PD_CLI_WHY_H
#define PD_CLI_WHY_H

#include "cli/inputs.h"
#include "cli/opts.h"

/*
 * Explain a function of the sides that the words name, of the images of -k, or of both.
 * What one of them does not tell is left out, or said.
 */
int cli_why(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
	    struct pd_error *err) PD_MUST_USE;

#endif
