/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison: sides of one or more runs, joined function by function.
 *
 * Promises: for every event and side, rows that are no members plus leftovers
 * add up to the total (unless costs are inclusive), where a row without a mean on
 * that side counts as nothing (a cut list hides it; what is listed of it is in
 * "[unlisted]"). The
 * sign of a difference is always next - base. The result is the same whatever
 * the order of functions in the inputs.
 */
#ifndef PROFDIFF_COMPARE_H
#define PROFDIFF_COMPARE_H

#include "profdiff/profile.h"
#include "stats/runs.h"
#include "stats/scale.h"
#include "stats/stats.h"
#include "stats/verdict.h"

/* How a row's function was found on both sides. */
enum pd_pairing {
	PD_PAIRED_EXACT,
	PD_PAIRED_SUFFIX, /* a family whose variants differ between the sides */
	PD_PAIRED_MAP,    /* by the user's map */
	PD_PAIRED_GROUP,  /* a group of the user's */
	PD_PAIRED_INLINE, /* a function and callers in which it is inlined on one side only */
	PD_PAIRED_CODE,   /* the same code under another name */
	PD_BASE_ONLY,
	PD_NEXT_ONLY,
};
/* As in the JSON. */
const char *pd_pairing_name(enum pd_pairing p);

/* What variants of one function (foo, foo.cold, foo.isra.0) are. */
enum pd_suffix_mode {
	PD_SUFFIX_GROUP, /* one row with children */
	PD_SUFFIX_EXACT, /* functions of their own */
	PD_SUFFIX_STRIP, /* the same function */
};

/* A sum of functions that the user asks for. */
struct pd_group {
	const char *name;
	const char *const *members; /* function names, or base names of families */
	uint32_t n_members;
};

/* One name for another, on whichever side it is. */
struct pd_rename {
	const char *from, *to;
};

struct pd_sizes;

/* Zero-initialised: the usual comparison. */
struct pd_compare_options {
	enum pd_suffix_mode suffix;
	const struct pd_group *groups;
	const struct pd_rename *renames;
	const struct pd_rename *code_pairs; /* [n_code_pairs] the same code; see analysis/code.h */
	const char *const *rewrites;  /* "s/REGEX/TEXT/", applied after the renames */
	const char *filter, *exclude; /* POSIX extended expressions, NULL for none */
	const char *const *symbols;   /* [n_symbols] the only functions; none: all */
	const char *const *modules;   /* [n_modules] the only ones of functions; none: all */
	uint32_t n_groups, n_renames, n_code_pairs, n_rewrites, n_symbols, n_modules;
	bool is_inclusive;            /* costs with all callees: rows do not add up to totals */
	enum pd_normalize normalize;
	double alpha;                    /* false discovery rate; 0: 0.05 */
	double equiv_ratio;              /* margin of "same"; 0: 0.05 */
	const double *work;              /* [all runs]: units of work a run did; NULL: 1 each */
	const char *per;                 /* what they are, where costs are per unit; else NULL */
	const struct pd_noise_history *noise; /* replicates of earlier; NULL: none */
	/* [sides]: the images of the base and of that side, or NULL; see analysis/inlining.h */
	const struct pd_sizes *const *image_pairs;
	const char *no_inlining; /* why there are none, a sentence; or NULL */
};

/* One side as it goes in. The profiles must outlive the call only. */
struct pd_side_input {
	const char *label;
	struct pd_profile *const *runs;
	uint32_t n_runs;
	struct pd_profile *const *bench; /* further ones, of which only the metrics count */
	uint32_t n_bench;
};

/* What a run is, as far as it bears on whether runs can be compared. */
struct pd_run_info {
	const char *path;   /* a file's column or section is behind a "#" */
	const char *format; /* static */
	const char *kernel; /* or NULL */
	double started_s;   /* seconds since 1970, of any zone, or unknown */
	double duration_ns; /* or unknown */
	uint32_t n_cpus;    /* online; 0: not told */
	double n_throttled; /* how often sampling was slowed down; or unknown */
	bool is_truncated;  /* the recorder did not finish the file */
};

/* One column group. */
struct pd_side {
	const char *label;
	struct pd_run_info *runs; /* [n_runs] */
	uint32_t n_runs;
	uint32_t first_run; /* its runs are [first_run, first_run + n_runs) of all */
};

/* A number of one side. */
struct pd_estimate {
	double value; /* mean over the runs; unknown where a cut list hides it */
	double sd;    /* sample (n - 1) deviation; unknown below two runs */
};

/*
 * A side against the base. What the statistics do not tell is unknown: all of
 * it for members of a sum, intervals and q with one run a side.
 */
struct pd_change {
	double delta; /* next - base, in the event's unit; or unknown */
	double ratio; /* next / base; unknown where the base is 0 */
	double delta_lo, delta_hi, ratio_lo, ratio_hi; /* intervals; ratio_hi may be infinite */
	double level;    /* of these intervals */
	double z, p, q;  /* signed root of the deviance; its p; the false discovery rate */
	double bound;    /* the largest change that the interval leaves open, as a ratio - 1 */
	double sampling; /* one run a side: two errors of sampling alone, event's unit */
	enum pd_verdict verdict;
};

#define PD_NO_ROW UINT32_MAX

