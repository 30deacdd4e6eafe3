/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides as the command line gives them (DESIGN 6): which runs, under which
 * label, in which order.
 */
#ifndef PD_CLI_SIDES_H
#define PD_CLI_SIDES_H

#include "cli/inputs.h"
#include "profdiff/compare.h"

struct cli_side {
	char *label; /* given, or made */
	char *path;  /* the first as given: what a label is made of */
	char **paths; /* [n_paths] as given */
	uint32_t n_paths;
	struct cli_runs runs;
	struct cli_runs bench; /* further profiles, of which only the metrics count */
	uint32_t place;     /* among the sides of the command line */
	uint32_t first_run; /* among their runs */
};

/* Zero-initialise; free with cli_sides_done(). */
struct cli_sides {
	struct cli_side *items;
	uint32_t n, cap;
};

void cli_sides_done(struct cli_sides *s);
/*
 * Read all sides of the words, name them, and move the one with base_label
 * (may be NULL) to the front. Errors: USAGE, those of cli_inputs_read().
 */
int cli_sides_read(struct cli_inputs *in, char *const *words, uint32_t n_words,
		   const char *base_label, struct cli_sides *ret_sides,
		   struct pd_error *err) PD_MUST_USE;

/*
 * The labels of all sides as they are shown, for per_side.h; of the options' memory.
 * NULL if there is none.
 */
const char *const *cli_sides_labels(struct pd_arena *a, const struct cli_sides *s);

/* The runs that all words name as one side; free as above. */
int cli_sides_read_one(struct cli_inputs *in, char *const *words, uint32_t n_words,
		       struct cli_sides *ret_sides, struct pd_error *err) PD_MUST_USE;

#endif
