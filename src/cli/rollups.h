/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --by and --maintainers: rows that are what functions are in.
 */
#ifndef PD_CLI_ROLLUPS_H
#define PD_CLI_ROLLUPS_H

#include "analysis/rollup.h"
#include "cli/side_images.h"

/*
 * What --by says of rows, PD_ROLLUP_NONE if they are functions, lines or commands.
 * --maintainers is read; the caller frees ret_rollup->maintainers. Errors: USAGE,
 * FORMAT, those of pd_source_open().
 */
int cli_rollup_read(const struct cli_options *o, struct pd_diags *diags,
		    struct pd_rollup *ret_rollup, struct pd_error *err) PD_MUST_USE;

/* Sum the functions of all runs, by the images of their sides. Errors: USAGE, NOMEM. */
int cli_rollup_apply(const struct pd_rollup *rollup, const struct cli_sides *sides,
		     const struct cli_side_images *images, struct pd_error *err) PD_MUST_USE;

#endif
