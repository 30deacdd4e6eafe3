/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for the addresses of recordings, from the places that the command line and
 * the environment name.
 */
#ifndef PD_CLI_SYMBOLS_H
#define PD_CLI_SYMBOLS_H

#include "cli/inputs.h"
#include "cli/sides.h"

/*
 * Symbolize all recordings that were read, several at once, each with the places of
 * its side; sides is NULL where the places are of all. Errors: USAGE, those of
 * pd_symbolize().
 */
int cli_symbolize(struct cli_options *o, struct cli_inputs *in, const struct cli_sides *sides,
		  struct pd_error *err) PD_MUST_USE;

#endif
