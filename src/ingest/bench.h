/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results: what their shapes have in common. Internal to fmt_bench.c
 * and bench_*.c.
 */
#ifndef PD_INGEST_BENCH_H
#define PD_INGEST_BENCH_H

#include "base/arena.h"
#include "ingest/ingest.h"
#include "ingest/quantity.h"

/* A text as clean lines that stay. Zero-initialise; free with bench_text_done(). */
struct bench_text {
	struct pd_arena arena;
	struct pd_span *lines; /* [i] is line nos[i] */
	uint32_t *nos;
	uint32_t n, cap;
};

/* False if there is no memory. diags may be NULL. */
bool bench_text_init(struct bench_text *t, const struct pd_input *in, struct pd_diags *diags);
void bench_text_done(struct bench_text *t);

struct bench_reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct bench_text text;
	const char **sections; /* by run */
	uint32_t n_sections, cap_sections;
	uint32_t n_values;     /* that were added */
	uint32_t n_tables;     /* of the input, where its shape has such */
	struct pd_buf name;    /* of a metric or section, with single blanks */
	struct pd_error *err;
	int rc;                /* of a shape that cannot be read */
	bool failed;           /* out of memory */
};

/* The run of that section; made if it is new. */
uint32_t bench_run(struct bench_reader *r, struct pd_span section);
/* One repetition of a metric; q->better counts, then what its name tells. */
uint32_t bench_add(struct bench_reader *r, uint32_t run, struct pd_span group,
		   struct pd_span name, const struct pd_quantity *q);
/* What a metric's name tells: times are better low, throughputs high. */
enum pd_better bench_better_of(struct pd_span name);
/* A warning of what was expected in a line. */
void bench_complain(const struct bench_reader *r, uint32_t line, const char *expected);
/* The word of s at *i, which moves behind it; empty at its end. */
struct pd_span bench_next_word(struct pd_span s, size_t *i);
/* A line that may name what follows; without colon and decoration, else empty. */
struct pd_span bench_title(struct pd_span line);

enum { BENCH_MAX_COLUMNS = 64 };

/* What stands above a table. */
struct bench_head {
	struct pd_span names[BENCH_MAX_COLUMNS]; /* of columns; empty where it has none */
	struct pd_span title;
	bool has_names;
};

/*
 * The head of a table of n columns whose first row is that line. Names that
 * stand in several lines are joined, but for lines that are the same for all
 * columns. False if there is no memory.
 */
bool bench_find_head(struct bench_text *t, uint32_t row, size_t n, struct bench_head *ret_head);
/*
 * Split a line at gaps of two blanks and at tabs, or at all blanks: at most max
 * fields are stored. Returns how many there are.
 */
size_t bench_split(struct pd_span line, bool is_by_word, struct pd_span *ret_fields, size_t max);
/*
 * Which table of the input it is: nothing if there is only one, else its title,
 * or its number where that has a metric of that name already.
 */
struct pd_span bench_group(struct bench_reader *r, uint32_t table, struct pd_span title,
			   uint32_t run, struct pd_span name);

struct bench_cell {
	struct pd_quantity q; /* unknown: "-" */
	double sd;            /* behind "+-", or unknown */
	struct pd_span unit;  /* as printed, or empty */
	bool is_fine;         /* has a unit or decimals */
};

struct bench_row {
	struct pd_span name;
	struct bench_cell cells[BENCH_MAX_COLUMNS];
	size_t n;
};

/* A name and at most max cells, taken from the right. */
bool bench_row_parse(struct pd_span line, size_t max, struct bench_row *ret_row);
/* One of the words, whatever its case; NULL ends them. */
bool bench_is_one_of(struct pd_span s, const char *const *words);
/* "2.5.70-mm3", "v5.4": called like a kernel. */
bool bench_is_version(struct pd_span s);

/* A shape of results. */
struct bench_shape {
	/* Whether a text (the beginning of an input) has it. */
	enum pd_sniff (*sniff)(const struct bench_text *t);
	void (*read)(struct bench_reader *r);
};

extern const struct bench_shape bench_shape_go, bench_shape_hyperfine, bench_shape_mmtests,
	bench_shape_perf, bench_shape_table, bench_shape_time, bench_shape_values;

/* A row of mmtests, for readers that must not take one for theirs. */
bool bench_is_mmtests_row(struct pd_span line);

#endif
