/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the opreport reader share: fmt_opreport.c (symbol lists),
 * opreport_tree.c (summaries of images), opreport_events.c (what was counted).
 */
#ifndef PD_INGEST_OPREPORT_H
#define PD_INGEST_OPREPORT_H

#include "base/num.h"
#include "base/text.h"
#include "ingest/batch.h"
#include "ingest/ingest.h"
#include "io/lines.h"

enum { OP_MAX_COLUMNS = 48, OP_MAX_EVENTS = 16 };

enum op_column {
	OP_NONE,
	OP_VMA,
	OP_SAMPLES,
	OP_PERCENT,
	OP_FILE, /* from here on: text */
	OP_IMAGE,
	OP_APP,
	OP_SYMBOL,
};

/* The columns of a table. */
struct op_table {
	size_t indent; /* blanks before header and rows */
	enum op_column columns[OP_MAX_COLUMNS];
	size_t at[OP_MAX_COLUMNS]; /* where the header has them */
	uint32_t n_columns, n_events, n_texts;
};

struct op_row {
	double samples[OP_MAX_COLUMNS]; /* [n_events] */
	double percents[OP_MAX_COLUMNS]; /* [n_events] of all samples, listed or not */
	struct pd_span texts[OP_SYMBOL + 1]; /* by column */
};

/* Something counted, as "Counted ... events" says it. */
struct op_event {
	struct pd_buf name, mask;
	double period;
};

/* The state of reading one input. */
struct op_reader {
	const struct pd_input *in;
	struct pd_builder *builder;
	struct pd_lines lines;
	struct pd_buf heading; /* of the next table */
	struct op_event events[OP_MAX_EVENTS];
	uint32_t n_events;
	bool are_events_used; /* a table had them: the next "Counted" begins a new list */
	struct op_table table;
	bool is_open; /* rows belong to table and run */
	uint32_t run;
	uint32_t n_run_events; /* 0: no run is open */
	double percents[OP_MAX_COLUMNS]; /* [n_events] of the run's rows together */
	struct pd_batch batch;           /* of the run's rows */
};

void op_reader_done(struct op_reader *r);
void op_reader_set_heading(struct op_reader *r, struct pd_span heading);
/* A new run with the events of r->table; ends the one before. */
void op_reader_begin_run(struct op_reader *r);
/* A list of which the percentages miss some of the 100 is cut: say so. */
void op_reader_end_run(struct op_reader *r);

/* Whether the line tells what was counted, or on what; then it has been read. */
bool op_events_read(struct op_reader *r, struct pd_span line);

/* Read a row of that table; false if the line is none, and what was read is lost. */
bool op_row_parse(const struct op_table *t, struct pd_span line, struct op_row *ret_row);
/* Whether x can be a number of samples. */
static inline bool op_is_count(double x)
{
	return x >= 0 && x <= PD_COUNT_MAX;
}

/* "  samples|      %|  samples|      %|", the header of a summary. */
bool op_tree_is_header(struct pd_span line);
/* Read the summary below that header. */
void op_tree_read(struct op_reader *r, struct pd_span header);

#endif
