/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs as paths name them: a file, all files of a directory, standard input,
 * or one column or section of a file (FILE#NAME). Each file is read once.
 */
#ifndef PD_CLI_INPUTS_H
#define PD_CLI_INPUTS_H

#include "cli/opts.h"
#include "cli/progress.h"

/* A list of runs; the profiles belong to the inputs they came from. */
struct cli_runs {
	struct pd_profile **items;
	uint32_t n, cap;
};

int cli_runs_add(struct cli_runs *r, struct pd_profile *p, struct pd_error *err) PD_MUST_USE;
void cli_runs_done(struct cli_runs *r);

/* A file, and what was in it. */
struct cli_input {
	char *path;
	uint32_t variant; /* see struct cli_inputs */
	struct pd_request request;
	struct pd_profiles profiles;
	struct pd_diags diags; /* moved to those of all when the file is first used */
	struct pd_error err;
	int rc;
	bool is_read, is_used;
};

/* All files that were read. Set the first three fields; free with cli_inputs_done(). */
struct cli_inputs {
	const struct cli_options *o;
	struct cli_progress *progress; /* or NULL */
	struct pd_diags *diags;
	/*
	 * For what comes next: which samples are wanted, and of which side (its place + 1),
	 * where sides may need to read the same file in other ways; 0: of none.
	 */
	struct pd_request request;
	uint32_t variant;
	bool is_listing; /* only remember which files are read, for cli_inputs_fetch() */
	struct cli_input *items;
	uint32_t n, cap;
};

void cli_inputs_done(struct cli_inputs *in);

/* Whether path can be opened as it stands; "-" can. */
bool cli_path_exists(const char *path);

/*
 * Append the runs of path (none while is_listing). One file that holds several sides (different
 * sections) is refused unless may_hold_sides. Errors: those of
 * pd_ingest_file(), EMPTY (a directory without profiles), USAGE (no such
 * section, or which one).
 */
int cli_inputs_read(struct cli_inputs *in, const char *path, bool may_hold_sides,
		    struct cli_runs *runs, struct pd_error *err) PD_MUST_USE;

/*
 * Read all files that were listed, several at once. What goes wrong is told when a
 * file is used, so that messages and results are in the order of the words.
 */
void cli_inputs_fetch(struct cli_inputs *in);

#endif
