/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Markdown as forges show it (GitHub Flavored Markdown 0.29, tables extension).
 * Names stand in code spans, where nothing but "|" and "`" has a meaning.
 */
#include "io/writer.h"
#include "profdiff/render.h"
#include "render/layout.h"
#include "render/listing.h"

static bool is_plain(struct pd_span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!pd_is_digit(s.ptr[i]) && !pd_is_alpha(s.ptr[i]) &&
		    !strchr(" +-%.,:()", s.ptr[i]))
			return false;
	return true;
}

/* As many backquotes as no run of them within s has. */
static size_t fence_len(struct pd_span s)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < s.len; i++) {
		run = s.ptr[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest + 1;
}

/* A code span; blanks keep a backquote at its ends apart from the fence. */
static void add_code(struct pd_buf *b, struct pd_span s)
{
	size_t fence = fence_len(s);
	bool pads = s.ptr[0] == '`' || s.ptr[s.len - 1] == '`';

	pd_buf_add_fill(b, '`', fence);
	pd_buf_add_fill(b, ' ', pads);
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] == '|')
			pd_buf_add_char(b, '\\');
		pd_buf_add_char(b, s.ptr[i]);
	}
	pd_buf_add_fill(b, ' ', pads);
	pd_buf_add_fill(b, '`', fence);
}

static void add_text(struct pd_buf *b, struct pd_span s)
{
	if (is_plain(s))
		pd_buf_add(b, s.ptr, s.len);
	else
		add_code(b, s);
}

static void add_cell(struct pd_buf *line, struct pd_span s)
{
	pd_buf_add_str(line, " ");
	add_text(line, s);
	pd_buf_add_str(line, " |");
}

static void write_line(struct pd_buf *line, struct pd_writer *out)
{
	pd_buf_add_char(line, '\n');
	pd_writer_add(out, line->ptr, line->len);
	line->len = 0;
}

/* Sentences: what could be markup is escaped, each is a line of its own. */
static void write_sentence(const char *text, struct pd_writer *out)
{
	struct pd_buf safe = {0}, line = {0};

	pd_layout_add_safe(&safe, pd_span_of(text));
	for (size_t i = 0; i < safe.len; i++) {
		if (strchr("\\`*_{}[]<>#|~&!", safe.ptr[i]))
			pd_buf_add_char(&line, '\\');
		pd_buf_add_char(&line, safe.ptr[i]);
	}
	pd_buf_add_char(&line, '\n');
	write_line(&line, out);
	pd_buf_done(&safe);
	pd_buf_done(&line);
}

static void write_head(const struct pd_table *t, struct pd_buf *line, struct pd_writer *out)
{
	struct pd_buf title = {0};

	pd_buf_add_char(line, '|');
	for (uint32_t i = 0; i < t->n_columns; i++) {
		title.len = 0;
		pd_layout_add_safe(&title, pd_span_of(t->columns[i].title));
		add_cell(line, (struct pd_span){title.ptr, title.len});
	}
	write_line(line, out);
	pd_buf_add_char(line, '|');
	for (uint32_t i = 0; i < t->n_columns; i++)
		pd_buf_add_str(line, pd_layout_is_left(&t->columns[i]) ? " --- |" : " ---: |");
	write_line(line, out);
	pd_buf_done(&title);
}

static void write_table(const struct pd_table *t, struct pd_writer *out)
{
	struct pd_buf line = {0}, cell = {0};

	if (t->title) {
		write_sentence(t->title, out);
	}
	write_head(t, &line, out);
	for (uint32_t r = 0; r < t->n_rows; r++) {
		const struct pd_table_row *row = &t->rows[r];

		pd_buf_add_char(&line, '|');
		for (uint32_t i = 0; i < t->n_columns; i++) {
			bool is_last = i + 1 == t->n_columns;

			cell.len = 0;
			if (row->kind == PD_ROW_BREAK && is_last)
				pd_buf_add_str(&cell, "...");
			else if (row->kind != PD_ROW_BREAK)
				pd_layout_add_cell(&cell, &t->columns[i], &row->cells[i]);
			if (row->kind == PD_ROW_CHILD && is_last)
				pd_buf_add_str(&line, " &ensp;");
			add_cell(&line, (struct pd_span){cell.ptr, cell.len});
		}
		write_line(&line, out);
	}
	pd_buf_done(&line);
	pd_buf_done(&cell);
}

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	(void)options;
	for (const struct pd_block *b = d->first; b; b = b->next) {
		if (b->kind == PD_BLOCK_TEXT) {
			write_sentence(b->text, out);
		} else if (b->kind == PD_BLOCK_HEADING) {
			pd_writer_add_str(out, "### ");
			write_sentence(b->text, out);
		} else if (b->kind == PD_BLOCK_LISTING) {
			if (b->listing->title)
				write_sentence(b->listing->title, out);
			pd_listing_write_diff(b->listing, out);
		} else if (!b->table->is_for_programs) {
			write_table(b->table, out);
			pd_writer_add(out, "\n", 1);
		}
	}
}

const struct pd_renderer pd_renderer_markdown = {
	.name = "markdown",
	.title = "tables for a forge: pull requests, issues, wikis",
	.parts = PD_PART_BLOCKS,
	.render = render,
};
