/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does the test keep its promises on real noise? Simulations on matrices of
 * replicate runs, STATS.md 3.1 and 3.2:
 *
 *	nothing changed    2n random runs of one matrix, n against n: how many
 *	                   rows have p < .05, how many comparisons flag any
 *	spike-ins          the same, and some rows are changed by thinning
 *	injected changes   synthA against synthB, 75 functions truly changed
 *
 *	null_sim [--short] [FOLDER]
 *
 * FOLDER (testdata/stats) has py.tsv xz.tsv synthA.tsv synthB.tsv and
 * golden/synth_truth.tsv. Writes TAP with the figures; what is expected is in
 * the tables below. --short is for every build: far fewer draws, in
 * wider bands since so few say less. Seeds are fixed in both forms.
 *
 * A row's size class is that of its counts as compared, after thinning.
 *
 * The rates expected are those of one block of comparisons each, of 200 or, for
 * the injected changes, 24: x1.03 is a single function there. Blocks scatter, so
 * several are drawn, and the expected rate must look like one block more.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/stats.h"
#include "support/random.h"
#include "support/replicates.h"

/* Sizes of changes and of functions that are reported together. */
struct class {
	double factor, lo, hi;
};

enum { MAX_BLOCKS = 30 };

/* Counts over the comparisons of a block. */
struct found {
	double n_changed[3], n_found[3];
	double sum_fdr, n_comparisons;
};

/* Blocks of comparisons that are drawn alike. */
struct cell {
	const struct class *classes; /* [3] */
	const double *expected;      /* [3] rates */
	struct found blocks[MAX_BLOCKS];
	size_t n_blocks;
};

struct sim {
	bool is_short;
	int n_results, n_failed;
	double sum_z2; /* of the expected rates, each against its blocks */
	int n_z;
	struct pd_replicates py, xz, synth_a, synth_b;
};

static PD_PRINTF(3, 4) void result(struct sim *sim, bool is_good, const char *fmt, ...)
{
	va_list args;

	sim->n_failed += !is_good;
	printf("%s %d - ", is_good ? "ok" : "not ok", ++sim->n_results);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

static struct pd_stats *compare(const struct pd_draw *d)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats_problem problem = {.n_rows = d->n_rows, .n_runs = 2 * d->n, .n_sides = 2,
					   .y = d->y, .side = d->side};
	struct pd_stats *stats;
	struct pd_error err = {0};

	options.normalize = PD_NORMALIZE_MEDIAN;
	if (pd_stats_compare(&problem, 1, &options, &stats, &err)) {
		fprintf(stderr, "null_sim: %s\n", err.msg);
		exit(1);
	}
	return stats;
}

/* Nothing changed: random splits of one matrix, n against n. */
static void run_null(struct sim *sim, const char *name, const struct pd_replicates *m, uint32_t n)
{
	size_t n_splits = sim->is_short ? 30 : 400;
	double p05 = 0, p001 = 0, any = 0, flags = 0;
	double min = sim->is_short ? .03 : .035, max = sim->is_short ? .065 : .06;
	double max_any = sim->is_short ? .17 : .07;
	struct pd_draw d = pd_draw_new(m->n_rows, n);

	for (size_t i = 0; i < n_splits; i++) {
		struct pd_random random = {1000 * n + i};
		struct pd_stats *stats;
		double n_tested, n_05 = 0, n_001 = 0;

		pd_draw_runs(&random, m, m, 0, &d);
		stats = compare(&d);
		n_tested = (double)stats->n_tested[PD_STATS_MAIN];
		for (size_t g = 0; g < d.n_rows; g++) {
			const struct pd_stats_change *c = &stats->events[0].changes[g];

			n_05 += pd_is_known(c->q) && c->p < .05;
			n_001 += pd_is_known(c->q) && c->p < .001;
		}
		p05 += n_05 / n_tested / (double)n_splits;
		p001 += n_001 / n_tested / (double)n_splits;
		any += (stats->n_flagged[PD_STATS_MAIN] > 0) / (double)n_splits;
		flags += (double)stats->n_flagged[PD_STATS_MAIN] / (double)n_splits;
		pd_stats_free(stats);
	}
	result(sim, p05 >= min && p05 <= max && any <= max_any,
	       "nothing changed, %s, n=%u: p<.05 %.4f, p<.001 %.5f, any flag %.4f, flags %.2f",
	       name, n, p05, p001, any, flags);
	pd_draw_free(&d);
}

