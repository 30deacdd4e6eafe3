/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of benchmarks. Contract: bench.h.
 */
#include "cli/bench.h"

#include "base/text.h"
#include "cli/per_side.h"

static struct cli_side *find_side(struct cli_sides *sides, const char *label)
{
	for (uint32_t i = 0; i < sides->n; i++)
		if (!strcmp(sides->items[i].label, label))
			return &sides->items[i];
	return NULL;
}

/* One file for all sides: each gets the columns or sections of its name. */
static int share_file(struct cli_inputs *in, const char *path, struct cli_sides *sides,
		      struct pd_error *err)
{
	struct cli_runs runs = {0};
	int rc = cli_inputs_read(in, path, true, &runs, err);
	uint32_t n_used = 0;

	for (uint32_t i = 0; i < runs.n && rc == PD_OK; i++) {
		const char *section = runs.items[i]->section ? runs.items[i]->section : "";
		struct cli_side *side = find_side(sides, section);

		if (!side)
			continue;
		rc = cli_runs_add(&side->bench, runs.items[i], err);
		n_used++;
	}
	cli_runs_done(&runs);
	if (rc == PD_OK && !n_used)
		return pd_fail(err, PD_ERR_USAGE,
			       "--bench: no column or section of %s is called as "
			       "a side is; give one file a side, or LABEL=FILE",
			       path);
	return rc;
}

int cli_bench_read(struct cli_options *o, struct cli_inputs *in, struct cli_sides *sides,
		   struct pd_error *err)
{
	const char *const *labels = cli_sides_labels(&o->arena, sides);
	int rc = labels ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0; i < o->bench.n && rc == PD_OK; i++) {
		const char *path;
		uint32_t s;

		rc = cli_word_side("--bench", &o->bench, i, labels, sides->n, &s, &path, err);
		if (rc == PD_OK && s == CLI_ALL_SIDES)
			rc = share_file(in, path, sides, err);
		else if (rc == PD_OK)
			rc = cli_inputs_read(in, path, false, &sides->items[s].bench, err);
	}
	return rc;
}
