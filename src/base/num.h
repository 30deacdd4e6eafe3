/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers to and from text, the same under every locale.
 *
 * A number that is not known is a NaN everywhere inside profdiff, and is
 * printed as null, "-" or nothing; PD_UNKNOWN writes it.
 */
#ifndef PD_BASE_NUM_H
#define PD_BASE_NUM_H

#include <math.h>
#include <stdbool.h>

#include "profdiff/error.h"

#define PD_UNKNOWN ((double)NAN)

static inline bool pd_is_known(double x)
{
	return !isnan(x);
}

/*
 * A sum that does not depend on the order of what is added: twice the bits of a
 * double (T. J. Dekker, "A floating-point technique", 1971) hold every sum of
 * numbers of like size exactly. Zero-initialise it.
 */
struct pd_sum {
	double high, low;
};

static inline void pd_sum_add(struct pd_sum *s, double x)
{
	double sum = s->high + x, part = sum - s->high;
	double rest = (s->high - (sum - part)) + (x - part) + s->low;

	s->high = sum + rest;
	s->low = rest - (s->high - sum);
}

/* Counts above this are not exact in a double. */
#define PD_COUNT_MAX 9007199254740992.0 /* 2^53 */

/*
 * The decimal number at the start of s ("12", "-3.5", "20.", "1e6"; no blanks,
 * no hex, no inf): its length in bytes, or 0 if there is none or it is beyond
 * a double. Correctly rounded.
 */
size_t pd_num_scan(struct pd_span s, double *ret_x);
/* All of s is one decimal number. */
bool pd_num_parse(struct pd_span s, double *ret_x);
/* All of s is a count: a decimal number, without a sign, at most PD_COUNT_MAX. */
bool pd_num_parse_count(struct pd_span s, double *ret_x);
/* All of s is decimal digits, and the value is at most 2^64 - 1. */
bool pd_num_parse_u64(struct pd_span s, uint64_t *ret_x);
/* All of s is hexadecimal digits, "0x" before them allowed, at most 2^64 - 1. */
bool pd_num_parse_hex(struct pd_span s, uint64_t *ret_x);

enum { PD_NUM_LEN = 400 }; /* bytes that hold any number as printed here, with its NUL */

/* The shortest text that reads back as x ("1304", "0.1", "1e+300"); x is finite. Returns buf. */
char *pd_num_shortest(double x, char buf[PD_NUM_LEN]);
/* x with so many decimals (0 to 20), "-0" as "0"; x is finite. Returns buf. */
char *pd_num_fixed(double x, int decimals, char buf[PD_NUM_LEN]);

#endif
