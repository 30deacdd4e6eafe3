/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings. Contract: listing.h.
 */
#include "render/listing.h"

#include "base/num.h"
#include "io/writer.h"
#include "render/layout.h"

enum {
	MARK_WIDTH = 3,    /* between the sides */
	MIN_TEXT = 16,     /* columns of a text, however narrow lines are */
	CONTINUED = 4,     /* blanks before what goes on */
};

/* The columns of one side. */
struct shape {
	uint32_t number, place, text;
};

/* A side's cell as text, cut into lines as it is written. */
struct cut {
	struct pd_buf text;
	size_t at;
	bool is_continued;
};

struct drawing {
	const struct pd_listing *l;
	struct shape shapes[2];
	struct pd_buf line, scratch;
	struct cut cuts[2];
	struct pd_writer *out;
};

static void add_number(const struct pd_listing *l, double number, struct pd_buf *b)
{
	const struct pd_cell cell = {.number = number};

	if (pd_is_known(number) && (number > 0 || number < 0))
		pd_layout_add_cell(b, &l->number, &cell);
}

static uint32_t width_of(const struct pd_buf *b)
{
	return (uint32_t)pd_utf8_width(pd_buf_span(b));
}

static void widen(uint32_t *width, uint32_t to)
{
	*width = *width < to ? to : *width;
}

/* What each column would like to have. */
static void measure(struct drawing *draw)
{
	const struct pd_listing *l = draw->l;
	struct pd_buf *b = &draw->scratch;

	for (uint32_t s = 0; s < l->n_sides; s++) {
		struct shape *shape = &draw->shapes[s];

		if (l->has_numbers)
			widen(&shape->number, (uint32_t)strlen(l->number.title));
		for (uint32_t i = 0; i < l->n_lines; i++) {
			const struct pd_listing_cell *cell = &l->lines[i].sides[s];

			if (!cell->text)
				continue;
			b->len = 0;
			add_number(l, cell->number, b);
			widen(&shape->number, width_of(b));
			b->len = 0;
			pd_layout_add_safe(b, pd_span_of(cell->place));
			widen(&shape->place, width_of(b));
			b->len = 0;
			pd_layout_add_safe(b, pd_span_of(cell->text));
			widen(&shape->text, width_of(b));
		}
		if (l->labels[s])
			widen(&shape->text, (uint32_t)strlen(l->labels[s]));
	}
}

/* Columns of a side that are not its text's. */
static uint32_t fixed_width(const struct drawing *draw, uint32_t side)
{
	const struct shape *shape = &draw->shapes[side];

	return (shape->number ? shape->number + 1 : 0) + shape->place + 2;
}

/* Texts share what is left of a line; who needs less than half leaves it to the other. */
static void share(struct drawing *draw, uint32_t width)
{
	uint32_t used = fixed_width(draw, 0), left;
	struct shape *a = &draw->shapes[0], *b = &draw->shapes[1];

	if (draw->l->n_sides < 2) {
		left = width > used + MIN_TEXT ? width - used : MIN_TEXT;
		a->text = a->text < left ? a->text : left;
		return;
	}
	used += fixed_width(draw, 1) + MARK_WIDTH;
	left = width > used + 2 * MIN_TEXT ? width - used : 2 * MIN_TEXT;
	if (a->text + b->text <= left)
		return;
	if (b->text <= left / 2)
		a->text = left - b->text;
	else if (a->text > left / 2)
		a->text = left / 2;
	b->text = b->text < left - a->text ? b->text : left - a->text;
}

static void add_left(struct pd_buf *line, struct pd_span s, uint32_t width)
{
	uint32_t used = (uint32_t)pd_utf8_width(s);

	pd_buf_add(line, s.ptr, s.len);
	pd_buf_add_fill(line, ' ', used < width ? width - used : 0);
}

static void add_right(struct pd_buf *line, struct pd_span s, uint32_t width)
{
	uint32_t used = (uint32_t)pd_utf8_width(s);

	pd_buf_add_fill(line, ' ', used < width ? width - used : 0);
	pd_buf_add(line, s.ptr, s.len);
}

/* How much of s fits in width columns: up to where an operand begins, if that is far enough. */
static size_t piece_len(struct pd_span s, uint32_t width)
{
	size_t n = 0, len, good = 0;
	uint32_t used = 0;

	while (n < s.len) {
		(void)pd_utf8_decode(pd_span_sub(s, n, s.len), &len);
		used += (uint32_t)pd_utf8_width(pd_span_sub(s, n, n + len));
		if (used > width && n)
			return good ? good : n;
		n += len;
		if ((s.ptr[n - 1] == ',' || s.ptr[n - 1] == ' ' ||
		     (n < s.len && s.ptr[n] == '(')) && 5 * used > width)
			good = n;
	}
	return n;
}

