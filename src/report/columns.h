/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * THE COLUMN TABLE of comparisons: what a column is called, how it is written,
 * and where its number comes from.
 */
#ifndef PD_REPORT_COLUMNS_H
#define PD_REPORT_COLUMNS_H

#include "profdiff/compare.h"
#include "profdiff/table.h"
#include "report/modules.h"

/* What a column is there once for. */
enum pd_column_scope {
	PD_SCOPE_ROW,  /* a row */
	PD_SCOPE_SIDE, /* every side */
	PD_SCOPE_NEXT, /* every side but the base */
};

/* As many decimals as the event's numbers need. */
#define PD_DECIMALS_OF_EVENT (-1)

enum pd_column_flags {
	PD_COLUMN_IN_TOTAL = 1,   /* a total has such a number too */
	PD_COLUMN_FOR_PEOPLE = 2, /* programs get the same from other columns */
};

struct pd_column_kind {
	const char *id; /* for --columns and --sort; unique */
	const char *title; /* NULL: the side's label */
	const char *help;
	enum pd_column_scope scope;
	enum pd_style style;
	int decimals;
	unsigned flags; /* enum pd_column_flags */
	/* side is 0 for PD_SCOPE_ROW. The cell is empty before; texts are the document's. */
	void (*get)(struct pd_document *d, const struct pd_comparison *c, const struct pd_row *row,
		    uint32_t side, struct pd_cell *ret_cell);
};

/* Ends with a row of which id is NULL. */
extern const struct pd_column_kind pd_column_kinds[];
/* NULL if there is no such column. */
const struct pd_column_kind *pd_column_kind_find(struct pd_span id);

/* One column of a table: a kind, for one side. */
struct pd_slot {
	const struct pd_column_kind *kind;
	uint32_t side;
};

/* Columns in order; the memory is the document's. */
struct pd_slots {
	struct pd_slot *items;
	uint32_t n;
	const struct pd_short_modules *modules; /* for people; NULL: modules in full */
};

/* Whether ids, as in "base,delta", are columns. Errors: USAGE, of the first that is none. */
int pd_slots_check(const char *ids, struct pd_error *err) PD_MUST_USE;

/*
 * The columns of the table of functions: those that ids names ("value,delta"),
 * else the usual ones of this comparison. Errors: USAGE (no such column), NOMEM.
 */
int pd_slots_choose(struct pd_document *d, const struct pd_comparison *c, const char *ids,
		    struct pd_slots *ret_slots, struct pd_error *err) PD_MUST_USE;
/* Those of them that a total has too. */
int pd_slots_of_sides(struct pd_document *d, const struct pd_slots *slots,
		      struct pd_slots *ret_slots, struct pd_error *err) PD_MUST_USE;
/* Every column there is, for programs. */
int pd_slots_all(struct pd_document *d, const struct pd_comparison *c, struct pd_slots *ret_slots,
		 struct pd_error *err) PD_MUST_USE;
/* Add the columns to a table of an event; a label is cut short where the others are. */
void pd_slots_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		  const struct pd_slots *slots, bool has_full_labels, struct pd_table *t);
/* Fill the cells of a row, beginning with the one of the first slot. */
void pd_slots_fill(struct pd_document *d, const struct pd_comparison *c,
		   const struct pd_slots *slots, const struct pd_row *row, struct pd_cell *cells);

#endif
