/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results. Contract: benchmarks.h.
 */
#include "analysis/benchmarks.h"

#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "stats/timings.h"

/* Every metric of every input, in order. */
struct walk {
	const struct pd_profile *profile;
	const struct pd_metric *metric;
	uint32_t side, input, index;
};

static const struct pd_profile *input_at(const struct pd_side_input *side, uint32_t input)
{
	if (input < side->n_runs)
		return side->runs[input];
	input -= side->n_runs;
	return input < side->n_bench ? side->bench[input] : NULL;
}

/* The next metric; false behind the last. Zero-initialise the walk. */
static bool walk_next(const struct pd_side_input *sides, uint32_t n_sides, struct walk *w)
{
	while (w->side < n_sides) {
		const struct pd_profile *p = input_at(&sides[w->side], w->input);

		if (!p) {
			w->side++;
			w->input = w->index = 0;
		} else if (w->index < p->n_metrics) {
			w->profile = p;
			w->metric = &p->metrics[w->index++];
			return true;
		} else {
			w->input++;
			w->index = 0;
		}
	}
	return false;
}

static pd_str copy_str(struct pd_comparison *c, const struct pd_profile *p, pd_str s)
{
	return pd_strtab_intern(&c->strings, pd_strtab_span(&p->strings, s));
}

/* One more repetition, or a summary of some. */
static int add_values(struct pd_comparison *c, const struct pd_metric *from,
		      struct pd_metric_side *to)
{
	double *values = pd_arena_array(&c->arena, to->n_values + from->n_values, sizeof(*values));

	if (!values)
		return PD_ERR_NOMEM;
	if (to->n_values)
		memcpy(values, to->values, to->n_values * sizeof(*values));
	if (from->n_values)
		memcpy(values + to->n_values, from->values, from->n_values * sizeof(*values));
	to->values = values;
	to->n_values += from->n_values;
	if (pd_is_known(from->n_summarized)) {
		to->n = from->n_summarized;
		to->sd = from->sd;
	}
	return PD_OK;
}

/* The row of a metric, a new one if there is none; NULL if there is no memory. */
static struct pd_metric_row *row_of(struct pd_comparison *c, struct pd_map *ids,
				    const struct walk *w)
{
	pd_str group = copy_str(c, w->profile, w->metric->group);
	pd_str name = copy_str(c, w->profile, w->metric->name);
	uint32_t id = pd_map_insert(ids, pd_map_key(group.id, name.id), c->n_metrics);
	struct pd_metric_row *row;

	if (id == PD_MAP_NONE)
		return NULL;
	row = &c->metrics[id];
	if (id < c->n_metrics)
		return row;
	*row = (struct pd_metric_row){
		.group = group,
		.name = name,
		.unit = copy_str(c, w->profile, w->metric->unit),
		.better = w->metric->better,
		.sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*row->sides)),
		.changes = pd_arena_array(&c->arena, c->n_sides, sizeof(*row->changes)),
	};
	if (!row->sides || !row->changes)
		return NULL;
	for (uint32_t s = 0; s < c->n_sides; s++)
		row->sides[s].n = row->sides[s].sd = PD_UNKNOWN;
	c->n_metrics++;
	return row;
}

static int join_metrics(struct pd_comparison *c, const struct pd_side_input *sides,
			struct pd_map *ids, struct pd_error *err)
{
	struct walk w = {0};

	while (walk_next(sides, c->n_sides, &w)) {
		struct pd_metric_row *row = row_of(c, ids, &w);
		const char *unit = pd_strtab_get(&w.profile->strings, w.metric->unit);

		if (!row || add_values(c, w.metric, &row->sides[w.side]) != PD_OK)
			return pd_fail_nomem(err);
		if (strcmp(pd_strtab_get(&c->strings, row->unit), unit) != 0)
			return pd_fail(err, PD_ERR_MISMATCH,
				       "%s is in \"%s\" on one side and in \"%s\" on another",
				       pd_strtab_get(&c->strings, row->name),
				       pd_strtab_get(&c->strings, row->unit), unit);
	}
	return PD_OK;
}

/* The columns that the sides' repetitions take: those of the metric with the most. */
static uint32_t count_columns(const struct pd_comparison *c, uint32_t *ret_first)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < c->n_sides; s++) {
		uint32_t most = 1;

		for (uint32_t i = 0; i < c->n_metrics; i++)
			if (c->metrics[i].sides[s].n_values > most)
				most = c->metrics[i].sides[s].n_values;
		ret_first[s] = n;
		n += most;
	}
	return n;
}

