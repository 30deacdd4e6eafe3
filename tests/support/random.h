/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random numbers for tests and benches: the same on every machine and in every
 * release. SplitMix64 (Steele, Lea and Flood 2014): a 64-bit counter in steps
 * of the golden ratio, hashed. Fast, and good enough to draw samples with; each
 * simulation has a generator of its own, seeded by its number, so that adding
 * one changes no other.
 */
#ifndef PD_TESTS_RANDOM_H
#define PD_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct pd_random {
	uint64_t state; /* the seed */
};

/* 64 random bits. */
uint64_t pd_random_bits(struct pd_random *r);
/* In [0, 1), a multiple of 2^-53. */
double pd_random_uniform(struct pd_random *r);
/* In [0, n), n > 0; the bias is below n/2^64. */
size_t pd_random_below(struct pd_random *r, size_t n);
/* A random order of the n numbers. */
void pd_random_shuffle(struct pd_random *r, size_t *x, size_t n);
/* How many of n tries succeed with probability p: one draw each. */
uint64_t pd_random_binomial(struct pd_random *r, uint64_t n, double p);
/* A standard normal number, by the polar method of Marsaglia and Bray (1964). */
double pd_random_normal(struct pd_random *r);

#endif
