/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdict words: what is said of a row after its test. STATS.md 4.8, 4.10.
 *
 * The invariant: no word ever claims that something did not change. "same"
 * says that the interval excludes a change beyond the margin; "unclear" is
 * shown with the bound that was reached.
 */
#ifndef PD_STATS_VERDICT_H
#define PD_STATS_VERDICT_H

#include <stdbool.h>

enum pd_verdict {
	PD_VERDICT_NONE,            /* not tested, or one run a side and nothing to see */
	PD_VERDICT_FEW,             /* fewer ticks than a test needs */
	PD_VERDICT_UNCLEAR,         /* not flagged: the bound says what is excluded */
	PD_VERDICT_SAME,            /* not flagged, and within the margin */
	PD_VERDICT_IMPROVED,        /* flagged, next is better */
	PD_VERDICT_REGRESSED,       /* flagged, next is worse */
	PD_VERDICT_IMPROVED_MAYBE,  /* the same where a side has one run: "improved?" */
	PD_VERDICT_REGRESSED_MAYBE, /* "regressed?" */
	PD_VERDICT_STANDOUT,        /* one run a side: apart from the other rows */
	PD_N_VERDICTS,
};

/* The word as SCHEMA.md has it ("improved?"), NULL for PD_VERDICT_NONE. */
const char *pd_verdict_word(enum pd_verdict v);

/* Whether it says that something changed. */
static inline bool pd_verdict_is_finding(enum pd_verdict v)
{
	return v >= PD_VERDICT_IMPROVED && v <= PD_VERDICT_REGRESSED_MAYBE;
}

/* The same, or that it stands out where nothing can be said for certain. */
static inline bool pd_verdict_is_news(enum pd_verdict v)
{
	return v >= PD_VERDICT_IMPROVED && v <= PD_VERDICT_STANDOUT;
}

/* What a verdict is made of. */
struct pd_evidence {
	bool is_flagged;    /* q <= alpha */
	bool has_one_run;   /* on either side */
	bool is_better;     /* next against base; read only where flagged */
	double lo, hi;      /* interval of next/base, 0 and infinity allowed */
	double equiv_ratio; /* margin of "same": .05 is [1/1.05, 1.05] */
};

/* The verdict of a tested row. */
enum pd_verdict pd_verdict_of(const struct pd_evidence *e);
/* The mark of a row with one run a side whose ranking p is this. */
enum pd_verdict pd_verdict_of_single(double p);
/*
 * The largest relative change in either direction that an interval of
 * next/base leaves open: max(hi, 1/lo) - 1. Infinite where lo is 0 or hi is,
 * NaN for NaN.
 */
double pd_verdict_bound(double lo, double hi);

#endif
