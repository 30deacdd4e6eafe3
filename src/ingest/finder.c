/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding tables: the first rows, and the line above them, tell where columns
 * are, and whether they hold what belongs into a table of ticks.
 */
#include "ingest/finder.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/prose.h"

enum {
	PEEK_BYTES = 64 << 10, /* where to look for the first rows */
	NAME_WORDS = 64,       /* words of a line that are no numbers */
	MAX_HEAD_GAP = 1,      /* blank lines between a header and its rows */
};

bool pd_found_init(struct pd_found_table *t, const struct pd_finder *f)
{
	t->sides = calloc(f->max_words, sizeof(*t->sides));
	return t->sides;
}

void pd_found_done(struct pd_found_table *t)
{
	pd_cutter_done(&t->cutter);
	free(t->sides);
}

bool pd_finder_init(struct pd_finder *f, const struct pd_limits *limits)
{
	f->limits = limits;
	f->max_words = (size_t)limits->n_columns + NAME_WORDS;
	f->words = calloc(f->max_words, sizeof(*f->words));
	f->cells = calloc(f->max_words, sizeof(*f->cells));
	return pd_found_init(&f->next, f) && f->words && f->cells;
}

void pd_finder_done(struct pd_finder *f)
{
	pd_found_done(&f->next);
	free(f->words);
	free(f->cells);
	pd_buf_done(&f->text);
}

size_t pd_finder_split(struct pd_finder *f, struct pd_span line)
{
	size_t n = pd_words_split(line, f->words, f->max_words);

	return n <= f->max_words ? n : 0;
}

/* How many numbers there are on one side of a name, and on which side; else 0. */
static uint32_t count_cells(const struct pd_word *words, size_t n_words, bool *ret_names_right)
{
	size_t n_left = 0, n_right = 0;

	while (n_left < n_words && words[n_left].kind != PD_WORD_TEXT)
		n_left++;
	while (n_right < n_words && words[n_words - 1 - n_right].kind != PD_WORD_TEXT)
		n_right++;
	if (n_left == n_words || !n_left == !n_right)
		return 0;
	*ret_names_right = n_left != 0;
	return (uint32_t)(n_left + n_right);
}

bool pd_finder_is_row(struct pd_finder *f, struct pd_span line)
{
	size_t n = pd_finder_split(f, line);
	bool is_names_right;

	/* A header of numbers ("function 6.1 6.2") is none. */
	return count_cells(f->words, n, &is_names_right) &&
		!pd_cutter_is_name_word(f->words[is_names_right ? n - 1 : 0].text);
}

/* The number of cells that most rows have. */
static uint32_t usual_cells(const struct pd_finder *f)
{
	uint32_t best = 0, most = 0;

	for (uint32_t i = 0; i < f->n_rows; i++) {
		uint32_t n = 0;

		for (uint32_t j = 0; j < f->n_rows; j++)
			n += f->n_cells_of[j] == f->n_cells_of[i];
		if (n > most)
			best = f->n_cells_of[i];
		most = n > most ? n : most;
	}
	return best;
}

/* Look at the rows from this line on. One that is spoilt does not end them. */
static void peek_rows(struct pd_finder *f, const struct pd_lines *at, struct pd_span line)
{
	struct pd_span rest = {at->next, (size_t)(at->window.end - at->next)};
	size_t n_usual = 0;
	struct pd_lines lines;

	f->text.len = f->n_rows = f->n_lines = 0;
	pd_lines_init(&lines, pd_span_sub(rest, 0, PEEK_BYTES), f->limits, at->path, NULL);
	do {
		bool is_right = f->is_names_right;
		size_t n_words = pd_finder_split(f, line);
		uint32_t n = count_cells(f->words, n_words, &is_right);

		if (n && (!f->n_rows || is_right == f->is_names_right)) {
			n_usual = f->n_rows ? n_usual : n_words;
			f->is_names_right = is_right;
			f->n_cells_of[f->n_rows] = n;
			pd_buf_add(&f->text, line.ptr, line.len);
			f->ends[f->n_rows++] = f->text.len;
		} else if (line.len && n_words != n_usual && !pd_prose_is_rule(line) &&
			   !pd_prose_is_ellipsis(line)) {
			break;
		}
		f->n_lines++;
	} while (f->n_rows < PD_PEEK_ROWS && pd_lines_next(&lines, &line));
	pd_lines_done(&lines);
	f->n_cells = usual_cells(f);
}