/* Count what a comparison found. */
static void tell(const struct pd_draw *d, const struct pd_stats *stats,
		 const struct class *classes, struct found *f)
{
	double n_flags = 0, n_false = 0;

	for (size_t g = 0; g < d->n_rows; g++) {
		const struct pd_stats_change *c = &stats->events[0].changes[g];
		double factor = d->factor[g], size = fmax(factor, 1 / factor);
		double mean = pd_draw_mean(d, g);
		bool is_flagged = c->q <= stats->options.alpha;
		bool is_right = is_flagged && factor != 1 && (factor > 1) == (c->delta > 0);

		n_flags += is_flagged;
		n_false += is_flagged && !is_right;
		for (int k = 0; k < 3; k++) {
			const struct class *class = &classes[k];

			if (fabs(size - class->factor) > .005 || mean < class->lo ||
			    mean >= class->hi)
				continue;
			f->n_changed[k]++;
			f->n_found[k] += is_right;
		}
	}
	f->sum_fdr += n_flags > 0 ? n_false / n_flags : 0;
	f->n_comparisons++;
}

/* Mean and standard deviation of a block's rate. */
static double block_rate(const struct cell *c, int k, double *ret_sd)
{
	double n = (double)c->n_blocks, mean = 0, ss = 0;

	for (size_t b = 0; b < c->n_blocks; b++)
		mean += c->blocks[b].n_found[k] / c->blocks[b].n_changed[k] / n;
	for (size_t b = 0; b < c->n_blocks; b++) {
		double rate = c->blocks[b].n_found[k] / c->blocks[b].n_changed[k];

		ss += (rate - mean) * (rate - mean);
	}
	*ret_sd = sqrt(ss / (n - 1));
	return mean;
}

/*
 * Print a cell: the mean rate and the scatter of its blocks, and how many of
 * these scatters the expected rate is off. That is at most three, or .06; the
 * false share is at most .07.
 */
static void report(struct sim *sim, const char *what, uint32_t n, const struct cell *c)
{
	char rates[3][80];
	bool is_good = true;
	double fdr = 0;

	for (size_t b = 0; b < c->n_blocks; b++)
		fdr += c->blocks[b].sum_fdr / c->blocks[b].n_comparisons / (double)c->n_blocks;
	for (int k = 0; k < 3; k++) {
		double sd, rate = block_rate(c, k, &sd), off = c->expected[k] - rate;
		/* The expected rate is rounded to .01, and the mean is not exact either. */
		double error = sqrt(sd * sd * (1 + 1 / (double)c->n_blocks) + .01 * .01 / 12);

		is_good = is_good && (fabs(off) <= .06 || fabs(off) <= 3 * error);
		sim->sum_z2 += off * off / (error * error);
		sim->n_z++;
		snprintf(rates[k], sizeof(rates[k]), "%.3f (scatter %.3f, expected %.2f, z %+.1f)",
			 rate, sd, c->expected[k], off / error);
	}
	result(sim, is_good && fdr <= (sim->is_short ? .12 : .07),
	       "%s, n=%u: found %s, %s, %s; false share %.3f", what, n, rates[0], rates[1],
	       rates[2], fdr);
}

static void run_cell(struct sim *sim, const char *what, const struct pd_replicates *base,
		     const struct pd_replicates *next, uint32_t n, size_t n_comparisons,
		     struct cell *c)
{
	struct pd_draw d = pd_draw_new(next->n_rows, n);

