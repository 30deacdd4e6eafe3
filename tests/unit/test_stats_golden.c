/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The golden vectors of testdata/stats/golden: every number of every row, made
 * by an independent program, to 1e-9 relative. Differences are compared to the
 * larger of the two rates.
 */
#include <stdio.h>

#include "stats/event.h"
#include "stats/fdr.h"
#include "stats/interval.h"
#include "support/check.h"
#include "support/tsv.h"

#define TOLERANCE 1e-9

/* One case: NAME.in.tsv, NAME.json, NAME.out.tsv (or .out.1.tsv and so on), NAME.noise.tsv. */
struct golden {
	const char *name;
	struct pd_tsv in;
	char *json;
	struct pd_stats_problem problem;
	double *y;
	uint32_t *side;
	struct pd_noise_record *history;
	struct pd_stats *stats;
	double *q;    /* [changes] of the tested ones, in mode SINGLE too */
	double worst; /* relative error */
};

static char *file_of(const char *name, const char *suffix)
{
	char local[200];

	snprintf(local, sizeof(local), "stats/golden/%s.%s", name, suffix);
	return pd_testdata_path(local);
}

static bool read_table(const char *name, const char *suffix, struct pd_tsv *ret_table)
{
	char *path = file_of(name, suffix);
	bool is_read = pd_tsv_read(path, ret_table);

	free(path);
	return is_read;
}

/* The numbers of a JSON array of numbers; returns how many. */
static size_t array_of(const char *json, const char *key, double *ret_x, size_t max)
{
	char quoted[80];
	const char *s;
	size_t n = 0;

	snprintf(quoted, sizeof(quoted), "\"%s\":[", key);
	s = strstr(json, quoted);
	if (!s)
		return 0;
	for (s += strlen(quoted); n < max && *s && *s != ']'; n++) {
		char *end;

		ret_x[n] = strtod(s, &end);
		s = *end == ',' ? end + 1 : end;
	}
	return n;
}

static enum pd_normalize normalize_of(const char *json)
{
	if (strstr(json, "\"norm\":[\"median\"]"))
		return PD_NORMALIZE_MEDIAN;
	return strstr(json, "\"norm\":[\"total\"]") ? PD_NORMALIZE_TOTAL : PD_NORMALIZE_NONE;
}

static void read_history(struct golden *g)
{
	struct pd_tsv t;

	if (!read_table(g->name, "noise.tsv", &t))
		return;
	g->history = calloc(g->in.n_rows, sizeof(*g->history));
	for (size_t i = 0; i < t.n_rows; i++)
		for (size_t row = 0; row < g->in.n_rows; row++)
			if (strcmp(pd_tsv_text(&t, i, 0), pd_tsv_text(&g->in, row, 0)) == 0)
				g->history[row] = (struct pd_noise_record){
					pd_tsv_number(&t, i, 1), pd_tsv_number(&t, i, 2),
					pd_tsv_number(&t, i, 3)};
	pd_tsv_done(&t);
	g->problem.history = g->history;
}

static void open_case(struct golden *g, const char *name)
{
	double sides[64];
	char *path;

	*g = (struct golden){.name = name};
	path = file_of(name, "json");
	g->json = pd_file_text(path);
	free(path);
	assert_non_null(g->json);
	assert_true(read_table(name, "in.tsv", &g->in));
	g->problem.n_rows = g->in.n_rows;
	g->problem.n_runs = (uint32_t)array_of(g->json, "sides", sides, 64);
	assert_int_equal(g->problem.n_runs, g->in.n_cols - 1);
	g->y = calloc(g->in.n_rows * g->problem.n_runs, sizeof(*g->y));
	g->side = calloc(g->problem.n_runs, sizeof(*g->side));
	for (uint32_t r = 0; r < g->problem.n_runs; r++) {
		g->side[r] = (uint32_t)sides[r];
		if (g->side[r] >= g->problem.n_sides)
			g->problem.n_sides = g->side[r] + 1;
		for (size_t row = 0; row < g->in.n_rows; row++)
			g->y[row * g->problem.n_runs + r] = pd_tsv_number(&g->in, row, r + 1);
	}
	g->problem.y = g->y;
	g->problem.side = g->side;
	read_history(g);
}

static void close_case(struct golden *g)
{
	pd_stats_free(g->stats);
	pd_tsv_done(&g->in);
	free(g->json);
	free(g->y);
	free(g->side);
	free(g->history);
	free(g->q);
}

