/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting the rows of a table of names and numbers: which columns it has, and
 * which word of a row is in which column. For tables that people wrote.
 *
 *	          2.5.70-mm4 2.5.70-mm3       columns have a place: that of their
 *	   total      478507     521921       header's word, or the nearest
 *	   foo bar                  713       cells may be missing
 *
 *	Vanilla                               columns are counted: a row has all
 *	-------                               of them, in order
 *	vm_acct_memory  870 952 884 898
 */
#ifndef PD_INGEST_CUTTER_H
#define PD_INGEST_CUTTER_H

#include <stdint.h>

#include "base/text.h"

enum pd_word_kind {
	PD_WORD_TEXT,
	PD_WORD_MISSING, /* "-", "n/a": a cell without a number */
	PD_WORD_COUNT,   /* "103744" */
	PD_WORD_DECIMAL, /* "732.8" */
	PD_WORD_PERCENT, /* "-4.7%" */
	PD_WORD_NUMBER,  /* another number, which cannot be a count: "-576", "1e30" */
};

/* A word of a line. Columns count from 0; a tab goes to the next multiple of 8. */
struct pd_word {
	struct pd_span text;
	uint32_t from, to; /* columns */
	enum pd_word_kind kind;
	bool is_far;  /* two blanks or a tab stand before it */
	double value; /* of a count or decimal */
};

/*
 * Split a line at blanks into at most max words. Returns how many there are:
 * more than max if some are left out.
 */
size_t pd_words_split(struct pd_span line, struct pd_word *ret_words, size_t max);

enum pd_cutter_kind {
	PD_CUTTER_SIDE,   /* numbers of one run */
	PD_CUTTER_DERIVED /* "delta", "%": nothing new */
};

struct pd_cutter_column {
	enum pd_cutter_kind kind;
	uint32_t from, to;     /* of its header */
	size_t name, name_len; /* in the cutter's names */
};

/* Zero-initialise; free with pd_cutter_done(). */
struct pd_cutter {
	struct pd_cutter_column *columns;
	uint32_t n_columns, cap;
	bool is_placed;      /* else columns are counted */
	int64_t max_gap;     /* columns between a number and its place; -1: they overlap */
	bool is_forgiving;   /* rows that miss their places, and have all cells, are counted */
	bool is_names_right; /* names stand behind the numbers */
	struct pd_buf names;
};

void pd_cutter_done(struct pd_cutter *cut);
/* The header's word, or empty. */
struct pd_span pd_cutter_name(const struct pd_cutter *cut, uint32_t column);
/* Cut rows into n counted columns. False if there is no memory. */
bool pd_cutter_count(struct pd_cutter *cut, uint32_t n, bool is_names_right);
/*
 * Cut rows as the words of a header tell. is_by_word takes each word for a
 * column, else words with one blank between them are one. False if there are no
 * two sides, or no memory.
 */
bool pd_cutter_head(struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		    bool is_by_word, bool is_names_right);

/* Whether a header has this word over the names: "function", "symbol". */
bool pd_cutter_is_name_word(struct pd_span word);

/* A row: cells[i] is the word in column i, or PD_NO_WORD. */
#define PD_NO_WORD SIZE_MAX
/*
 * Put the words of a row into columns; what is left is its name. False if there
 * is no name or no cell, or, where columns are counted, not all of them.
 */
bool pd_cutter_match(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		     size_t *ret_cells, struct pd_span *ret_name);

#endif
