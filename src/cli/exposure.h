/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --work and --per: how much work each run did.
 */
#ifndef PD_CLI_EXPOSURE_H
#define PD_CLI_EXPOSURE_H

#include "cli/opts.h"
#include "cli/sides.h"

/*
 * Fill o->compare.work, per and normalize from what the user gave: numbers,
 * one a run in the order of the command line or one a side, or the name of a
 * metric that every run has. Errors: USAGE, NOMEM.
 */
int cli_exposure_make(struct cli_options *o, const struct cli_sides *sides,
		      struct pd_error *err) PD_MUST_USE;

#endif
