/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collected rows. Contract: rows.h.
 */
#include "ingest/rows.h"

#include "base/text.h"

static const struct pd_span no_module = {"", 0};

void pd_rows_init(struct pd_rows *rows, struct pd_builder *b)
{
	rows->builder = b;
	rows->n = rows->n_cells = 0;
	rows->n_bytes = 0;
}

void pd_rows_add(struct pd_rows *rows, struct pd_span name, const struct pd_builder_cell *cells,
		 uint32_t n_cells)
{
	char *copy;

	if (rows->n == PD_ROWS_MAX || name.len > PD_ROWS_BYTES - rows->n_bytes ||
	    n_cells > PD_ROWS_CELLS - rows->n_cells)
		pd_rows_flush(rows);
	if (name.len > PD_ROWS_BYTES || n_cells > PD_ROWS_CELLS) { /* too large to be kept */
		pd_builder_add_cells(rows->builder,
				     pd_builder_func(rows->builder, name, no_module), cells,
				     n_cells);
		return;
	}
	copy = memcpy(rows->bytes + rows->n_bytes, name.ptr, name.len);
	for (uint32_t i = 0; i < n_cells; i++)
		rows->cells[rows->n_cells++] = cells[i];
	rows->n_bytes += name.len;
	rows->names[rows->n] = (struct pd_span){copy, name.len};
	rows->cell_ends[rows->n++] = rows->n_cells;
}

void pd_rows_flush(struct pd_rows *rows)
{
	struct pd_builder *b = rows->builder;
	uint32_t funcs[PD_ROWS_MAX], from = 0;

	pd_builder_funcs(b, rows->names, rows->n, funcs);
	for (uint32_t i = 0; i < rows->n; from = rows->cell_ends[i++])
		pd_builder_expect_cells(b, funcs[i], rows->cells + from, rows->cell_ends[i] - from);
	from = 0;
	for (uint32_t i = 0; i < rows->n; from = rows->cell_ends[i++])
		pd_builder_add_cells(b, funcs[i], rows->cells + from, rows->cell_ends[i] - from);
	pd_rows_init(rows, b);
}
