/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows on their way to the builder. A row names one of many functions, and to
 * find it costs several waits for memory, one after the other. So rows are
 * collected, and a few dozen are looked up together: their waits overlap.
 */
#ifndef PD_INGEST_BATCH_H
#define PD_INGEST_BATCH_H

#include "model/builder.h"

enum {
	PD_BATCH_ROWS = 32,    /* rows that are collected, */
	PD_BATCH_BYTES = 4096, /* bytes of their names and modules, */
	PD_BATCH_CELLS = 128,  /* and their numbers */
};

struct pd_batch {
	struct pd_builder *builder;
	uint32_t n_rows, n_cells;
	size_t n_bytes;
	struct pd_span names[PD_BATCH_ROWS]; /* in bytes */
	struct pd_span modules[PD_BATCH_ROWS];
	uint32_t cell_ends[PD_BATCH_ROWS]; /* in cells */
	struct pd_builder_cell cells[PD_BATCH_CELLS];
	char bytes[PD_BATCH_BYTES];
};

void pd_batch_init(struct pd_batch *batch, struct pd_builder *b);
/* A row of that function; module may be empty. All is copied. */
void pd_batch_add(struct pd_batch *batch, struct pd_span name, struct pd_span module,
		  const struct pd_builder_cell *cells, uint32_t n_cells);
/* Tell the builder what was collected. */
void pd_batch_flush(struct pd_batch *batch);

#endif
