/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV and TSV. Contract: delimited.h.
 */
#include "render/delimited.h"

#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/text.h"
#include "io/writer.h"
#include "render/layout.h"

/* How texts and cells are parted. */
struct form {
	char separator;
	bool is_csv;      /* texts are quoted where they must be */
	bool is_the_users; /* texts are not escaped, but have no separator in them */
	struct pd_buf text;
};

static void add_csv_text(struct pd_writer *out, struct pd_span s)
{
	pd_writer_add(out, "\"", 1);
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '"')
			pd_writer_add(out, "\"", 1);
		pd_writer_add(out, s.ptr + i, 1);
	}
	pd_writer_add(out, "\"", 1);
}

static void add_tsv_text(struct pd_writer *out, struct pd_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '\\')
			pd_writer_add(out, "\\", 1);
		pd_writer_add(out, s.ptr + i, 1);
	}
}

/* Whether a text stands as it is, whatever the form: most do. */
static bool is_plain(struct pd_span s, char separator)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];

		if (c < ' ' || c > '~' || c == '"' || c == '\\' || c == separator)
			return false;
	}
	return true;
}

/* Control characters are escaped first, so that no text breaks a line. */
static void add_text(struct pd_writer *out, struct form *form, struct pd_span s)
{
	if (is_plain(s, form->separator)) {
		pd_writer_add(out, s.ptr, s.len);
		return;
	}
	form->text.len = 0;
	pd_layout_add_safe(&form->text, s);
	s = (struct pd_span){form->text.ptr, form->text.len};
	if (form->is_the_users) {
		for (size_t i = 0; i < s.len; i++)
			if (s.ptr[i] == form->separator)
				form->text.ptr[i] = '.';
		pd_writer_add(out, s.ptr, s.len);
	} else if (!form->is_csv) {
		add_tsv_text(out, s);
	} else if (pd_span_find(s, ",") != SIZE_MAX || pd_span_find(s, "\"") != SIZE_MAX) {
		add_csv_text(out, s);
	} else {
		pd_writer_add(out, s.ptr, s.len);
	}
}

static void add_cell(struct pd_writer *out, struct form *form, const struct pd_column *column,
		     const struct pd_cell *cell)
{
	char number[PD_NUM_LEN];

	if (column->style == PD_STYLE_TEXT && cell->text)
		add_text(out, form, pd_span_of(cell->text));
	else if (isfinite(cell->number))
		pd_writer_add_str(out, pd_num_shortest(cell->number, number));
}

static void write_row(struct pd_writer *out, struct form *form, const struct pd_table *t,
		      const struct pd_cell *cells)
{
	for (uint32_t i = 0; i < t->n_columns; i++) {
		if (i)
			pd_writer_add(out, &form->separator, 1);
		add_cell(out, form, &t->columns[i], &cells[i]);
	}
	pd_writer_add(out, "\n", 1);
}

/* Rows that are made as they are written, into the same cells again and again. */
static void write_made_rows(struct pd_writer *out, struct form *form, const struct pd_table *t)
{
	struct pd_cell *cells = calloc(t->n_columns + (size_t)1, sizeof(*cells));

	if (!cells) {
		pd_writer_fail(out, ENOMEM);
		return;
	}
	for (uint64_t r = 0; r < t->n_made; r++) {
		for (uint32_t i = 0; i < t->n_columns; i++)
			cells[i] = (struct pd_cell){.number = PD_UNKNOWN};
		t->make_row(t->source, r, cells);
		write_row(out, form, t, cells);
	}
	free(cells);
}

static void write_table(struct pd_writer *out, struct form *form, const struct pd_table *t)
{
	for (uint32_t i = 0; i < t->n_columns; i++) {
		if (i)
			pd_writer_add(out, &form->separator, 1);
		add_text(out, form, pd_span_of(t->columns[i].id));
	}
	pd_writer_add(out, "\n", 1);
	for (uint32_t r = 0; r < t->n_rows; r++)
		write_row(out, form, t, t->rows[r].cells);
	if (t->n_made)
		write_made_rows(out, form, t);
}

void pd_delimited_write(const struct pd_document *d, char separator,
			const struct pd_render_options *options, struct pd_writer *out)
{
	struct form form = {
		.separator = options->separator ? options->separator : separator,
		.is_csv = separator == ',',
		.is_the_users = options->separator != 0,
	};

	for (const struct pd_block *b = d->first; b; b = b->next)
		if (b->table && b->table->is_for_programs)
			write_table(out, &form, b->table);
	pd_buf_done(&form.text);
}