/* One function, family or group. */
struct pd_row {
	pd_str name, module, file;
	uint32_t event;
	enum pd_pairing paired;
	bool is_idle;            /* the processor had nothing to do */
	bool is_filtered;        /* the user took it out: it is in no result */
	uint32_t group;          /* the row it is a member of, or PD_NO_ROW */
	uint32_t *members;       /* rows of which this one is the sum */
	uint32_t n_members;
	double *runs;            /* [all runs], as read; 0 where a complete list lacks it */
	double *calls;           /* [all runs]: how often it was called, or unknown; or NULL */
	bool *is_listed;         /* [sides]: some run lists it */
	struct pd_estimate *sides; /* [sides] */
	struct pd_change *changes; /* [sides], that of the base is not used */
	double *n_bytes; /* [sides] in the sides' images, or unknown; NULL: there are no images */
	bool is_same_code; /* flagged, although its code is the same in both images */
	const char **notes;      /* sentences that stand beside the numbers */
	uint32_t n_notes;
};

/* Cost of no function. */
struct pd_leftover {
	pd_str name, module;
	uint32_t event;
	double *runs; /* [all runs] */
	struct pd_estimate *sides;
	struct pd_change *changes;
};

/* One event over all runs. */
struct pd_compared_event {
	pd_str name;
	enum pd_unit unit;
	double *totals;            /* [all runs] */
	struct pd_estimate *sides; /* of the totals */
	struct pd_change *changes;
	double *busy;                   /* [all runs]: the totals without idle functions */
	struct pd_estimate *busy_sides; /* the same for these */
	struct pd_change *busy_changes;
	bool has_idle; /* there is an idle function */
	double *scale; /* [all runs]: size factors, by which costs are divided */
	double tick;   /* event's units that make one tick */
	bool is_counted;          /* samples: the test of counts applies */
	bool is_weighted;         /* samples of unequal or large cost: a tick is not 1 */
	bool has_fallen_back;     /* the normalization was impossible, none was used */
	struct pd_shift *shifts;  /* [sides]: how the typical function moved; not of the base */
	struct pd_run_check *checks; /* [all runs] */
	double *n_lost;            /* [all runs], or unknown */
	const char **own_names;    /* [all runs]: what the run calls the event */
	double *frequency_hz;      /* [all runs]: samples a second, or unknown */
};

/* Results of one benchmark on one side. */
struct pd_metric_side {
	double *values; /* [n_values] repetitions over all runs */
	uint32_t n_values;
	double mean, sd, n; /* n: repetitions behind the mean; sd unknown below two */
};

/* A side against the base. */
struct pd_metric_change {
	double delta;
	double ratio, ratio_lo, ratio_hi; /* of geometric means, next / base */
	double p, p_rank, q, bound;
	enum pd_verdict verdict;
};

/* One benchmark. */
struct pd_metric_row {
	pd_str group, name, unit;
	enum pd_better better;
	struct pd_metric_side *sides;     /* [sides] */
	struct pd_metric_change *changes; /* [sides], that of the base is not used */
};

/* The geometric mean of the ratios of benchmarks that both sides have. */
struct pd_geomean {
	uint32_t n; /* how many they are; fewer than two are no mean */
	double ratio, ratio_lo, ratio_hi, p;
};

/* What of the ticks found its counterpart. */
struct pd_receipt {
	double base_paired_ratio, next_paired_ratio; /* 0 to 1; unknown where there are no ticks */
	uint32_t n_unpaired;                         /* rows on one side only */
};

/* The answer. Owns all it points to; the profiles may be freed. */
struct pd_comparison {
	struct pd_arena arena;
	struct pd_strtab strings;
	struct pd_side *sides;
	struct pd_compared_event *events;
	struct pd_row *rows; /* flagged ones, then largest |delta| first; members behind sums */
	/*
	 * Sums that stand beside the rows (PD_PAIRED_INLINE), in their order: members are
	 * rows of their own, may be in several, and do not know it; no total has them.
	 */
	struct pd_row *beside;
	struct pd_leftover *leftovers;
	const char **notes; /* [n_notes] sentences on the whole */
	struct pd_receipt receipt;
	enum pd_normalize normalize;
	const char *per; /* what costs are per unit of, or NULL */
	const char *rows_are; /* static: what rows are, where no functions; or NULL */
	double alpha, equiv_ratio;
	enum pd_stats_mode mode; /* the richest of all events */
	uint32_t n_tested, n_flagged;
	bool has_sizes; /* rows have bytes */
	bool has_calls; /* some rows have calls */
	bool is_inclusive; /* rows are costs with all callees, and do not add up to totals */
	struct pd_metric_row *metrics; /* in the order of the inputs */
	struct pd_geomean *geomeans;   /* [sides], that of the base is not used */
	uint32_t n_sides, n_runs, n_events, n_rows, n_leftovers, n_metrics;
	uint32_t n_beside, n_notes;
};

/* How often a row was called on a side: the mean over its runs, or unknown. */
double pd_row_calls(const struct pd_comparison *c, const struct pd_row *row, uint32_t side);
/* Whether a row improved or regressed on a side, as far as the statistics can tell. */
bool pd_row_is_flagged(const struct pd_comparison *c, const struct pd_row *row);

/*
 * Compare n_sides >= 2 sides of at least one run each, the first being the
 * base. Errors: MISMATCH (nothing in common, unequal units, differences
 * instead of counts), USAGE (a bad expression, a group without a function),
 * NOMEM. Events that are not in every run are left out, with a diagnostic.
 */
int pd_compare(const struct pd_side_input *sides, uint32_t n_sides,
	       const struct pd_compare_options *options, struct pd_diags *diags,
	       struct pd_comparison **ret_comparison, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_comparison_free(struct pd_comparison *c);

#endif