/* The table that the statistics see. */
static int make_problem(struct pd_comparison *c, struct pd_timings_problem *p)
{
	uint32_t *first = pd_arena_array(&c->arena, c->n_sides, sizeof(*first)), *side;
	struct pd_timing_summary *summaries;
	bool *is_higher_better;
	double *x;

	if (!first)
		return PD_ERR_NOMEM;
	p->n_runs = count_columns(c, first);
	x = pd_arena_array(&c->arena, (size_t)c->n_metrics * p->n_runs, sizeof(*x));
	side = pd_arena_array(&c->arena, p->n_runs, sizeof(*side));
	summaries = pd_arena_array(&c->arena, (size_t)c->n_metrics * c->n_sides,
				   sizeof(*summaries));
	is_higher_better = pd_arena_array(&c->arena, c->n_metrics, sizeof(*is_higher_better));
	if (!x || !side || !summaries || !is_higher_better)
		return PD_ERR_NOMEM;
	for (size_t i = 0; i < (size_t)c->n_metrics * p->n_runs; i++)
		x[i] = PD_UNKNOWN;
	for (uint32_t i = 0; i < c->n_metrics; i++) {
		is_higher_better[i] = c->metrics[i].better == PD_BETTER_HIGHER;
		for (uint32_t s = 0; s < c->n_sides; s++) {
			const struct pd_metric_side *from = &c->metrics[i].sides[s];

			for (uint32_t k = 0; k < from->n_values; k++)
				x[(size_t)i * p->n_runs + first[s] + k] = from->values[k];
			if (pd_is_known(from->n) && from->n_values == 1)
				summaries[(size_t)i * c->n_sides + s] = (struct pd_timing_summary){
					.mean = from->values[0], .sd = from->sd, .n = from->n,
				};
		}
	}
	for (uint32_t s = 0; s < c->n_sides; s++)
		for (uint32_t k = first[s]; k < p->n_runs; k++)
			side[k] = s; /* the next side overwrites its own */
	p->n_rows = c->n_metrics;
	p->n_sides = c->n_sides;
	p->x = x;
	p->side = side;
	p->summaries = summaries;
	p->is_higher_better = is_higher_better;
	p->alpha = c->alpha;
	p->equiv_ratio = c->equiv_ratio;
	return PD_OK;
}

static void copy_results(struct pd_comparison *c, const struct pd_timings *t)
{
	for (uint32_t i = 0; i < c->n_metrics; i++) {
		struct pd_metric_row *row = &c->metrics[i];

		for (uint32_t s = 0; s < c->n_sides; s++) {
			const struct pd_timing_side *side = &t->sides[(size_t)i * c->n_sides + s];
			const struct pd_timing *from;

			row->sides[s].mean = side->mean;
			row->sides[s].sd = side->sd;
			row->sides[s].n = side->n;
			if (!s)
				continue;
			from = &t->rows[(size_t)i * (c->n_sides - 1) + s - 1];
			row->changes[s] = (struct pd_metric_change){
				.delta = from->delta, .ratio = from->ratio,
				.ratio_lo = from->welch.lo, .ratio_hi = from->welch.hi,
				.p = from->welch.p, .p_rank = from->p_rank, .q = from->q,
				.bound = from->bound_ratio, .verdict = from->verdict,
			};
		}
	}
	for (uint32_t s = 1; s < c->n_sides; s++)
		c->geomeans[s] = (struct pd_geomean){
			.n = (uint32_t)t->n_means[s - 1],
			.ratio = t->means[s - 1].ratio,
			.ratio_lo = t->means[s - 1].lo,
			.ratio_hi = t->means[s - 1].hi,
			.p = t->means[s - 1].p,
		};
}

int pd_benchmarks_compare(struct pd_comparison *c, const struct pd_side_input *sides,
			  struct pd_error *err)
{
	struct pd_timings_problem problem = {0};
	struct pd_timings timings = {0};
	struct pd_map ids = {0};
	struct walk w = {0};
	size_t n = 0;
	int rc;

	while (walk_next(sides, c->n_sides, &w))
		n++;
	c->metrics = pd_arena_array(&c->arena, n, sizeof(*c->metrics));
	c->geomeans = pd_arena_array(&c->arena, c->n_sides, sizeof(*c->geomeans));
	if (!c->metrics || !c->geomeans)
		return pd_fail_nomem(err);
	rc = join_metrics(c, sides, &ids, err);
	pd_map_done(&ids);
	if (rc != PD_OK || !c->n_metrics)
		return rc;
	if (make_problem(c, &problem) != PD_OK)
		return pd_fail_nomem(err);
	rc = pd_timings_compare(&c->arena, &problem, &timings, err);
	if (rc == PD_OK)
		copy_results(c, &timings);
	return rc;
}
