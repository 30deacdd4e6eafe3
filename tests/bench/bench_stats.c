/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the statistics take: 8 runs of 20000 functions, whose means are
 * spread evenly over the logarithms from 2 to 2000 ticks, with run-to-run noise
 * of 0 to 40 %. Prints CPU seconds, the best of five.
 *
 *	bench_stats [ROWS [RUNS_A_SIDE]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "stats/stats.h"
#include "support/random.h"

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double *make_counts(size_t n_rows, uint32_t n_runs)
{
	double *y = calloc(n_rows * n_runs, sizeof(*y));
	struct pd_random random = {1};

	for (size_t g = 0; y && g < n_rows; g++) {
		double mean = 2 * pow(1000, pd_random_uniform(&random));
		double cv = 0.4 * pow(pd_random_uniform(&random), 3);

		for (uint32_t r = 0; r < n_runs; r++) {
			double sd = sqrt(mean + cv * cv * mean * mean);

			y[g * n_runs + r] =
				fmax(0, round(mean + sd * pd_random_normal(&random)));
		}
	}
	return y;
}

/* One comparison; adds nothing to what is printed but the best times. */
static int compare(const struct pd_stats_problem *problem, double *best_add, double *best_finish)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats;
	struct pd_error err = {0};
	double start = cpu_seconds(), middle;
	int rc = pd_stats_new(&options, &stats, &err);

	if (rc) {
		fprintf(stderr, "bench_stats: %s\n", err.msg);
		return rc;
	}
	rc = pd_stats_add(stats, problem, &err);
	middle = cpu_seconds();
	if (!rc)
		rc = pd_stats_finish(stats, &err);
	*best_finish = fmin(*best_finish, cpu_seconds() - middle);
	*best_add = fmin(*best_add, middle - start);
	if (rc)
		fprintf(stderr, "bench_stats: %s\n", err.msg);
	pd_stats_free(stats);
	return rc;
}

int main(int argc, char **argv)
{
	size_t n_rows = argc > 1 ? (size_t)atol(argv[1]) : 20000;
	uint32_t n_runs = 2 * (argc > 2 ? (uint32_t)atol(argv[2]) : 4);
	double *y = make_counts(n_rows, n_runs);
	uint32_t *side = calloc(n_runs, sizeof(*side));
	double add = INFINITY, finish = INFINITY;
	struct pd_stats_problem problem = {
		.n_rows = n_rows, .n_runs = n_runs, .n_sides = 2, .y = y, .side = side};
	int rc = 0;

	for (uint32_t r = 0; side && r < n_runs; r++)
		side[r] = r >= n_runs / 2;
	for (int i = 0; y && side && !rc && i < 5; i++)
		rc = compare(&problem, &add, &finish);
	if (!rc)
		printf("%zu rows, %u runs: first pass %.3f s, second %.3f s, together %.3f s\n",
		       n_rows, n_runs, add, finish, add + finish);
	free(y);
	free(side);
	return rc ? 1 : 0;
}