	c->n_blocks = sim->is_short ? 4 : MAX_BLOCKS;
	for (size_t i = 0; i < c->n_blocks * n_comparisons; i++) {
		struct pd_random random = {3000000 * n + i};
		struct pd_stats *stats;

		pd_draw_runs(&random, base, next, 20, &d);
		if (base == next)
			pd_draw_spike(&random, &d);
		stats = compare(&d);
		tell(&d, stats, c->classes, &c->blocks[i / n_comparisons]);
		pd_stats_free(stats);
	}
	report(sim, what, n, c);
	pd_draw_free(&d);
}

static void run_spikes(struct sim *sim, const char *what, const struct pd_replicates *m, uint32_t n,
		       const double expected[3])
{
	static const struct class classes[3] = {{1.2, 100, 1e9}, {1.5, 20, 100}, {1.5, 100, 1e9}};
	struct cell cell = {.classes = classes, .expected = expected};

	run_cell(sim, what, m, m, n, sim->is_short ? 15 : 200, &cell);
}

static void run_truth(struct sim *sim, uint32_t n, const double expected[3])
{
	static const struct class classes[3] = {{1.03, 500, 1e9}, {1.1, 100, 500}, {1.3, 20, 100}};
	struct cell cell = {.classes = classes, .expected = expected};

	run_cell(sim, "injected changes, synth", &sim->synth_a, &sim->synth_b, n,
		 sim->is_short ? 15 : 24, &cell);
}

/*
 * All cells together: were they the expected program's own, the squares would
 * add up to about their number, of a variance of twice that.
 */
static void report_fit(struct sim *sim)
{
	double n = sim->n_z, most = n + 2.33 * sqrt(2 * n);

	result(sim, sim->sum_z2 <= most, "all rates: sum of z^2 %.1f of %.0f rates, at most %.1f",
	       sim->sum_z2, n, most);
}

static void run_all(struct sim *sim)
{
	static const struct {
		uint32_t n;
		double py[3], xz[3];
	} spikes[] = {
		{3, {.03, .04, .41}, {.06, .08, .48}},
		{4, {.14, .23, .56}, {.24, .25, .67}},
		{5, {.29, .38, .72}, {.34, .47, .72}},
		{8, {.58, .70, .88}, {.61, .67, .83}},
	};
	static const struct {
		uint32_t n;
		double rates[3];
	} truths[] = {
		{4, {.12, .26, .20}},
		{5, {.17, .65, .31}},
		{8, {.62, .99, .51}},
	};

	for (uint32_t n = 2; n <= 5; n++) {
		run_null(sim, "py", &sim->py, n);
		run_null(sim, "xz", &sim->xz, n);
		run_null(sim, "synthA", &sim->synth_a, n);
		run_null(sim, "synthB", &sim->synth_b, n);
	}
	for (size_t i = 0; i < sizeof(spikes) / sizeof(spikes[0]); i++) {
		run_spikes(sim, "spike-ins, py", &sim->py, spikes[i].n, spikes[i].py);
		run_spikes(sim, "spike-ins, xz", &sim->xz, spikes[i].n, spikes[i].xz);
	}
	for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++)
		run_truth(sim, truths[i].n, truths[i].rates);
	report_fit(sim);
}

int main(int argc, char **argv)
{
	struct sim sim = {.is_short = argc > 1 && strcmp(argv[1], "--short") == 0};
	const char *folder = argc > 1 + sim.is_short ? argv[1 + sim.is_short] : "testdata/stats";

	sim.py = pd_replicates_read(folder, "py.tsv");
	sim.xz = pd_replicates_read(folder, "xz.tsv");
	sim.synth_a = pd_replicates_read(folder, "synthA.tsv");
	sim.synth_b = pd_replicates_read(folder, "synthB.tsv");
	pd_replicates_align(&sim.synth_a, &sim.synth_b);
	pd_replicates_read_truth(folder, &sim.synth_b);
	run_all(&sim);
	pd_replicates_free(&sim.py);
	pd_replicates_free(&sim.xz);
	pd_replicates_free(&sim.synth_a);
	pd_replicates_free(&sim.synth_b);
	printf("1..%d\n", sim.n_results);
	return sim.n_failed ? 1 : 0;
}
