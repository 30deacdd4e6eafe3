/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding tables in text: for the reader of plain tables, fmt_table.c.
 */
#ifndef PD_INGEST_FINDER_H
#define PD_INGEST_FINDER_H

#include "ingest/cutter.h"
#include "io/lines.h"

/* A column that is a run. */
struct pd_found_side {
	uint32_t run;
	uint32_t column;   /* of the cutter */
	double value;      /* of the row at hand, or unknown */
	double sum;        /* of the rows so far */
	double total;      /* as printed, or unknown */
	bool is_sum_above; /* the total is that of the rows so far */
};

/* A table. */
struct pd_found_table {
	struct pd_cutter cutter;
	struct pd_found_side *sides;
	uint32_t n_sides;
};

/* The last line that is no row: a header, a title, or prose. */
struct pd_line_above {
	struct pd_buf text;
	uint32_t n_blank; /* blank lines below it */
	bool is_ruled;    /* a rule stands below it */
};

/* What tells that a table begins, from the surest on. */
enum pd_evidence {
	PD_EVIDENCE_NONE,
	PD_EVIDENCE_BARE,   /* rows and nothing else */
	PD_EVIDENCE_TITLE,  /* a short line above */
	PD_EVIDENCE_RULED,  /* a title with a rule below */
	PD_EVIDENCE_HEADER, /* columns with headers above */
	PD_N_EVIDENCES,
};

enum { PD_PEEK_ROWS = 16 }; /* rows that tell what a table looks like */

/* Zero-initialise; free with pd_finder_done(). */
struct pd_finder {
	const struct pd_limits *limits;
	bool is_lenient; /* decimals are welcome */
	struct pd_word *words; /* of a line */
	size_t *cells;         /* by column: which word is in it */
	size_t max_words;
	struct pd_found_table next; /* the table that was found */
	/* Its first rows. */
	struct pd_buf text;
	size_t ends[PD_PEEK_ROWS]; /* offsets in text */
	uint32_t n_cells_of[PD_PEEK_ROWS];
	uint32_t n_rows;
	uint32_t n_lines; /* until something else than a row */
	bool is_names_right;
	uint32_t n_cells; /* numbers of most rows */
};

/* False if there is no memory. */
bool pd_finder_init(struct pd_finder *f, const struct pd_limits *limits);
void pd_finder_done(struct pd_finder *f);
/* Room for the sides of a table; false if there is no memory. */
bool pd_found_init(struct pd_found_table *t, const struct pd_finder *f);
void pd_found_done(struct pd_found_table *t);

/* Split a line into f->words; 0 if it has more than a row can have. */
size_t pd_finder_split(struct pd_finder *f, struct pd_span line);
/* A row that was peeked. */
struct pd_span pd_finder_row(const struct pd_finder *f, uint32_t row);
/*
 * Set the values of the sides to what f->cells of f->words say. PD_WORD_COUNT
 * if all of them are counts or missing, else the worst there is.
 */
enum pd_word_kind pd_found_parse(struct pd_found_table *t, const struct pd_finder *f);
/* Whether a line is a name with numbers on one side of it. */
bool pd_finder_is_row(struct pd_finder *f, struct pd_span line);
/*
 * Whether a table of symbols and counts begins with this line, the one that
 * lines returned last, and what tells so: f->next is that table then.
 */
enum pd_evidence pd_finder_look(struct pd_finder *f, const struct pd_lines *lines,
				struct pd_span line, const struct pd_line_above *above);

#endif
