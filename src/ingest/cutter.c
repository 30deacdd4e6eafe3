/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting rows. Contract: cutter.h.
 */
#include "ingest/cutter.h"

#include <stdlib.h>

#include "base/num.h"

enum {
	TAB = 8,
	MAX_GAP = 8, /* columns between a number and a header that stands apart */
};

static bool is_one_of(struct pd_span s, const char *const *words)
{
	for (; *words; words++)
		if (pd_span_eq_nocase(s, *words))
			return true;
	return false;
}

static enum pd_word_kind parse_word(struct pd_span s, double *ret_value)
{
	static const char *const missing[] = {"-", "--", "n/a", "na", "none", "?", NULL};
	enum { MAX_MISSING = 4 };
	size_t len;
	double x;

	if (pd_is_alpha(s.ptr[0]) || s.ptr[0] == '_' || s.ptr[0] == '.')
		return s.len <= MAX_MISSING && is_one_of(s, missing) ? PD_WORD_MISSING :
			PD_WORD_TEXT;
	if (pd_num_parse_count(s, ret_value)) {
		for (size_t i = 0; i < s.len; i++)
			if (!pd_is_digit(s.ptr[i]))
				return PD_WORD_DECIMAL;
		return PD_WORD_COUNT;
	}
	len = pd_num_scan(s, &x);
	if (len && len + 1 == s.len && s.ptr[len] == '%')
		return PD_WORD_PERCENT;
	if (len == s.len)
		return PD_WORD_NUMBER;
	return is_one_of(s, missing) ? PD_WORD_MISSING : PD_WORD_TEXT;
}

/* The end of the word that p is in; eight bytes a step while they are plain ASCII. */
static const char *find_word_end(const char *p, const char *end, bool *ret_ascii)
{
	const uint64_t ones = ~(uint64_t)0 / 255;
	unsigned char bits = 0;
	uint64_t x;

	for (; end - p >= 8; p += 8) {
		memcpy(&x, p, 8);
		/* High bits: bytes from 0x80 on, and those below 0x21. */
		if ((x | (x - ones * 0x21)) & ones * 0x80)
			break;
	}
	for (; p < end && !pd_is_blank(*p); p++)
		bits |= (unsigned char)*p;
	*ret_ascii = bits < 0x80;
	return p;
}

/* The word at p is set but for its columns; counts are read on the way. Returns its end. */
static const char *scan_word(const char *p, const char *end, struct pd_word *w, bool *ret_ascii)
{
	enum { EASY_DIGITS = 15 }; /* any number of so many digits is below 2^53 */
	const char *from = p;
	uint64_t n = 0;

	for (; p < end && pd_is_digit(*p) && p - from < EASY_DIGITS; p++)
		n = 10 * n + (uint64_t)(*p - '0');
	*ret_ascii = true;
	if (p > from && (p == end || pd_is_blank(*p))) {
		w->text = (struct pd_span){from, (size_t)(p - from)};
		w->kind = PD_WORD_COUNT;
		w->value = (double)n;
		return p;
	}
	p = find_word_end(p, end, ret_ascii);
	w->text = (struct pd_span){from, (size_t)(p - from)};
	w->kind = parse_word(w->text, &w->value);
	return p;
}

size_t pd_words_split(struct pd_span line, struct pd_word *ret_words, size_t max)
{
	const char *p = line.ptr, *end = p + line.len, *from;
	int64_t shift = 0; /* of columns against bytes, by tabs and UTF-8 */
	struct pd_word rest;
	size_t n = 0;

	for (;; n++) {
		struct pd_word *w = n < max ? &ret_words[n] : &rest;
		bool has_tab = false, is_ascii;

		from = p;
		while (end - p >= 8 && !memcmp(p, "        ", 8))
			p += 8;
		for (; p < end && pd_is_blank(*p); p++)
			if (*p == '\t') {
				shift += TAB - 1 - (p - line.ptr + shift) % TAB;
				has_tab = true;
			}
		if (p == end)
			return n;
		w->is_far = has_tab || p - from > 1;
		w->from = (uint32_t)(p - line.ptr + shift);
		p = scan_word(p, end, w, &is_ascii);
		for (size_t i = 0; !is_ascii && i < w->text.len; i++)
			shift -= ((unsigned char)w->text.ptr[i] & 0xc0) == 0x80; /* one column */
		w->to = (uint32_t)(p - line.ptr + shift);
	}
}

