/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collected rows. Contract: batch.h.
 */
#include "ingest/batch.h"

#include "base/text.h"

void pd_batch_init(struct pd_batch *batch, struct pd_builder *b)
{
	batch->builder = b;
	batch->n_rows = batch->n_cells = 0;
	batch->n_bytes = 0;
}

static struct pd_span keep(struct pd_batch *batch, struct pd_span s)
{
	char *copy = batch->bytes + batch->n_bytes;

	memcpy(copy, s.ptr, s.len);
	batch->n_bytes += s.len;
	return (struct pd_span){copy, s.len};
}

/* Lists are long runs of few modules, so that most are kept already. */
static struct pd_span keep_module(struct pd_batch *batch, struct pd_span s)
{
	struct pd_span last = batch->n_rows ? batch->modules[batch->n_rows - 1] :
		(struct pd_span){"", 0};

	return last.len == s.len && !memcmp(last.ptr, s.ptr, s.len) ? last : keep(batch, s);
}

void pd_batch_add(struct pd_batch *batch, struct pd_span name, struct pd_span module,
		  const struct pd_builder_cell *cells, uint32_t n_cells)
{
	size_t n_bytes = name.len + module.len;

	if (batch->n_rows == PD_BATCH_ROWS || n_bytes > PD_BATCH_BYTES - batch->n_bytes ||
	    n_cells > PD_BATCH_CELLS - batch->n_cells)
		pd_batch_flush(batch);
	if (n_bytes > PD_BATCH_BYTES || n_cells > PD_BATCH_CELLS) { /* too large to be kept */
		pd_builder_add_cells(batch->builder,
				     pd_builder_func(batch->builder, name, module), cells,
				     n_cells);
		return;
	}
	batch->names[batch->n_rows] = keep(batch, name);
	batch->modules[batch->n_rows] = keep_module(batch, module);
	for (uint32_t i = 0; i < n_cells; i++)
		batch->cells[batch->n_cells++] = cells[i];
	batch->cell_ends[batch->n_rows++] = batch->n_cells;
}

void pd_batch_flush(struct pd_batch *batch)
{
	struct pd_builder *b = batch->builder;
	uint32_t funcs[PD_BATCH_ROWS], from = 0;

	pd_builder_funcs(b, batch->names, batch->modules, batch->n_rows, funcs);
	for (uint32_t i = 0; i < batch->n_rows; from = batch->cell_ends[i++])
		pd_builder_expect_cells(b, funcs[i], batch->cells + from,
					batch->cell_ends[i] - from);
	from = 0;
	for (uint32_t i = 0; i < batch->n_rows; from = batch->cell_ends[i++])
		pd_builder_add_cells(b, funcs[i], batch->cells + from, batch->cell_ends[i] - from);
	pd_batch_init(batch, b);
}