/* One number; scale is what its error is relative to. */
static void check(struct golden *g, const char *what, const char *row, double found,
		  double expected, double scale)
{
	double error;

	if (isnan(expected) || isinf(expected) || expected == 0) {
		if ((isnan(expected) && isnan(found)) || found == expected)
			return;
	}
	error = fabs(found - expected) / scale;
	if (!(error <= TOLERANCE))
		fail_msg("%s: %s of %s: expected %.17g, found %.17g", g->name, what, row, expected,
			 found);
	g->worst = fmax(g->worst, error);
}

static void check_event(struct golden *g)
{
	const struct pd_stats_event *e = &g->stats->events[0];
	size_t m = g->stats->n_tested[PD_STATS_MAIN] + g->stats->n_ranked[PD_STATS_MAIN];
	double x[64];

	assert_int_equal(array_of(g->json, "size_factors", x, 64), e->n_runs);
	for (uint32_t r = 0; r < e->n_runs; r++)
		check(g, "size factor", "run", e->scale[r], x[r], x[r]);
	assert_int_equal(array_of(g->json, "weights", x, 64), PD_NOISE_N);
	for (int k = 0; k < PD_NOISE_N; k++)
		check(g, "weight", "grid", e->weights[k], x[k], x[k]);
	assert_int_equal(array_of(g->json, "tested", x, 1), 1);
	assert_int_equal(m, (size_t)x[0]);
	assert_int_equal(array_of(g->json, "flagged", x, 1), 1);
	assert_int_equal(g->stats->n_flagged[PD_STATS_MAIN], (size_t)x[0]);
}

/* q as the vectors have it: also where profdiff gives none, in mode SINGLE. */
static void adjust(struct golden *g)
{
	const struct pd_stats_event *e = &g->stats->events[0];
	size_t n = e->n_rows * (e->n_sides - 1);
	struct pd_error err = {0};

	g->q = calloc(n, sizeof(*g->q));
	for (size_t i = 0; i < n; i++)
		g->q[i] = e->changes[i].verdict == PD_VERDICT_FEW ? (double)NAN : e->changes[i].p;
	assert_int_equal(pd_fdr_adjust(g->q, n, g->q, &err), 0);
	for (size_t i = 0; e->mode != PD_STATS_SINGLE && i < n; i++)
		assert_true(e->changes[i].q == g->q[i] || isnan(g->q[i]));
}

/*
 * Intervals and level of a change. In mode SINGLE the vectors have them, and
 * profdiff gives none: they are made here from the same parts.
 */
static double intervals(struct golden *g, size_t row, uint32_t next,
			struct pd_stats_change *change)
{
	const struct pd_stats_event *e = &g->stats->events[0];
	struct pd_stats_work *w = e->work;
	const double *pi = pd_stats_posterior(w, row, next);
	struct pd_count_pair pair;
	double v[PD_NOISE_N], zc;

	pd_counts_tally(&w->counts, row, w->s, w->side_s, w->tallies);
	assert_true(pd_stats_pair(w, next, &pair));
	pd_noise_variance((pair.y_base + pair.y_next) / pair.n_runs, 0, v);
	if (e->mode != PD_STATS_SINGLE)
		return pd_interval_critical(pi, v, 1 - change->level);
	assert_true(isnan(change->level) && isnan(change->q) && isnan(change->ratio_lo) &&
		    isnan(change->delta_lo) && isnan(change->bound_ratio));
	assert_close(change->sampling, 2 * sqrt(pair.y_base + pair.y_next), 1e-14);
	change->level = 1 - g->stats->options.alpha;
	zc = pd_interval_critical(pi, v, 1 - change->level);
	pd_interval_ratio(&pair, zc, &change->ratio_lo, &change->ratio_hi);
	pd_interval_delta(&pair, zc, &change->delta_lo, &change->delta_hi);
	return zc;
}

static void check_verdict(const char *name, enum pd_verdict verdict, const char *expected)
{
	const char *word = pd_verdict_word(verdict);
	char plain[40];

	snprintf(plain, sizeof(plain), "%s", word ? word : "-");
	/* The vectors have no question mark where a side has one run. */
	plain[strcspn(plain, "?")] = '\0';
	if (strcmp(plain, expected) != 0)
		fail_msg("%s: expected %s, found %s", name, expected, plain);
}

/* Row i of the output table, which is of this row and side. */
/*
 * What a difference is relative to. Bounds above 1e8 get a tolerance of 1e-8:
 * there the vectors' program loses digits of 1 - pi (arithmetic with 40 digits
 * gives 424353568.92 where a vector has 424353572.28), and so far out they say
 * nothing but "no bound".
 */
