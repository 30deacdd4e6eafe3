/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for people and for mails: no tabs, no colour, and no line that a mail
 * program would take for a quote, a comment or a new message.
 *
 *   | lead |  number  number ... | tail |
 *
 * A table that is wider than a line is printed in parts: its text columns are
 * repeated, its number columns are shared out. The last column may run long; in a
 * narrow document it goes on in lines below.
 */
#include <stdlib.h>

#include "io/writer.h"
#include "profdiff/render.h"
#include "render/layout.h"
#include "render/listing.h"

enum {
	GAP = 2,          /* blanks between columns */
	TAIL_GAP = 3,     /* before text that follows numbers */
	TAIL_WIDTH = 12,  /* of text behind the numbers, that must fit beside them */
	HANG = 2,         /* what goes on below is further right by so much */
};

/* Colours only repeat what the text says: headings stand out, the rest of the total recedes. */
static const char bold[] = "\x1b[1m", faint[] = "\x1b[2m", normal[] = "\x1b[0m";

/* Write out a line, without blanks at its end; color is NULL for none. */
static void end_line(struct pd_buf *line, const char *color, struct pd_writer *out)
{
	struct pd_span s = {line->ptr, line->len};

	while (s.len && s.ptr[s.len - 1] == ' ')
		s.len--;
	if (s.len && (s.ptr[0] == '#' || s.ptr[0] == '>' || pd_span_starts(s, "From ")))
		pd_writer_add(out, " ", 1);
	if (color)
		pd_writer_add_str(out, color);
	pd_writer_add(out, s.ptr, s.len);
	if (color)
		pd_writer_add_str(out, normal);
	pd_writer_add(out, "\n", 1);
	line->len = 0;
}

static void write_paragraph(const char *text, uint32_t width, struct pd_writer *out)
{
	struct pd_buf b = {0}, line = {0};
	struct pd_span rest;

	pd_layout_add_paragraph(&b, text, width);
	rest = (struct pd_span){b.ptr, b.len};
	while (rest.len) {
		size_t len = pd_span_find(rest, "\n");

		pd_buf_add(&line, rest.ptr, len);
		end_line(&line, NULL, out);
		rest = pd_span_sub(rest, len + 1, rest.len);
	}
	pd_buf_done(&b);
	pd_buf_done(&line);
}

/* The columns of one part of a table: [0, n_lead), [from, to) and [tail, n_columns). */
struct part {
	uint32_t n_lead, from, to, tail, tail_gap;
	uint32_t limit; /* columns that no row passes; UINT32_MAX: it may */
};

static bool is_in_part(const struct part *p, uint32_t column)
{
	return column < p->n_lead || (column >= p->from && column < p->to) || column >= p->tail;
}

static void add_padded(struct pd_buf *line, const char *text, size_t len, uint32_t width,
		       bool is_left)
{
	size_t used = pd_utf8_width((struct pd_span){text, len});
	size_t pad = used < width ? width - used : 0;

	if (!is_left)
		pd_buf_add_fill(line, ' ', pad);
	pd_buf_add(line, text, len);
	if (is_left)
		pd_buf_add_fill(line, ' ', pad);
}

/* "+-12" becomes the sign for it, which has as many bytes. */
static void use_utf8_sign(const struct pd_column *column, struct pd_buf *cell)
{
	static const char plus_minus[] = "\xc2\xb1";

	if (column->style == PD_STYLE_SPREAD && pd_span_starts(pd_buf_span(cell), "+-"))
		memcpy(cell->ptr, plus_minus, 2);
}

static size_t width_of(const struct pd_buf *b)
{
	return pd_utf8_width((struct pd_span){b->ptr, b->len});
}

/* The last cell of a row, between words on lines of its own where it passes the limit. */
static void add_last(struct pd_buf *line, const struct pd_buf *cell, uint32_t limit,
		     const char *color, struct pd_writer *out)
{
	struct pd_span rest = pd_buf_span(cell);
	size_t start = width_of(line), column;
	bool is_first = true;

	for (; rest.len && *rest.ptr == ' '; start++) {
		pd_buf_add_char(line, ' ');
		rest = pd_span_sub(rest, 1, rest.len);
	}
	for (column = start; rest.len; is_first = false) {
		size_t len = pd_span_find(rest, " ");
		struct pd_span word = pd_span_sub(rest, 0, len);
		size_t width = pd_utf8_width(word);

		rest = pd_span_sub(rest, len < rest.len ? len + 1 : rest.len, rest.len);
		if (column && column + !is_first + width > limit) {
			end_line(line, color, out);
			column = start + HANG + width <= limit ? start + HANG
				 : width < limit               ? limit - width
							       : 0;
			pd_buf_add_fill(line, ' ', column);
		} else if (!is_first) {
			pd_buf_add_char(line, ' ');
			column++;
		}
		pd_buf_add(line, word.ptr, word.len);
		column += width;
	}
}

