/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout. Contract: layout.h. This is the one place where numbers are rounded.
 */
#include "render/layout.h"

#include "base/num.h"

void pd_layout_add_safe(struct pd_buf *b, struct pd_span s)
{
	size_t len;

	for (size_t i = 0; i < s.len; i += len) {
		uint32_t code = pd_utf8_decode(pd_span_sub(s, i, s.len), &len);

		if (code == PD_UTF8_BAD)
			pd_buf_printf(b, "\\x%02x", (unsigned char)s.ptr[i]);
		else if (!pd_utf8_is_unsafe(code))
			pd_buf_add(b, s.ptr + i, len);
		else if (code < 0x100)
			pd_buf_printf(b, "\\x%02x", code);
		else
			pd_buf_printf(b, code < 0x10000 ? "\\u%04x" : "\\U%08x", code);
	}
}

void pd_layout_add_cell(struct pd_buf *b, const struct pd_column *column,
			const struct pd_cell *cell)
{
	char number[PD_NUM_LEN];
	bool is_signed = column->style == PD_STYLE_DELTA || column->style == PD_STYLE_PERCENT;
	bool is_percent = column->style == PD_STYLE_PERCENT || column->style == PD_STYLE_SHARE;

	if (cell->text) {
		pd_layout_add_safe(b, pd_span_of(cell->text));
		return;
	}
	if (!isfinite(cell->number))
		return;
	pd_num_fixed(column->divisor != 0 ? cell->number / column->divisor : cell->number,
		     column->decimals, number);
	if (column->style == PD_STYLE_SPREAD)
		pd_buf_add_str(b, "+-");
	else if (is_signed && number[0] != '-' && strpbrk(number, "123456789"))
		pd_buf_add_char(b, '+');
	pd_buf_add_str(b, number);
	if (is_percent)
		pd_buf_add_char(b, '%');
}

void pd_layout_widths(const struct pd_table *t, uint32_t *ret_widths)
{
	struct pd_buf b = {0};

	for (uint32_t i = 0; i < t->n_columns; i++) {
		pd_layout_add_safe(&b, pd_span_of(t->columns[i].title));
		ret_widths[i] = (uint32_t)pd_utf8_width((struct pd_span){b.ptr, b.len});
		b.len = 0;
	}
	for (uint32_t r = 0; r < t->n_rows; r++) {
		const struct pd_table_row *row = &t->rows[r];

		if (row->kind == PD_ROW_BREAK)
			continue;
		for (uint32_t i = 0; i < t->n_columns; i++) {
			uint32_t width;

			pd_layout_add_cell(&b, &t->columns[i], &row->cells[i]);
			width = (uint32_t)pd_utf8_width((struct pd_span){b.ptr, b.len});
			if (ret_widths[i] < width)
				ret_widths[i] = width;
			b.len = 0;
		}
	}
	pd_buf_done(&b);
}

void pd_layout_add_paragraph(struct pd_buf *b, const char *text, uint32_t width)
{
	struct pd_span rest = pd_span_of(text);
	struct pd_buf word = {0};
	size_t column = 0;

	while (rest.len) {
		const char *blank = memchr(rest.ptr, ' ', rest.len);
		size_t len = blank ? (size_t)(blank - rest.ptr) : rest.len, word_width;

		word.len = 0;
		pd_layout_add_safe(&word, pd_span_sub(rest, 0, len));
		rest = pd_span_sub(rest, len + (blank != NULL), rest.len);
		if (!word.len)
			continue;
		word_width = pd_utf8_width((struct pd_span){word.ptr, word.len});
		if (column && column + 1 + word_width > width) {
			pd_buf_add_char(b, '\n');
			column = 0;
		}
		if (column)
			pd_buf_add_char(b, ' ');
		pd_buf_add(b, word.ptr, word.len);
		column += word_width + (column > 0);
	}
	pd_buf_add_char(b, '\n');
	pd_buf_done(&word);
}
