/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of tables of measurements: a name, and cells from the right. Contract:
 * bench.h.
 *
 *	fork time     23475ns            24638 ns        -4.7%
 *	read lat      12.5 +- 0.3 us     11.9 us +- 2%   (-4.8%)    a comment
 */
#include "ingest/bench.h"

#include "base/num.h"

enum { MAX_WORDS = 160 };

bool bench_is_one_of(struct pd_span s, const char *const *words)
{
	for (; *words; words++)
		if (pd_span_eq_nocase(s, *words))
			return true;
	return false;
}

bool bench_is_version(struct pd_span s)
{
	size_t i = s.len && s.ptr[0] == 'v', dot = pd_span_find(s, ".");
	double x;

	return i < s.len && pd_is_digit(s.ptr[i]) && dot != SIZE_MAX && dot + 1 < s.len &&
	       pd_is_digit(s.ptr[dot + 1]) && !pd_num_parse(s, &x);
}

static bool is_missing(struct pd_span s)
{
	static const char *const words[] = {"-", "--", "n/a", "na", "nan", "?", NULL};

	return bench_is_one_of(s, words);
}

static bool is_spread_mark(struct pd_span s)
{
	return pd_span_eq(s, "+-") || pd_span_eq(s, "+/-") || pd_span_eq(s, "\xc2\xb1");
}

/* A cell is what stands before its spread; the unit behind that is of both. */
static void adopt_spread(struct bench_cell *c, struct pd_quantity value, struct pd_span unit)
{
	struct pd_unit_word w = pd_unit_word(c->unit);
	bool is_percent = pd_span_eq(c->q.unit, "percent");

	c->sd = is_percent ? value.value * c->q.value / 100 : c->q.value;
	if (is_percent || value.unit.len) {
		c->unit = unit;
		c->q = value;
	} else {
		c->q.value = pd_unit_scale(&w, value.value);
	}
}

/*
 * The quantity that ends before word i, and its unit as printed: how many words
 * it has, 0 if there is none.
 */
static size_t take_quantity(const struct pd_span *words, size_t i, struct pd_quantity *ret_q,
			    struct pd_span *ret_unit)
{
	const struct pd_span *last = &words[i - 1];
	struct pd_span both;
	double x;

	*ret_unit = *last;
	if (pd_quantity_parse(*last, ret_q)) {
		*ret_unit = pd_span_sub(*last, pd_quantity_scan(*last, &x), last->len);
		return 1;
	}
	if (i < 2 || !pd_unit_word(*last).is_known)
		return 0;
	/* The unit is a word of its own. */
	both = (struct pd_span){last[-1].ptr, (size_t)(last->ptr + last->len - last[-1].ptr)};
	return pd_quantity_parse(both, ret_q) ? 2 : 0;
}

/* The cell that ends with word *i, which moves before it; false if there is none. */
static bool take_cell(const struct pd_span *words, size_t *i, struct bench_cell *ret_cell)
{
	struct bench_cell c = {.q = {PD_UNKNOWN, {"", 0}, PD_BETTER_UNKNOWN}, .sd = PD_UNKNOWN,
			 .unit = {"", 0}};
	struct pd_quantity value;
	struct pd_span unit;
	size_t n;

	if (is_missing(words[*i - 1])) {
		(*i)--;
		*ret_cell = c;
		return true;
	}
	n = take_quantity(words, *i, &c.q, &c.unit);
	if (!n)
		return false;
	*i -= n;
	if (*i > 1 && is_spread_mark(words[*i - 1])) {
		n = take_quantity(words, *i - 1, &value, &unit);
		if (!n)
			return false;
		adopt_spread(&c, value, unit);
		*i -= n + 1;
	}
	c.is_fine = c.q.unit.len > 0 || pd_span_find(words[*i], ".") != SIZE_MAX;
	*ret_cell = c;
	return true;
}

/* "(+4.7%)" and "( 4.7%)" say nothing new: how many words they are at the end. */
static size_t n_comment_words(const struct pd_span *words, size_t i)
{
	size_t n = 1;

	if (!pd_span_ends(words[i - 1], ")"))
		return 0;
	while (n <= 2 && n <= i && words[i - n].ptr[0] != '(')
		n++;
	return n <= 2 && n <= i && (n > 1 || pd_span_find(words[i - 1], "%") != SIZE_MAX) ? n : 0;
}

bool bench_row_parse(struct pd_span line, size_t max, struct bench_row *ret_row)
{
	struct pd_span words[MAX_WORDS];
	size_t i = bench_split(line, true, words, MAX_WORDS), n = 0, skip;
	struct bench_cell cells[BENCH_MAX_COLUMNS];

	if (i > MAX_WORDS || i < 2 || memchr(line.ptr, '|', line.len))
		return false;
	while (i && n < max) {
		skip = n_comment_words(words, i);
		i -= skip;
		if (!i || !take_cell(words, &i, &cells[n]))
			break;
		n++;
	}
	if (!n || !i || is_spread_mark(words[i - 1]))
		return false;
	ret_row->n = n;
	for (size_t k = 0; k < n; k++)
		ret_row->cells[k] = cells[n - 1 - k];
	ret_row->name = (struct pd_span){words[0].ptr,
					 (size_t)(words[i - 1].ptr + words[i - 1].len -
						  words[0].ptr)};
	while (ret_row->name.len > 1 && strchr(":=", ret_row->name.ptr[ret_row->name.len - 1]))
		ret_row->name = pd_span_trim(pd_span_sub(ret_row->name, 0, ret_row->name.len - 1));
	return pd_is_alpha(ret_row->name.ptr[0]) || ret_row->name.ptr[0] == '_' ||
	       bench_is_version(pd_span_sub(ret_row->name, 0, pd_span_find(ret_row->name, " ")));
}
