/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs as paths name them: a file, all files of a directory, standard input,
 * or one column or section of a file (FILE#NAME). Each file is read once.
 */
#ifndef PD_CLI_INPUTS_H
#define PD_CLI_INPUTS_H

#include "ingest/ingest.h"

/* A list of runs; the profiles belong to the inputs they came from. */
struct cli_runs {
	struct pd_profile **items;
	uint32_t n, cap;
};

int cli_runs_add(struct cli_runs *r, struct pd_profile *p, struct pd_error *err) PD_MUST_USE;
void cli_runs_done(struct cli_runs *r);

struct cli_input; /* a file and what was in it */

/* All files that were read. Set the first four fields; free with cli_inputs_done(). */
struct cli_inputs {
	const struct pd_format *format; /* NULL: found by content */
	const struct pd_limits *limits;
	const struct pd_request *request; /* NULL: all samples */
	struct pd_diags *diags;
	struct cli_input *items;
	uint32_t n, cap;
};

void cli_inputs_done(struct cli_inputs *in);

/* Whether path can be opened as it stands; "-" can. */
bool cli_path_exists(const char *path);

/*
 * Append the runs of path. One file that holds several sides (different
 * sections) is refused unless may_hold_sides. Errors: those of
 * pd_ingest_file(), EMPTY (a directory without profiles), USAGE (no such
 * section, or which one).
 */
int cli_inputs_read(struct cli_inputs *in, const char *path, bool may_hold_sides,
		    struct cli_runs *runs, struct pd_error *err) PD_MUST_USE;

#endif
