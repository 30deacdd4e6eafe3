/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of benchmarks. Contract: bench.h.
 */
#include "cli/bench.h"

#include "base/text.h"

/* The side of a label, or of a place on the command line where label is NULL. */
static struct cli_side *find_side(struct cli_sides *sides, const char *label, size_t len,
				  uint32_t place)
{
	for (uint32_t i = 0; i < sides->n; i++) {
		struct cli_side *side = &sides->items[i];

		if (label ? strlen(side->label) == len && !memcmp(side->label, label, len)
			  : side->place == place)
			return side;
	}
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
		struct cli_side *side = find_side(sides, section, strlen(section), 0);

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

int cli_bench_read(const struct cli_options *o, struct cli_inputs *in, struct cli_sides *sides,
		   struct pd_error *err)
{
	int rc = PD_OK;

	if (o->n_bench == 1 && cli_path_exists(o->bench[0]))
		return share_file(in, o->bench[0], sides, err);
	for (uint32_t i = 0; i < o->n_bench && rc == PD_OK; i++) {
		const char *word = o->bench[i], *equals = strchr(word, '=');
		bool has_label = equals && !cli_path_exists(word);
		struct cli_side *side = find_side(sides, has_label ? word : NULL,
						  has_label ? (size_t)(equals - word) : 0, i);

		if (!side || (!has_label && o->n_bench != sides->n))
			return pd_fail(err, PD_ERR_USAGE,
				       "--bench: expected one file for all sides, "
				       "one a side, or LABEL=FILE, found \"%s\"",
				       word);
		rc = cli_inputs_read(in, has_label ? equals + 1 : word, false, &side->bench, err);
	}
	return rc;
}
