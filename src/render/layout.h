/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the formats for people share: cells as text, column widths, wrapping.
 */
#ifndef PD_RENDER_LAYOUT_H
#define PD_RENDER_LAYOUT_H

#include "base/text.h"
#include "profdiff/table.h"

/*
 * Append a text that is safe to show: what pd_utf8_is_unsafe() names, and bytes
 * that are no UTF-8, become \x1b or \u202e.
 */
void pd_layout_add_safe(struct pd_buf *b, struct pd_span s);
/* Append a cell as people see it: rounded, with sign and unit mark; "" if it is empty. */
void pd_layout_add_cell(struct pd_buf *b, const struct pd_column *column,
			const struct pd_cell *cell);
/*
 * The columns that each column of a table needs, its title included.
 * ret_widths has t->n_columns elements.
 */
void pd_layout_widths(const struct pd_table *t, uint32_t *ret_widths);
/* Whether a column holds text and is aligned left. */
static inline bool pd_layout_is_left(const struct pd_column *column)
{
	return column->style == PD_STYLE_TEXT;
}
/* Append a paragraph, its lines broken between words at width columns. */
void pd_layout_add_paragraph(struct pd_buf *b, const char *text, uint32_t width);

#endif