void pd_cutter_done(struct pd_cutter *cut)
{
	if (!cut)
		return;
	free(cut->columns);
	pd_buf_done(&cut->names);
	*cut = (struct pd_cutter){0};
}

struct pd_span pd_cutter_name(const struct pd_cutter *cut, uint32_t column)
{
	const struct pd_cutter_column *c = &cut->columns[column];

	return c->name_len ? (struct pd_span){cut->names.ptr + c->name, c->name_len} :
		(struct pd_span){"", 0};
}

static bool reserve(struct pd_cutter *cut, size_t n)
{
	struct pd_cutter_column *p;

	cut->n_columns = 0;
	cut->names.len = 0;
	if (n <= cut->cap)
		return true;
	p = realloc(cut->columns, n * sizeof(*p));
	if (!p)
		return false;
	cut->columns = p;
	cut->cap = (uint32_t)n;
	return true;
}

bool pd_cutter_count(struct pd_cutter *cut, uint32_t n, bool is_names_right)
{
	if (!reserve(cut, n))
		return false;
	memset(cut->columns, 0, n * sizeof(*cut->columns));
	cut->n_columns = n;
	cut->is_placed = false;
	cut->is_names_right = is_names_right;
	return true;
}

bool pd_cutter_is_name_word(struct pd_span word)
{
	static const char *const words[] = {
		"function", "functions", "func", "name", "names", "symbol", "symbols", "routine",
		"routines", "kernel", "version", NULL,
	};

	return is_one_of(word, words);
}

/* Whether one of the words of a header tells that its numbers follow from the others. */
static bool is_derived_word(struct pd_span s)
{
	static const char *const words[] = {
		"delta", "diff", "difference", "change", "ratio", "gain", "speedup", "percent",
		"pct", "+/-", "increase", NULL,
	};

	s.len -= s.len > 1 && s.ptr[s.len - 1] == ':';
	return is_one_of(s, words) || memchr(s.ptr, '%', s.len);
}

static void add_column(struct pd_cutter *cut, const struct pd_word *words, size_t n)
{
	const char *end = words[n - 1].text.ptr + words[n - 1].text.len;
	struct pd_cutter_column c = {
		.from = words[0].from,
		.to = words[n - 1].to,
		.name = cut->names.len,
		.name_len = (size_t)(end - words[0].text.ptr),
	};

	for (size_t i = 0; i < n; i++)
		if (is_derived_word(words[i].text))
			c.kind = PD_CUTTER_DERIVED;
	pd_buf_add(&cut->names, words[0].text.ptr, c.name_len);
	cut->columns[cut->n_columns++] = c;
}

bool pd_cutter_head(struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		    bool is_by_word, bool is_names_right)
{
	size_t from = 0, to = n_words, end;
	uint32_t n_sides = 0;

	while (!is_names_right && from < to && pd_cutter_is_name_word(words[from].text))
		from++;
	while (is_names_right && from < to && pd_cutter_is_name_word(words[to - 1].text))
		to--;
	if (!reserve(cut, n_words))
		return false;
	cut->is_placed = true;
	cut->is_forgiving = false;
	cut->max_gap = is_by_word ? -1 : MAX_GAP;
	cut->is_names_right = is_names_right;
	for (size_t i = from; i < to; i = end) {
		for (end = i + 1; end < to && !is_by_word && !words[end].is_far; end++)
			;
		add_column(cut, words + i, end - i);
	}
	for (uint32_t i = 0; i < cut->n_columns; i++)
		n_sides += cut->columns[i].kind == PD_CUTTER_SIDE;
	return n_sides > 1 && !cut->names.failed;
}

