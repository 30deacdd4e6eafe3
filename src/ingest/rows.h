/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows on their way to the builder. A row names one of many functions, and to
 * find it costs several waits for memory, one after the other. So rows are
 * collected, and a few dozen are looked up together: their waits overlap.
 */
#ifndef PD_INGEST_ROWS_H
#define PD_INGEST_ROWS_H

#include "model/builder.h"

enum {
	PD_ROWS_MAX = 32,     /* rows that are collected, */
	PD_ROWS_BYTES = 2048, /* bytes of their names, */
	PD_ROWS_CELLS = 128,  /* and their numbers */
};

struct pd_rows {
	struct pd_builder *builder;
	uint32_t n, n_cells;
	size_t n_bytes;
	struct pd_span names[PD_ROWS_MAX]; /* in bytes */
	uint32_t cell_ends[PD_ROWS_MAX];   /* in cells */
	struct pd_builder_cell cells[PD_ROWS_CELLS];
	char bytes[PD_ROWS_BYTES];
};

void pd_rows_init(struct pd_rows *rows, struct pd_builder *b);
/* A row of a function without a module; name and cells are copied. */
void pd_rows_add(struct pd_rows *rows, struct pd_span name, const struct pd_builder_cell *cells,
		 uint32_t n_cells);
/* Tell the builder what was collected. */
void pd_rows_flush(struct pd_rows *rows);

#endif
