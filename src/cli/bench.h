/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --bench: results of benchmarks beside profiles.
 */
#ifndef PD_CLI_BENCH_H
#define PD_CLI_BENCH_H

#include "cli/inputs.h"
#include "cli/opts.h"
#include "cli/sides.h"

/*
 * Read what --bench names and give it to the sides: LABEL=FILE to that side;
 * one file a side in their order as shown; or one file of which
 * the columns or sections are called as the sides are. Errors: USAGE, those of
 * cli_inputs_read().
 */
int cli_bench_read(struct cli_options *o, struct cli_inputs *in, struct cli_sides *sides,
		   struct pd_error *err) PD_MUST_USE;

#endif