/* How far a word is from a column; less than 0 by how much they overlap. */
static int64_t distance(const struct pd_cutter_column *c, const struct pd_word *w)
{
	int64_t from = c->from > w->from ? c->from : w->from, to = c->to < w->to ? c->to : w->to;

	return from - to;
}

/* The nearest of the columns [from, to), or to. */
static uint32_t nearest_column(const struct pd_cutter *cut, uint32_t from, uint32_t to,
			       const struct pd_word *w)
{
	int64_t best_distance = cut->max_gap + 1;
	uint32_t best = to;

	for (uint32_t i = from; i < to; i++) {
		int64_t d = distance(&cut->columns[i], w);

		if (d < best_distance) {
			best = i;
			best_distance = d;
		}
		if (cut->columns[i].from >= w->to + MAX_GAP)
			break;
	}
	return best;
}

/*
 * Put cells into places, from the end that is not the names'. Returns how many
 * there are; 0 if a word that is none stands apart from the name in a column.
 */
static size_t place_cells(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
			  size_t *ret_cells)
{
	uint32_t from = 0, to = cut->n_columns;
	size_t n = 0;

	for (; n + 1 < n_words && from < to; n++) {
		size_t i = cut->is_names_right ? n : n_words - 1 - n;
		uint32_t c = nearest_column(cut, from, to, &words[i]);
		bool is_apart = words[i + cut->is_names_right].is_far;

		if (words[i].kind == PD_WORD_TEXT)
			return c < to && is_apart && distance(&cut->columns[c], &words[i]) < 0 ?
				0 : n;
		if (c == to)
			break;
		ret_cells[c] = i;
		if (cut->is_names_right)
			from = c + 1;
		else
			to = c;
	}
	return n;
}

static size_t count_cells(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
			  size_t *ret_cells)
{
	size_t first = cut->is_names_right ? 0 : n_words - cut->n_columns;

	if (n_words <= cut->n_columns)
		return 0;
	for (uint32_t i = 0; i < cut->n_columns; i++) {
		if (words[first + i].kind == PD_WORD_TEXT)
			return 0;
		ret_cells[i] = first + i;
	}
	return cut->n_columns;
}

/*
 * Whether places are not to be believed: a number stands apart from the name and
 * found none, as where a short name did not reach the tab stop of the others.
 */
static bool is_shifted(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		       size_t n_placed)
{
	size_t i = cut->is_names_right ? n_placed : n_words - 1 - n_placed;

	return cut->is_forgiving && n_placed < cut->n_columns && n_words > n_placed + 1 &&
		words[i].kind != PD_WORD_TEXT && words[i + cut->is_names_right].is_far;
}

bool pd_cutter_match(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		     size_t *ret_cells, struct pd_span *ret_name)
{
	size_t n, first, last;

	for (uint32_t i = 0; i < cut->n_columns; i++)
		ret_cells[i] = PD_NO_WORD;
	n = cut->is_placed ? place_cells(cut, words, n_words, ret_cells) : 0;
	if (!cut->is_placed || is_shifted(cut, words, n_words, n))
		n = count_cells(cut, words, n_words, ret_cells);
	if (!n || n == n_words)
		return false;
	first = cut->is_names_right ? n : 0;
	last = cut->is_names_right ? n_words - 1 : n_words - 1 - n;
	if (words[cut->is_names_right ? last : first].kind != PD_WORD_TEXT)
		return false;
	*ret_name = (struct pd_span){
		words[first].text.ptr,
		(size_t)(words[last].text.ptr + words[last].text.len - words[first].text.ptr),
	};
	return true;
}
