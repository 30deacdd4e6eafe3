/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Step-up false discovery control. One sort of the known p values; ties need no
 * order, since the running minimum gives them one q.
 */
#include "stats/fdr.h"

#include <stdlib.h>

#include "base/num.h"

struct ranked {
	double p;
	size_t i; /* which test */
};

static int by_p(const void *a, const void *b)
{
	double p = ((const struct ranked *)a)->p, q = ((const struct ranked *)b)->p;

	return (p > q) - (p < q);
}

int pd_fdr_adjust(const double *p, size_t n, double *ret_q, struct pd_error *err)
{
	struct ranked *ranked = malloc((n ? n : 1) * sizeof(*ranked));
	size_t n_tests = 0;
	double q = 1;

	if (!ranked)
		return pd_fail_nomem(err);
	for (size_t i = 0; i < n; i++)
		if (pd_is_known(p[i]))
			ranked[n_tests++] = (struct ranked){p[i], i};
	qsort(ranked, n_tests, sizeof(*ranked), by_p);
	for (size_t i = 0; i < n; i++)
		ret_q[i] = PD_UNKNOWN;
	for (size_t rank = n_tests; rank > 0; rank--) {
		const struct ranked *r = &ranked[rank - 1];

		q = fmin(q, r->p * (double)n_tests / (double)rank);
		ret_q[r->i] = q;
	}
	free(ranked);
	return 0;
}

size_t pd_fdr_n_tested(const double *q, size_t n)
{
	size_t n_tested = 0;

	for (size_t i = 0; i < n; i++)
		n_tested += pd_is_known(q[i]);
	return n_tested;
}

size_t pd_fdr_n_flagged(const double *q, size_t n, double alpha)
{
	size_t n_flagged = 0;

	for (size_t i = 0; i < n; i++)
		n_flagged += q[i] <= alpha;
	return n_flagged;
}

double pd_fdr_level(double alpha, bool is_flagged, size_t n_flagged, size_t n_tested)
{
	return is_flagged ? 1 - alpha * (double)n_flagged / (double)n_tested : 1 - alpha;
}
