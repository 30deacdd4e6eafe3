/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities as benchmarks print them: "830.3 seconds", "9709248 bytes",
 * "1,254,992,790", "14.3 GB/sec", and what their units mean.
 */
#ifndef PD_INGEST_QUANTITY_H
#define PD_INGEST_QUANTITY_H

#include "base/text.h"
#include "profdiff/profile.h"

/* What a unit's word means. */
struct pd_unit_word {
	double factor;        /* from the word's unit to the one below */
	struct pd_span unit;  /* "ns", "bytes", "percent", "bytes/s", or the word as it is */
	enum pd_better better;
	bool is_known;        /* else the word is just kept */
};

/*
 * Times become ns, sizes bytes (a KB is 1024 of them, as everywhere in the
 * kernel), "x/sec" "x/s"; of "usecs/op" the unit is that of usecs. The result's
 * unit may point into word.
 */
struct pd_unit_word pd_unit_word(struct pd_span word);
/* x in the unit of the word, where binary fractions alone keep it from being whole. */
double pd_unit_scale(const struct pd_unit_word *word, double x);

/*
 * The decimal number at the start of s, with a sign and with commas between
 * groups of three digits: its length, or 0.
 */
size_t pd_quantity_scan(struct pd_span s, double *ret_x);

struct pd_quantity {
	double value; /* in the unit */
	struct pd_span unit; /* empty: a plain number */
	enum pd_better better;
};

/* All of s is a number, and a unit's word behind it or nothing. */
bool pd_quantity_parse(struct pd_span s, struct pd_quantity *ret_quantity);

#endif