static double scale_of(double expected, bool is_delta, double delta_scale)
{
	if (is_delta)
		return delta_scale;
	return fabs(expected) > 1e8 ? 10 * fabs(expected) : fabs(expected);
}

static void check_change(struct golden *g, const struct pd_tsv *out, size_t i, size_t row,
			 uint32_t next)
{
	const struct pd_stats_event *e = &g->stats->events[0];
	size_t at = row * (e->n_sides - 1) + next - 1;
	struct pd_stats_change change = e->changes[at];
	const struct pd_stats_side *sides = &e->sides[row * e->n_sides];
	double zc = intervals(g, row, next, &change);
	double scale = fmax(sides[0].mean, sides[next].mean);
	const struct {
		const char *head;
		double found;
		bool is_delta;
	} columns[] = {
		{"Y0", e->work->tallies[0].y, false},
		{"Y1", e->work->tallies[next].y, false},
		{"r0", sides[0].mean, false},
		{"r1", sides[next].mean, false},
		{"delta", change.delta, true},
		{"delta_lo", change.delta_lo, true},
		{"delta_hi", change.delta_hi, true},
		{"ratio", change.ratio, false},
		{"ratio_lo", change.ratio_lo, false},
		{"ratio_hi", change.ratio_hi, false},
		{"level", change.level, false},
		{"z", change.z, false},
		{"zcrit", zc, false},
		{"V", change.noise, false},
		{"p", change.p, false},
		{"q", g->q[at], false},
	};

	for (size_t k = 0; k < sizeof(columns) / sizeof(columns[0]); k++) {
		double expected = pd_tsv_number(out, i, pd_tsv_column(out, columns[k].head));

		check(g, columns[k].head, pd_tsv_text(out, i, 0), columns[k].found, expected,
		      scale_of(expected, columns[k].is_delta, scale));
	}
	check_verdict(pd_tsv_text(out, i, 0), change.verdict,
		      pd_tsv_text(out, i, pd_tsv_column(out, "verdict")));
}

/* One file of the output; returns its rows. The next row is mostly the one after the last. */
static size_t check_part(struct golden *g, const char *suffix)
{
	struct pd_tsv out;
	size_t row = 0, n;

	if (!read_table(g->name, suffix, &out))
		return 0;
	for (size_t i = 0; i < out.n_rows; i++) {
		while (strcmp(pd_tsv_text(&out, i, 0), pd_tsv_text(&g->in, row, 0)) != 0)
			row = (row + 1) % g->in.n_rows;
		check_change(g, &out, i, row, (uint32_t)pd_tsv_number(&out, i, 1));
	}
	n = out.n_rows;
	pd_tsv_done(&out);
	return n;
}

static void test_case(void **state)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_error err = {0};
	struct golden g;
	size_t n = 0;

	open_case(&g, *state);
	options.normalize = normalize_of(g.json);
	assert_int_equal(pd_stats_compare(&g.problem, 1, &options, &g.stats, &err), 0);
	assert_false(g.stats->events[0].has_fallen_back);
	check_event(&g);
	adjust(&g);
	n += check_part(&g, "out.tsv");
	n += check_part(&g, "out.1.tsv");
	n += check_part(&g, "out.2.tsv");
	n += check_part(&g, "out.3.tsv");
	assert_int_equal(n, g.in.n_rows * (g.problem.n_sides - 1));
	print_message("# %s: %zu rows, worst relative error %.2g\n", g.name, n, g.worst);
	close_case(&g);
}

#define CASE(name) {#name, test_case, NULL, NULL, (void *)(intptr_t)#name}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(ccbuild_aa_4v4),    CASE(edge_2v2),
		CASE(edge_one_row),      CASE(lkml_grouped_1v1),
		CASE(lkml_grouped_1v1_history), CASE(lkml_grouped_4v1),
		CASE(lkml_grouped_4v4),  CASE(lkml_pair_1v1),
		CASE(lkml_ungrouped_4v4), CASE(py_aa_1v1_history),
		CASE(py_aa_3v1),         CASE(py_aa_4v4),
		CASE(synth_ab_5v5),      CASE(synth_abc_4v4v3),
		CASE(synth_ac_5v5_total), CASE(xz_aa_3v3),
	};

	return cmocka_run_group_tests_name("stats golden vectors", tests, NULL, NULL);
}
