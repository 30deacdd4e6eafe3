/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cutting rows. Contract: cutter.h.
 */
#include "ingest/cutter.h"

#include <endian.h>
#include <stdlib.h>

#include "base/num.h"
#include "io/scan.h"

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

/*
 * A count of at most 8 digits, without a loop whose end a processor cannot
 * foresee: the 8 bytes up to the end of s, with zeros for those before s, are
 * digits to 4, 2, 1 numbers. All 8 bytes must be there; false if some are none.
 */
static inline bool parse_short_count(struct pd_span s, uint64_t *ret_n)
{
	const uint64_t ones = ~(uint64_t)0 / 255;
	uint64_t keep = ~(uint64_t)0 << 8 * (8 - s.len), x;

	memcpy(&x, s.ptr + s.len - 8, sizeof(x));
	x = (le64toh(x) & keep) | (ones * '0' & ~keep);
	if ((x & ones * 0xf0) != ones * 0x30 || ((x + ones * 6) & ones * 0xf0) != ones * 0x30)
		return false;
	x &= ones * 0xf;
	x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ffu;
	x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffffu;
	*ret_n = (x * 10000 + (x >> 32)) & 0xffffffffu;
	return true;
}

/* The kind of w, a word of the line that begins there; most words of rows are counts. */
static inline void read_word(struct pd_word *w, const char *line)
{
	size_t len = w->text.len;
	uint64_t n;

	if (len <= 8 && w->text.ptr + len - line >= 8 && parse_short_count(w->text, &n)) {
		w->kind = PD_WORD_COUNT;
		w->value = (double)(int64_t)n;
	} else {
		w->kind = parse_word(w->text, &w->value);
	}
}

/* The words of a line with tabs, or not of ASCII alone. */
static size_t split_odd(struct pd_span line, struct pd_word *ret_words, size_t max)
{
	const char *p = line.ptr, *end = p + line.len, *from;
	int64_t shift = 0; /* of columns against bytes */
	struct pd_word rest;
	size_t n = 0;

	for (;; n++) {
		struct pd_word *w = n < max ? &ret_words[n] : &rest;
		bool has_tab = false;

		for (from = p; p < end && pd_is_blank(*p); p++)
			if (*p == '\t') {
				shift += TAB - 1 - (p - line.ptr + shift) % TAB;
				has_tab = true;
			}
		if (p == end)
			return n;
		w->is_far = has_tab || p - from > 1;
		w->from = (uint32_t)(p - line.ptr + shift);
		for (from = p; p < end && !pd_is_blank(*p); p++)
			shift -= ((unsigned char)*p & 0xc0) == 0x80; /* a sequence is one column */
		w->to = (uint32_t)(p - line.ptr + shift);
		w->text = (struct pd_span){from, (size_t)(p - from)};
		read_word(w, line.ptr);
	}
}

/*
 * The blanks among the 64 bytes at that offset of a line, bit i for byte i; what
 * is behind its end is blank. False if there are tabs, or not ASCII alone.
 */
static bool find_blanks(struct pd_span line, size_t at, uint64_t *ret_blanks)
{
	size_t n = line.len - at;
	char rest[PD_SCAN_BYTES];
	bool is_plain;

	if (n >= PD_SCAN_BYTES)
		return pd_scan_words(line.ptr + at, ret_blanks);
	if (at) { /* the last 64 bytes, less those that were seen already */
		is_plain = pd_scan_words(line.ptr + line.len - PD_SCAN_BYTES, ret_blanks);
		*ret_blanks = n ? *ret_blanks >> (PD_SCAN_BYTES - n) : 0;
		*ret_blanks |= ~UINT64_C(0) << n;
		return is_plain;
	}
	memset(rest, ' ', sizeof(rest));
	memcpy(rest, line.ptr, n);
	return pd_scan_words(rest, ret_blanks);
}

size_t pd_words_split(struct pd_span line, struct pd_word *ret_words, size_t max)
{
	size_t n = 0, from = 0, to = 0; /* of the word that was found last */
	bool is_word = false;           /* it began, and its end is not found yet */
	struct pd_word rest;

	for (size_t at = 0; at < line.len || is_word; at += PD_SCAN_BYTES) {
		uint64_t blanks, edges;

		if (!find_blanks(line, at, &blanks))
			return split_odd(line, ret_words, max);
		edges = blanks ^ (blanks << 1 | !is_word); /* words begin and end here */
		while (edges) {
			struct pd_word *w = n < max ? &ret_words[n] : &rest;

			if (!is_word) {
				from = at + (size_t)__builtin_ctzll(edges);
				w->is_far = from - to > 1;
				is_word = true;
				edges &= edges - 1;
				if (!edges)
					break;
			}
			to = at + (size_t)__builtin_ctzll(edges);
			edges &= edges - 1;
			is_word = false;
			w->from = (uint32_t)from;
			w->to = (uint32_t)to;
			w->text = (struct pd_span){line.ptr + from, to - from};
			read_word(w, line.ptr);
			n++;
		}
	}
	return n;
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

/* A row that has all cells, each in its column, as nearly all rows have. */
static bool place_all(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		      size_t *ret_cells)
{
	size_t first = !cut->is_names_right;

	if (n_words != cut->n_columns + 1u)
		return false;
	for (uint32_t i = 0; i < cut->n_columns; i++) {
		const struct pd_word *w = &words[first + i];
		const struct pd_cutter_column *c = &cut->columns[i];

		if (w->kind == PD_WORD_TEXT || w->from >= c->to || c->from >= w->to)
			return false;
		ret_cells[i] = first + i;
	}
	return true;
}

bool pd_cutter_match(const struct pd_cutter *cut, const struct pd_word *words, size_t n_words,
		     size_t *ret_cells, struct pd_span *ret_name)
{
	size_t n, first, last;

	if (cut->is_placed && place_all(cut, words, n_words, ret_cells)) {
		n = cut->n_columns;
	} else {
		for (uint32_t i = 0; i < cut->n_columns; i++)
			ret_cells[i] = PD_NO_WORD;
		n = cut->is_placed ? place_cells(cut, words, n_words, ret_cells) : 0;
		if (!cut->is_placed || is_shifted(cut, words, n_words, n))
			n = count_cells(cut, words, n_words, ret_cells);
	}
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
