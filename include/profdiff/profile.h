/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A profile: what one run of one input said. Readers make profiles through
 * model/builder.h; everything else only reads them.
 *
 * A number that the input does not tell is a NaN (PD_UNKNOWN), never 0.
 * Promise: for every event whose total is known, the self weights of all
 * functions and leftovers add up to it.
 */
#ifndef PROFDIFF_PROFILE_H
#define PROFDIFF_PROFILE_H

#include "base/arena.h"
#include "base/strtab.h"
#include "model/unit.h"
#include "profdiff/error.h"
#include "profdiff/recording.h"

/* One thing counted. */
struct pd_event {
	pd_str name;
	enum pd_unit unit;
	double total;        /* of all functions and leftovers, or unknown */
	double n_samples;    /* or unknown */
	double n_lost;       /* samples the kernel dropped, of all events together; or unknown */
	double period;       /* events a sample, where it is fixed; or unknown */
	double frequency_hz; /* samples a second that were asked for; or unknown */
	double quantum;      /* what the input rounded to: 1 tick, 0.01 percent; 0: exact */
	bool is_cut;         /* the list of functions is not complete: a missing one is unknown */
};

enum pd_func_flags {
	PD_FUNC_LEFTOVER = 1, /* no function: "[unlisted]", "[unknown]", ... */
};

/* A function as the input names it, or a leftover. */
struct pd_func {
	pd_str name;
	pd_str module; /* none where the input tells none */
	pd_str file;   /* source file, or none */
	double n_calls; /* or unknown */
	unsigned flags; /* enum pd_func_flags */
};

/* The cost of one function for one event. */
struct pd_weight {
	double self;      /* in the event's unit; unknown: no number for this function */
	double inclusive; /* with all callees, recursion counted once; or unknown */
	double n_samples; /* or unknown */
	double sum_sq;    /* of the squares of its samples' costs (STATS 4.14); or unknown */
};

/* A command, over all its functions. */
struct pd_comm {
	pd_str name;
	double *self, *n_samples; /* [n_events] */
};

/* Which way is good. */
enum pd_better {
	PD_BETTER_UNKNOWN,
	PD_BETTER_LOWER,
	PD_BETTER_HIGHER,
};

/*
 * The result of a benchmark, or a counter of the whole run. Two metrics are the
 * same if group and name are.
 */
struct pd_metric {
	pd_str group; /* which table of the input, where it has several; or none */
	pd_str name;
	pd_str unit;  /* "ns", "bytes", "percent", "bytes/s", others as printed; none: a number */
	enum pd_better better;
	double *values;   /* one a repetition, in order; none: "<not counted>" */
	uint32_t n_values;
	/*
	 * Where the input gives the mean of several repetitions instead of them, it
	 * is the only value. Both are unknown otherwise.
	 */
	double sd;           /* standard deviation of the repetitions, or unknown */
	double n_summarized; /* how many they are, or unknown */
};

#define PD_NO_CALL UINT32_MAX

/* A node of a call tree: a function under its callers. Callers stand before callees. */
struct pd_frame {
	uint32_t parent; /* index; PD_NO_CALL: nothing calls it */
	pd_str name, module; /* "[unknown]": no function; module may be none */
};

/* What one run said. Owns all it points to. */
struct pd_profile {
	struct pd_strtab strings;
	struct pd_arena arena;
	const char *path;    /* the input */
	const char *format;  /* static name of its format */
	const char *rows;    /* static: "module", "line", ... if its functions are such; or NULL */
	const char *section; /* heading, column or side within the input; NULL if it has none */
	const char *kernel;  /* release, or NULL */
	const char *cpu;     /* or NULL */
	const char *command; /* or NULL */
	double started_s;    /* when it began: seconds since 1970, of any zone; or unknown */
	double duration_ns;  /* or unknown */
	bool holds_deltas;   /* values are differences, not counts */
	bool lists_samples;  /* single samples were read: what was not wanted is "[filtered]" */
	struct pd_event *events;
	struct pd_func *funcs;     /* functions in the order of the input, then leftovers */
	struct pd_weight *weights; /* [func * n_events + event] */
	struct pd_comm *comms;     /* none where the input does not tell commands apart */
	struct pd_metric *metrics; /* in the order of the input */
	struct pd_frame *calls; /* none unless requested, and the input has stacks */
	double *call_selves;       /* [call * n_events + event] of stacks that end there */
	struct pd_recording *recording; /* what is to be symbolized, or NULL */
	uint32_t n_events, n_funcs, n_comms, n_metrics, n_calls;
};

/* All runs of one input, in its order. Zero-initialise; free with pd_profiles_done(). */
struct pd_profiles {
	struct pd_profile **items;
	uint32_t n;
};

/* "lower", "higher", or NULL if it is not known. */
const char *pd_better_name(enum pd_better b);

/* NULL allowed. */
void pd_profile_free(struct pd_profile *p);
void pd_profiles_done(struct pd_profiles *ps);

static inline const struct pd_weight *pd_profile_weight(const struct pd_profile *p, uint32_t func,
							 uint32_t event)
{
	return &p->weights[(size_t)func * p->n_events + event];
}

#endif
