/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf stat: what its text, its separated values and its JSON have in common.
 * Internal to fmt_perf_stat.c and perf_stat_*.c.
 */
#ifndef PD_INGEST_PERF_STAT_H
#define PD_INGEST_PERF_STAT_H

#include "ingest/ingest.h"
#include "io/lines.h"

/* A counter as one line gives it. */
struct ps_counter {
	struct pd_span prefix; /* "S0", "CPU3": what it was counted on; or empty */
	struct pd_span name;
	struct pd_span unit;   /* as printed, or empty */
	double value;          /* unknown: not counted */
	double error_percent;  /* standard error of the mean; or unknown */
	double time_s;         /* of an interval's end, or unknown */
};

struct ps_reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct pd_buf heading; /* the line above that names what follows */
	struct pd_buf name;    /* of a metric */
	struct pd_buf columns; /* names of columns, each with a NUL behind it */
	bool is_open;          /* a block is being read */
	uint32_t run;          /* of the block */
	double n_runs;         /* perf stat -r; or unknown */
	double time_s;         /* of the last interval, or unknown */
	double started_s;      /* when the block to come began, or unknown */
	uint32_t n_columns;
	uint32_t n_counters;   /* in all */
};

/* A new run. */
void ps_begin(struct ps_reader *r, struct pd_span section);
/* Add a counter to the run. */
void ps_add(struct ps_reader *r, const struct ps_counter *c);
/* All intervals of the run are read. */
void ps_end(struct ps_reader *r);

/* "<not counted>", "<not supported>" or a number: its length, or 0. */
size_t ps_scan_value(struct pd_span s, double *ret_value);
/* The name of an event as perf writes it: one word. */
bool ps_is_event(struct pd_span s);
/* An event that every perf knows, a tracepoint, or one of a PMU. */
bool ps_is_known_event(struct pd_span s);
/* What perf counts in: "msec", "Joules", ... */
bool ps_is_unit(struct pd_span s);
/* What counters are added up for: "S0", "S0-D0-C1", "CPU3", "N0", "vim-123". */
bool ps_is_prefix(struct pd_span s);

/* A line of perf stat -x; the separator is found, or '\0'. */
char ps_csv_separator(struct pd_span line);
bool ps_csv_parse(struct pd_span line, char separator, struct ps_counter *ret_counter);
/* A line of perf stat -j. r->name is the prefix's buffer. */
bool ps_json_parse(struct pd_span line, struct pd_buf *prefix, struct ps_counter *ret_counter);

/* One line of the text. */
void ps_text_read(struct ps_reader *r, struct pd_span line);
/* Rows of counters in the text, and other lines that begin with a number. */
void ps_text_census(struct pd_span line, bool *is_open, size_t *n_rows, size_t *n_other);

#endif