/* The next piece of a side's text, and the columns before it. */
static void add_piece(struct drawing *draw, uint32_t side, const struct pd_listing_cell *cell)
{
	struct cut *cut = &draw->cuts[side];
	const struct shape *shape = &draw->shapes[side];
	struct pd_span rest = pd_span_sub(pd_buf_span(&cut->text), cut->at, cut->text.len);
	uint32_t indent = cut->is_continued && shape->text > CONTINUED + MIN_TEXT / 2 ?
			  CONTINUED : 0;

	if (!cell->text || !rest.len) {
		pd_buf_add_fill(&draw->line, ' ', fixed_width(draw, side) + shape->text);
		return;
	}
	draw->scratch.len = 0;
	if (!cut->is_continued)
		add_number(draw->l, cell->number, &draw->scratch);
	if (shape->number) {
		add_right(&draw->line, pd_buf_span(&draw->scratch), shape->number);
		pd_buf_add_char(&draw->line, ' ');
	}
	draw->scratch.len = 0;
	if (!cut->is_continued)
		pd_layout_add_safe(&draw->scratch, pd_span_of(cell->place));
	add_right(&draw->line, pd_buf_span(&draw->scratch), shape->place);
	pd_buf_add_str(&draw->line, cut->is_continued || !shape->place ? "  " : ": ");
	pd_buf_add_fill(&draw->line, ' ', indent);
	rest.len = piece_len(rest, shape->text - indent);
	cut->at += rest.len;
	cut->is_continued = true;
	add_left(&draw->line, rest, shape->text - indent);
}

static void end_line(struct drawing *draw)
{
	struct pd_span s = pd_buf_span(&draw->line);

	while (s.len && s.ptr[s.len - 1] == ' ')
		s.len--;
	/* No mail program must take it for a quote, a comment or a new message. */
	if (s.len && (s.ptr[0] == '#' || s.ptr[0] == '>' || pd_span_starts(s, "From ")))
		pd_writer_add(draw->out, " ", 1);
	pd_writer_add(draw->out, s.ptr, s.len);
	pd_writer_add(draw->out, "\n", 1);
	draw->line.len = 0;
}

static void draw_sides(struct drawing *draw, const struct pd_listing_line *line)
{
	static const char *const marks[] = {
		[PD_LISTING_SAME] = "   ", [PD_LISTING_CHANGED] = " | ",
		[PD_LISTING_REMOVED] = " < ", [PD_LISTING_ADDED] = " > ",
	};
	const struct pd_listing *l = draw->l;
	bool has_more = true;

	for (uint32_t s = 0; s < l->n_sides; s++) {
		struct cut *cut = &draw->cuts[s];

		cut->text.len = cut->at = 0;
		cut->is_continued = false;
		if (line->sides[s].text)
			pd_layout_add_safe(&cut->text, pd_span_of(line->sides[s].text));
	}
	for (bool is_first = true; has_more; is_first = false) {
		has_more = false;
		for (uint32_t s = 0; s < l->n_sides; s++) {
			if (s)
				pd_buf_add_str(&draw->line, is_first ? marks[line->op] : "   ");
			add_piece(draw, s, &line->sides[s]);
			has_more |= draw->cuts[s].at < draw->cuts[s].text.len;
		}
		end_line(draw);
	}
}

static void draw_head(struct drawing *draw)
{
	const struct pd_listing *l = draw->l;

	if (!l->labels[0] && !l->has_numbers)
		return;
	for (uint32_t s = 0; s < l->n_sides; s++) {
		const struct shape *shape = &draw->shapes[s];

		if (s)
			pd_buf_add_fill(&draw->line, ' ', MARK_WIDTH);
		if (shape->number) {
			add_right(&draw->line, pd_span_of(l->number.title), shape->number);
			pd_buf_add_char(&draw->line, ' ');
		}
		pd_buf_add_fill(&draw->line, ' ', shape->place + 2);
		draw->scratch.len = 0;
		if (l->labels[s])
			pd_layout_add_safe(&draw->scratch, pd_span_of(l->labels[s]));
		add_left(&draw->line, pd_buf_span(&draw->scratch), shape->text);
	}
	end_line(draw);
}

static void done(struct drawing *draw)
{
	pd_buf_done(&draw->line);
	pd_buf_done(&draw->scratch);
	pd_buf_done(&draw->cuts[0].text);
	pd_buf_done(&draw->cuts[1].text);
}

/* Where the last code point of valid text begins. */
static size_t last_begin(struct pd_span s)
{
	size_t n = s.len;

	while (n && ((unsigned char)s.ptr[n - 1] & 0xc0) == 0x80)
		n--;
	return n ? n - 1 : 0;
}

