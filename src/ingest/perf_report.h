/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the readers of perf's tables share: perf_report_columns.c (headers),
 * perf_report_rows.c (rows), perf_report_head.c (what was recorded, and how),
 * perf_report_table.c (the rows of a table on their way to the builder).
 */
#ifndef PD_INGEST_PERF_REPORT_H
#define PD_INGEST_PERF_REPORT_H

#include "base/num.h"
#include "base/text.h"
#include "ingest/ingest.h"

enum {
	PR_MAX_COLUMNS = 40,
	PR_MAX_EVENTS = 32, /* of a group */
	PR_MAX_CELLS = 256,
	PR_MAX_LEVELS = 8, /* of a hierarchy */
};

enum pr_column {
	PR_TEXT,   /* nothing that is kept */
	PR_MODULE,
	PR_COMMAND,
	PR_SYMBOL,
	PR_OTHER_SYMBOL, /* where a branch goes, what data is at the address */
	PR_PERCENT,      /* from here on: numbers; of something that is not kept */
	PR_SELF,
	PR_CHILDREN,
	PR_SAMPLES,
	PR_PERIOD,
	PR_BASELINE, /* from here on: of perf diff */
	PR_DELTA,
	PR_BASE_PERIOD,
	PR_RATIO,
};

/* The columns of a table. */
struct pr_header {
	enum pr_column columns[PR_MAX_COLUMNS];
	uint32_t ends[PR_MAX_COLUMNS]; /* where their titles end in the line */
	uint32_t n_columns;
	char separator; /* of perf's -t; 0: blanks */
	bool has_symbol; /* else rows may have one that the header lacks */
	uint32_t symbol; /* its column, or n_columns */
	/* --hierarchy: the last column is all of these, one below the other. */
	enum pr_column levels[PR_MAX_LEVELS];
	uint32_t n_levels;
};

/* Whether a line is the header of a table of that kind, and which columns it has. */
bool pr_header_parse(struct pd_span line, struct pr_header *ret_header);
bool pr_header_is_diff(const struct pr_header *h);
bool pr_column_is_number(enum pr_column column);
bool pr_column_is_percent(enum pr_column column);

enum pr_cell_kind {
	PR_CELL_WORD,
	PR_CELL_COUNT,
	PR_CELL_PERCENT,
};

struct pr_cell {
	struct pd_span text;
	enum pr_cell_kind kind;
	bool is_signed;    /* "+1.20%" */
	uint8_t n_decimals; /* of a percent */
	uint32_t end;      /* where it ends in the line */
	double value;
};

/* A line as cells. */
struct pr_row {
	struct pr_cell cells[PR_MAX_CELLS];
	uint32_t n_cells;
	uint32_t symbol; /* which cell has the symbol, without its "[k]"; or n_cells */
};

/*
 * Cut a line into cells; header may be NULL. False if it is no row: a row has a
 * symbol, or begins with a percentage or, if the header does, another number.
 */
bool pr_row_parse(const struct pr_header *h, struct pd_span line, struct pr_row *ret_row);
/* Whether a line has a number at its beginning and a symbol: no graph has such lines. */
bool pr_row_is_sure(struct pd_span line);
/* Whether a line has a signed percentage before a symbol, as only perf diff has. */
bool pr_row_is_diff(struct pd_span line);
/* How many percentages the row begins with. */
uint32_t pr_row_n_percents(const struct pr_row *row);
/* The row's module, or empty. */
struct pd_span pr_row_module(const struct pr_header *h, const struct pr_row *row);
/* Whether the name of a symbol is none: an address, "[unknown]". */
bool pr_name_is_unknown(struct pd_span name);

/* What comments say of the next tables. Zero-initialise it; free with pr_head_done(). */
struct pr_head {
	struct pd_buf kernel, cpu, command; /* of the recording */
	double started_s, duration_ns, n_lost; /* or unknown */
	/* Of the table: */
	struct pd_buf names; /* of its events, each with a NUL behind it */
	uint32_t n_names;
	double n_samples; /* exact, or unknown */
	double n_bare;    /* "# Samples: 1121655736712" of old perf, periods in fact; or unknown */
	double total;     /* "Event count", or unknown */
};

enum pr_head_line {
	PR_HEAD_NO,     /* something else */
	PR_HEAD_IGNORE, /* nothing of interest */
	PR_HEAD_REPORT, /* a report begins, or goes on to begin */
	PR_HEAD_EVENT,  /* a table begins, or goes on to begin */
};

void pr_head_init(struct pr_head *h);
void pr_head_done(struct pr_head *h);
/* Forget what was said of a table. */
void pr_head_clear_table(struct pr_head *h);
/* Whether what a line says is not of the table above it. */
bool pr_head_begins(struct pd_span line);
/* Take what a line says. */
enum pr_head_line pr_head_read(struct pr_head *h, struct pd_span line);
/* The name of one of the events, or empty. */
struct pd_span pr_head_name(const struct pr_head *h, uint32_t event);
/* Names in a buffer, each with a NUL behind it. */
void pr_names_add(struct pd_buf *names, struct pd_span name);
bool pr_names_have(const struct pd_buf *names, struct pd_span name);
void pr_head_tell(const struct pr_head *h, struct pd_builder *b, uint32_t run);

/* Numbers of a row for one event; each may be unknown. */
struct pr_values {
	double self, children; /* percent */
	double samples, period;
};

/* The rows of a table. Zero-initialise it; free with pr_table_done(). */
struct pr_table {
	bool is_open, has_header;
	struct pr_header header;
	uint32_t n_events; /* 0: no row yet */
	uint32_t n_percents; /* each row begins with so many, where there is no header */
	uint8_t n_decimals; /* of the coarsest percentage */
	uint32_t *funcs;          /* [n_rows] */
	struct pr_values *values; /* [n_rows * n_events] */
	size_t n_rows, cap;
	bool failed; /* latched: no memory */
};

void pr_table_done(struct pr_table *t);
/* Without rows; header may be NULL. */
void pr_table_open(struct pr_table *t, const struct pr_header *h);
/* What keeps a row from being one of the table, for messages; NULL if nothing does. */
const char *pr_table_add(struct pr_table *t, struct pd_builder *b, const struct pr_row *row,
			 struct pd_span module);
/* Make events of a run of all rows. */
void pr_table_tell(struct pr_table *t, const struct pr_head *head, struct pd_builder *b,
		   uint32_t run);
/* The name of an event as pr_table_tell() gives it. */
void pr_table_event_name(const struct pr_table *t, const struct pr_head *head, uint32_t event,
			 struct pd_buf *out);

#endif
