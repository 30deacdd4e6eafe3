/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Medians by selection.
 */
#include "stats/median.h"

#include <math.h>

#include "base/num.h"

/* A pivot in [lo, hi) that an input cannot foresee, and the same in every run of the program. */
static size_t pick(size_t lo, size_t hi, uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return lo + (size_t)((*state >> 33) % (hi - lo));
}

static void swap_weighted(struct pd_weighted *a, struct pd_weighted *b)
{
	struct pd_weighted t = *a;

	*a = *b;
	*b = t;
}

/* Order a[lo, hi) by pivot: [lo, *below) less, [*below, *above) equal, the rest greater. */
static void partition_weighted(struct pd_weighted *a, size_t lo, size_t hi, double pivot,
			       size_t *below, size_t *above)
{
	size_t i = lo;

	*below = lo;
	*above = hi;
	while (i < *above) {
		if (a[i].x < pivot)
			swap_weighted(&a[i++], &a[(*below)++]);
		else if (a[i].x > pivot)
			swap_weighted(&a[i], &a[--*above]);
		else
			i++;
	}
}

static uint64_t weight_of(const struct pd_weighted *a, size_t lo, size_t hi)
{
	uint64_t sum = 0;

	for (size_t i = lo; i < hi; i++)
		sum += a[i].weight;
	return sum;
}

double pd_median_weighted(struct pd_weighted *a, size_t n)
{
	uint64_t total = weight_of(a, 0, n), before = 0; /* weight left of lo */
	uint64_t state = n;
	size_t lo = 0, hi = n;

	for (;;) {
		double pivot = a[pick(lo, hi, &state)].x;
		uint64_t less, equal;
		size_t below, above;

		partition_weighted(a, lo, hi, pivot, &below, &above);
		less = before + weight_of(a, lo, below);
		equal = less + weight_of(a, below, above);
		if (below > lo && less >= total - less) {
			hi = below;
		} else if (equal >= total - equal || above == hi) {
			return pivot;
		} else {
			before = equal;
			lo = above;
		}
	}
}

static void swap(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* Put the value of rank k (from 0) of x[0, n) at x[k], nothing greater before it. */
static double select_rank(double *x, size_t n, size_t k)
{
	uint64_t state = n;
	size_t lo = 0, hi = n;

	for (;;) {
		double pivot = x[pick(lo, hi, &state)];
		size_t below = lo, above = hi, i = lo;

		while (i < above) {
			if (x[i] < pivot)
				swap(&x[i++], &x[below++]);
			else if (x[i] > pivot)
				swap(&x[i], &x[--above]);
			else
				i++;
		}
		if (k < below)
			hi = below;
		else if (k >= above)
			lo = above;
		else
			return pivot;
	}
}

double pd_median(double *x, size_t n)
{
	double upper, lower = -INFINITY;

	if (!n)
		return PD_UNKNOWN;
	upper = select_rank(x, n, n / 2);
	if (n % 2)
		return upper;
	for (size_t i = 0; i < n / 2; i++)
		lower = fmax(lower, x[i]);
	return 0.5 * (lower + upper);
}