/* A heading of one line, whatever its length. */
static void add_heading(struct drawing *draw, const char *text, uint32_t width)
{
	struct pd_span s;

	draw->scratch.len = 0;
	pd_layout_add_safe(&draw->scratch, pd_span_of(text));
	s = pd_buf_span(&draw->scratch);
	if (pd_utf8_width(s) > width) {
		while (s.len && pd_utf8_width(s) + 3 > width)
			s.len = last_begin(s);
		pd_buf_add(&draw->line, s.ptr, s.len);
		pd_buf_add_str(&draw->line, "...");
	} else {
		pd_buf_add(&draw->line, s.ptr, s.len);
	}
}

void pd_listing_write(const struct pd_listing *l, uint32_t width, struct pd_writer *out)
{
	struct drawing draw = {.l = l, .out = out};

	measure(&draw);
	share(&draw, width);
	if (l->title) {
		pd_layout_add_safe(&draw.line, pd_span_of(l->title));
		end_line(&draw);
	}
	draw_head(&draw);
	for (uint32_t i = 0; i < l->n_lines; i++) {
		const struct pd_listing_line *line = &l->lines[i];

		if (line->op == PD_LISTING_BREAK)
			pd_buf_add_str(&draw.line, "...");
		else if (line->op == PD_LISTING_HEADING)
			add_heading(&draw, line->heading, width);
		else
			draw_sides(&draw, line);
		if (line->op >= PD_LISTING_HEADING)
			end_line(&draw);
	}
	done(&draw);
}

/* ---- as a diff ---- */

static bool is_edit(enum pd_listing_op op)
{
	return op == PD_LISTING_CHANGED || op == PD_LISTING_REMOVED || op == PD_LISTING_ADDED;
}

/* One side of a line, or a line that is the same on both: then both numbers. */
static void write_diff_line(struct drawing *draw, const struct pd_listing_line *line, char mark,
			    uint32_t side)
{
	const struct pd_listing *l = draw->l;
	uint32_t width = draw->shapes[0].number;

	widen(&width, draw->shapes[1].number);
	pd_buf_add_char(&draw->line, mark);
	for (uint32_t s = 0; s < l->n_sides && l->has_numbers; s++) {
		draw->scratch.len = 0;
		if (mark == ' ' || s == side)
			add_number(l, line->sides[s].number, &draw->scratch);
		pd_buf_add_char(&draw->line, ' ');
		add_right(&draw->line, pd_buf_span(&draw->scratch), width);
	}
	pd_buf_add_char(&draw->line, ' ');
	draw->scratch.len = 0;
	pd_layout_add_safe(&draw->scratch, pd_span_of(line->sides[side].place));
	width = draw->shapes[0].place;
	widen(&width, draw->shapes[1].place);
	add_right(&draw->line, pd_buf_span(&draw->scratch), width);
	pd_buf_add_str(&draw->line, ": ");
	pd_layout_add_safe(&draw->line, pd_span_of(line->sides[side].text));
	end_line(draw);
}

/* Lines [from, to) are edits: what went stands before what came. */
static void write_hunk(struct drawing *draw, uint32_t from, uint32_t to)
{
	const struct pd_listing_line *lines = draw->l->lines;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = from; i < to; i++)
			if (lines[i].sides[side].text)
				write_diff_line(draw, &lines[i], side ? '+' : '-', side);
}

/* A fence that no text within it ends. */
static size_t fence_len(const struct pd_listing *l)
{
	size_t longest = 2, run;

	for (uint32_t i = 0; i < l->n_lines; i++)
		for (uint32_t s = 0; s < 2; s++) {
			run = 0;
			for (const char *p = l->lines[i].sides[s].text; p && *p; p++) {
				run = *p == '`' ? run + 1 : 0;
				longest = run > longest ? run : longest;
			}
		}
	return longest + 1;
}

void pd_listing_write_diff(const struct pd_listing *l, struct pd_writer *out)
{
	struct drawing draw = {.l = l, .out = out};
	size_t fence = fence_len(l);

	measure(&draw);
	pd_buf_add_fill(&draw.line, '`', fence);
	pd_buf_add_str(&draw.line, "diff");
	end_line(&draw);
	for (uint32_t i = 0, end; i < l->n_lines; i = end) {
		const struct pd_listing_line *line = &l->lines[i];

		for (end = i; end < l->n_lines && is_edit(l->lines[end].op);)
			end++;
		if (end > i) {
			write_hunk(&draw, i, end);
			continue;
		}
		end = i + 1;
		if (line->op == PD_LISTING_SAME) {
			write_diff_line(&draw, line, ' ', !line->sides[0].text);
			continue;
		}
		pd_buf_add_str(&draw.line, "@@ ");
		pd_layout_add_safe(&draw.line, pd_span_of(line->op == PD_LISTING_BREAK ? "..."
							  : line->heading));
		pd_buf_add_str(&draw.line, " @@");
		end_line(&draw);
	}
	pd_buf_add_fill(&draw.line, '`', fence);
	end_line(&draw);
	pd_writer_add(out, "\n", 1);
	done(&draw);
}