struct pd_span pd_finder_row(const struct pd_finder *f, uint32_t row)
{
	size_t from = row ? f->ends[row - 1] : 0;

	return (struct pd_span){f->text.ptr + from, f->ends[row] - from};
}

enum pd_word_kind pd_found_parse(struct pd_found_table *t, const struct pd_finder *f)
{
	enum pd_word_kind worst = PD_WORD_COUNT;

	for (uint32_t i = 0; i < t->n_sides; i++) {
		struct pd_found_side *s = &t->sides[i];
		size_t at = f->cells[s->column];
		const struct pd_word *w = at == PD_NO_WORD ? NULL : &f->words[at];

		s->value = w && w->kind != PD_WORD_MISSING ? w->value : PD_UNKNOWN;
		if (w && w->kind > worst)
			worst = w->kind;
	}
	return worst;
}

static void set_sides(struct pd_found_table *t)
{
	t->n_sides = 0;
	for (uint32_t i = 0; i < t->cutter.n_columns; i++)
		if (t->cutter.columns[i].kind == PD_CUTTER_SIDE)
			t->sides[t->n_sides++] = (struct pd_found_side){
				.column = i,
				.total = PD_UNKNOWN,
			};
}

/* Whether the peeked rows fit the columns that are tried, and are names and counts. */
static bool is_fitting(struct pd_finder *f)
{
	struct pd_found_table *t = &f->next;
	uint32_t n_fit = 0, n_symbols = 0, n_foreign = 0, n_used = 0;

	set_sides(t);
	for (uint32_t i = 0; i < f->n_rows; i++) {
		size_t n = pd_finder_split(f, pd_finder_row(f, i)), n_placed = 0;
		enum pd_word_kind cell;
		struct pd_span name;

		if (!pd_cutter_match(&t->cutter, f->words, n, f->cells, &name))
			continue;
		for (uint32_t c = 0; c < t->cutter.n_columns; c++)
			n_placed += f->cells[c] != PD_NO_WORD;
		cell = pd_found_parse(t, f);
		n_fit += n_placed == f->n_cells_of[i];
		n_symbols += pd_prose_is_symbol(name);
		n_foreign += cell == PD_WORD_PERCENT || (cell == PD_WORD_DECIMAL && !f->is_lenient);
		for (uint32_t c = 0; c < t->n_sides; c++) {
			if (!pd_is_known(t->sides[c].value))
				continue;
			n_used += t->sides[c].sum == 0;
			t->sides[c].sum = 1; /* counted */
		}
	}
	set_sides(t);
	if (t->cutter.is_placed && (4 * n_fit < 3 * f->n_rows || n_used < t->n_sides))
		return false;
	return 2 * n_fit >= f->n_rows && 2 * n_symbols >= f->n_rows && 4 * n_foreign <= f->n_rows;
}

/* Whether words of a header are those of a table that other programs print. */
static bool is_foreign(struct pd_span header)
{
	static const char *const words[] = {
		"samples", "size", "used", "pid", "hit", "calls", "children", "self", "seconds",
		"usecs/call", "syscall", "errors", "text", "bss", "hex", "swpd", "avail",
		"available", "overhead", "cumulative", "vma", "cpu0", "bytes", NULL,
	};
	struct pd_span fields[NAME_WORDS];
	size_t n = pd_fields(header, fields, NAME_WORDS);
	bool has_old = false, has_new = false;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; words[j]; j++)
			if (pd_span_eq_nocase(fields[i], words[j]))
				return true;
		has_old = has_old || pd_span_eq(fields[i], "old");
		has_new = has_new || pd_span_eq(fields[i], "new");
		if (has_old && has_new && pd_span_eq(fields[i], "delta"))
			return true; /* bloat-o-meter */
	}
	return false;
}

