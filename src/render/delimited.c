/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV and TSV. Contract: delimited.h.
 */
#include "render/delimited.h"

#include "base/num.h"
#include "base/text.h"
#include "io/writer.h"
#include "render/layout.h"

static void write_csv_text(struct pd_writer *out, struct pd_span s)
{
	pd_writer_add(out, "\"", 1);
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '"')
			pd_writer_add(out, "\"", 1);
		pd_writer_add(out, s.ptr + i, 1);
	}
	pd_writer_add(out, "\"", 1);
}

static void write_tsv_text(struct pd_writer *out, struct pd_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '\\')
			pd_writer_add(out, "\\", 1);
		pd_writer_add(out, s.ptr + i, 1);
	}
}

/* Control characters are escaped first, so that no text breaks a line. */
static void write_text(struct pd_writer *out, const char *text, char separator)
{
	struct pd_buf safe = {0};
	struct pd_span s;

	pd_layout_add_safe(&safe, pd_span_of(text));
	s = (struct pd_span){safe.ptr, safe.len};
	if (separator == '\t')
		write_tsv_text(out, s);
	else if (s.len && (memchr(s.ptr, ',', s.len) || memchr(s.ptr, '"', s.len)))
		write_csv_text(out, s);
	else
		pd_writer_add(out, s.ptr, s.len);
	pd_buf_done(&safe);
}

static void write_cell(struct pd_writer *out, const struct pd_column *column,
		       const struct pd_cell *cell, char separator)
{
	char number[PD_NUM_LEN];

	if (column->style == PD_STYLE_TEXT && cell->text)
		write_text(out, cell->text, separator);
	else if (isfinite(cell->number))
		pd_writer_add_str(out, pd_num_shortest(cell->number, number));
}

static void write_table(const struct pd_table *t, char separator, struct pd_writer *out)
{
	for (uint32_t i = 0; i < t->n_columns; i++) {
		if (i)
			pd_writer_add(out, &separator, 1);
		write_text(out, t->columns[i].id, separator);
	}
	pd_writer_add(out, "\n", 1);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		for (uint32_t i = 0; i < t->n_columns; i++) {
			if (i)
				pd_writer_add(out, &separator, 1);
			write_cell(out, &t->columns[i], &t->rows[r].cells[i], separator);
		}
		pd_writer_add(out, "\n", 1);
	}
}

void pd_delimited_write(const struct pd_document *d, char separator, struct pd_writer *out)
{
	for (const struct pd_block *b = d->first; b; b = b->next)
		if (b->table && b->table->is_for_programs)
			write_table(b->table, separator, out);
}