/* One row of a table: its titles where row is NULL. */
static void write_row(const struct pd_table *t, const struct pd_table_row *row,
		      const struct part *p, const uint32_t *widths,
		      const struct pd_render_options *options, struct pd_writer *out)
{
	struct pd_buf line = {0}, cell = {0};
	uint32_t last = t->n_columns - 1;
	const char *color = NULL;

	if (options->has_color && (!row || row->kind == PD_ROW_REST))
		color = row ? faint : bold;
	for (uint32_t i = 0; i < t->n_columns; i++) {
		const struct pd_column *column = &t->columns[i];
		bool is_left = pd_layout_is_left(column);

		if (!is_in_part(p, i) || (!widths[i] && i != last))
			continue;
		cell.len = 0;
		if (row && row->kind == PD_ROW_CHILD && i == last)
			pd_buf_add_str(&cell, "  ");
		if (!row)
			pd_layout_add_safe(&cell, pd_span_of(column->title));
		else if (row->kind != PD_ROW_BREAK)
			pd_layout_add_cell(&cell, column, &row->cells[i]);
		else if (i == last)
			pd_buf_add_str(&cell, "...");
		if (options->has_utf8)
			use_utf8_sign(column, &cell);
		if (line.len)
			pd_buf_add_fill(&line, ' ', is_left && i >= p->tail ? p->tail_gap : GAP);
		if (i == last && is_left && p->limit != UINT32_MAX)
			add_last(&line, &cell, p->limit, color, out);
		else
			add_padded(&line, cell.ptr, cell.len, i == last && is_left ? 0 : widths[i],
				   is_left);
	}
	end_line(&line, color, out);
	pd_buf_done(&line);
	pd_buf_done(&cell);
}

static bool has_titles(const struct pd_table *t)
{
	for (uint32_t i = 0; i < t->n_columns; i++)
		if (*t->columns[i].title)
			return true;
	return false;
}

static void write_part(const struct pd_table *t, const struct part *p, const uint32_t *widths,
		       const struct pd_render_options *options, struct pd_writer *out)
{
	bool is_rest = false;

	if (has_titles(t))
		write_row(t, NULL, p, widths, options, out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		const struct pd_table_row *row = &t->rows[r];

		if (row->kind == PD_ROW_REST && !is_rest)
			pd_writer_add(out, "\n", 1);
		is_rest = row->kind == PD_ROW_REST;
		write_row(t, row, p, widths, options, out);
	}
}

/* Where a part that begins at p->from ends: it fits, and cuts no group that fits. */
static uint32_t end_of_part(const struct pd_table *t, const struct part *p, const uint32_t *widths,
			    uint32_t fixed, uint32_t width)
{
	uint32_t used = fixed, to = p->from, group;

	for (; to < p->tail; to++) {
		used += widths[to] + GAP;
		if (used > width + GAP && to > p->from)
			break;
	}
	if (to == p->tail)
		return to;
	group = t->columns[to].group;
	for (uint32_t i = to; group && i > p->from + 1; i--)
		if (t->columns[i - 1].group != group)
			return i;
	return to;
}

/* The columns of the widest row of a part. */
static uint32_t width_of_part(const struct pd_table *t, const struct part *p,
			      const uint32_t *widths)
{
	uint32_t used = 0;

	for (uint32_t i = 0; i < t->n_columns; i++)
		if (is_in_part(p, i) && widths[i])
			used += widths[i] + (!used ? 0 : i >= p->tail ? TAIL_GAP : GAP);
	return used;
}

static void write_table(const struct pd_table *t, bool is_narrow,
			const struct pd_render_options *options, struct pd_writer *out)
{
	uint32_t *widths = calloc(t->n_columns + 1, sizeof(*widths));
	struct part p = {.tail = t->n_columns, .limit = is_narrow ? options->width : UINT32_MAX};
	uint32_t fixed = 0;

	if (!widths || !t->n_columns) {
		free(widths);
		return;
	}
	pd_layout_widths(t, widths);
	while (p.n_lead < t->n_columns && pd_layout_is_left(&t->columns[p.n_lead]))
		fixed += widths[p.n_lead++] + GAP;
	while (p.tail > p.n_lead && pd_layout_is_left(&t->columns[p.tail - 1])) {
		p.tail--;
		fixed += TAIL_GAP + (widths[p.tail] > TAIL_WIDTH ? TAIL_WIDTH : widths[p.tail]);
	}
	if (t->title)
		write_paragraph(t->title, options->width, out);
	p.from = p.n_lead;
	do {
		p.to = end_of_part(t, &p, widths, fixed, options->width);
		p.tail_gap = width_of_part(t, &p, widths) > p.limit ? GAP : TAIL_GAP;
		if (p.from > p.n_lead)
			pd_writer_add(out, "\n", 1);
		write_part(t, &p, widths, options, out);
		p.from = p.to;
	} while (p.from < p.tail);
	free(widths);
}

/* Underlined, as mails have it. */
static void write_heading(const char *text, bool has_color, struct pd_writer *out)
{
	struct pd_buf line = {0};
	size_t width;

	pd_layout_add_safe(&line, pd_span_of(text));
	width = pd_utf8_width(pd_buf_span(&line));
	end_line(&line, has_color ? bold : NULL, out);
	pd_buf_add_fill(&line, '-', width);
	end_line(&line, NULL, out);
	pd_buf_done(&line);
}

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	enum pd_block_kind before = PD_BLOCK_TEXT;
	bool is_first = true;

	for (const struct pd_block *b = d->first; b; b = b->next) {
		if (b->table && b->table->is_for_programs)
			continue;
		/* Sentences stand together; others have a blank line around them. */
		if (!is_first && before != PD_BLOCK_HEADING &&
		    (b->kind != PD_BLOCK_TEXT || before != PD_BLOCK_TEXT))
			pd_writer_add(out, "\n", 1);
		if (b->kind == PD_BLOCK_TEXT)
			write_paragraph(b->text, options->width, out);
		else if (b->kind == PD_BLOCK_HEADING)
			write_heading(b->text, options->has_color, out);
		else if (b->kind == PD_BLOCK_LISTING)
			pd_listing_write(b->listing, options->width, out);
		else
			write_table(b->table, d->is_narrow, options, out);
		before = b->kind;
		is_first = false;
	}
}

const struct pd_renderer pd_renderer_text = {
	.name = "text",
	.title = "tables for people, as they go into a mail",
	.parts = PD_PART_BLOCKS,
	.render = render,
};