/*
 * Whether these can be names of sides: all of them numbers ("6.1", "6.2") or
 * none. Where only some are, the line is a row of another table.
 */
static bool are_side_names(const struct pd_cutter *cut)
{
	uint32_t n_numbers = 0, n_versions = 0, n_sides = 0;

	for (uint32_t i = 0; i < cut->n_columns; i++) {
		struct pd_span name = pd_cutter_name(cut, i);
		struct pd_word word;

		if (cut->columns[i].kind != PD_CUTTER_SIDE)
			continue;
		if (pd_prose_is_rule(name)) /* of a decorated title */
			return false;
		n_sides++;
		n_versions += pd_is_digit(name.ptr[0]); /* "+2" is none */
		n_numbers += pd_words_split(name, &word, 1) == 1 && word.kind != PD_WORD_TEXT;
	}
	return !n_numbers || n_versions == n_sides;
}

/*
 * Whether these name sides although nothing stands below them: all of them are
 * versions, or short and apart from each other. So it is with headers that lost
 * the blanks before them, and with tabs.
 */
static bool are_sure_names(const struct pd_cutter *cut, bool is_by_word)
{
	enum { SHORT = 24 };

	for (uint32_t i = 0; i < cut->n_columns; i++) {
		struct pd_span name = pd_cutter_name(cut, i);
		bool has_digit = false;

		for (size_t j = 0; j < name.len; j++)
			has_digit = has_digit || pd_is_digit(name.ptr[j]);
		if (cut->columns[i].kind == PD_CUTTER_SIDE && !has_digit &&
		    (is_by_word || name.len > SHORT))
			return false;
	}
	return true;
}

/* Whether the line above is a header of the peeked rows: then the columns are set. */
static bool find_header(struct pd_finder *f, struct pd_span above)
{
	struct pd_cutter *cut = &f->next.cutter;

	for (int is_exact = 1; is_exact >= 0; is_exact--)
		for (int is_by_word = 0; is_by_word <= 1; is_by_word++) {
			size_t n = pd_finder_split(f, above);

			if (!pd_cutter_head(cut, f->words, n, is_by_word, f->is_names_right) ||
			    (is_exact && cut->n_columns != f->n_cells) || !are_side_names(cut))
				continue;
			if (is_fitting(f)) {
				cut->is_forgiving = true;
				return true;
			}
			if (is_exact && are_sure_names(cut, is_by_word)) {
				cut->is_placed = false;
				if (is_fitting(f))
					return true;
			}
		}
	return false;
}

enum pd_evidence pd_finder_look(struct pd_finder *f, const struct pd_lines *lines,
				struct pd_span line, const struct pd_line_above *a)
{
	struct pd_span above = pd_buf_span(&a->text);
	bool is_near = above.len && a->n_blank <= MAX_HEAD_GAP;

	peek_rows(f, lines, line);
	if (!f->n_rows || is_foreign(above))
		return PD_EVIDENCE_NONE;
	if (is_near && find_header(f, above))
		return PD_EVIDENCE_HEADER;
	if (!pd_cutter_count(&f->next.cutter, f->n_cells, f->is_names_right) || !is_fitting(f))
		return PD_EVIDENCE_NONE;
	if (is_near && a->is_ruled)
		return PD_EVIDENCE_RULED;
	if (is_near && pd_prose_heading(above).len)
		return PD_EVIDENCE_TITLE;
	return PD_EVIDENCE_BARE;
}
