/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SplitMix64 and what is drawn with it.
 */
#include "support/random.h"

#include <math.h>

uint64_t pd_random_bits(struct pd_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

double pd_random_uniform(struct pd_random *r)
{
	return (double)(pd_random_bits(r) >> 11) * 0x1p-53;
}

size_t pd_random_below(struct pd_random *r, size_t n)
{
	return (size_t)(pd_random_bits(r) % n);
}

void pd_random_shuffle(struct pd_random *r, size_t *x, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = pd_random_below(r, i), t = x[i - 1];

		x[i - 1] = x[j];
		x[j] = t;
	}
}

uint64_t pd_random_binomial(struct pd_random *r, uint64_t n, double p)
{
	uint64_t n_hits = 0;

	for (uint64_t i = 0; i < n; i++)
		n_hits += pd_random_uniform(r) < p;
	return n_hits;
}

double pd_random_normal(struct pd_random *r)
{
	for (;;) {
		double x = 2 * pd_random_uniform(r) - 1, y = 2 * pd_random_uniform(r) - 1;
		double s = x * x + y * y;

		if (s > 0 && s < 1)
			return x * sqrt(-2 * log(s) / s);
	}
}
