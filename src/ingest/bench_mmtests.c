/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of mmtests (compare-mmtests.pl), and by hand in their likeness.
 *
 *	specjbb
 *	                               5.9.0-rc4              5.9.0-rc4
 *	                                 vanilla        dstbalance-v1r1
 *	Hmean     tput-1     46425.00 (   0.00%)    43394.00 *  -6.53%*
 *	Hmean     tput-2     98416.00 (   0.00%)    96031.00 *  -2.42%*
 *
 *	Duration User          1.61        1.52
 *
 * Columns are sides. Each percentage says whether the column is better, so that
 * its sign beside that of the difference tells which way is good. No unit is
 * printed: numbers are as they stand.
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/prose.h"

struct row {
	struct pd_span name;
	double values[BENCH_MAX_COLUMNS];
	double gains[BENCH_MAX_COLUMNS]; /* percent, or unknown */
	size_t n;
	bool has_gains;
};

static size_t skip_blanks(struct pd_span s, size_t i)
{
	while (i < s.len && pd_is_blank(s.ptr[i]))
		i++;
	return i;
}

/* "(   0.00%)" or "*  -6.53%*" at *i. */
static bool take_gain(struct pd_span s, size_t *i, double *ret_gain)
{
	size_t at = skip_blanks(s, *i), len;
	char close;

	if (at >= s.len || (s.ptr[at] != '(' && s.ptr[at] != '*'))
		return false;
	close = s.ptr[at] == '(' ? ')' : '*';
	at = skip_blanks(s, at + 1);
	len = pd_quantity_scan(pd_span_sub(s, at, s.len), ret_gain);
	at += len;
	if (!len || at + 1 >= s.len || s.ptr[at] != '%' || s.ptr[at + 1] != close)
		return false;
	*i = at + 2;
	return true;
}

static bool take_number(struct pd_span s, size_t *i, double *ret_x)
{
	size_t at = skip_blanks(s, *i), len = pd_quantity_scan(pd_span_sub(s, at, s.len), ret_x);

	if (!len || (at + len < s.len && !strchr(" \t(*", s.ptr[at + len])))
		return false;
	*i = at + len;
	return true;
}

/* All that follows from i on: values, each with a gain (but perhaps the first) or none. */
static bool parse_cells(struct pd_span s, size_t i, struct row *row)
{
	row->n = 0;
	row->has_gains = false;
	while (skip_blanks(s, i) < s.len) {
		if (row->n == BENCH_MAX_COLUMNS || !take_number(s, &i, &row->values[row->n]))
			return false;
		row->gains[row->n] = PD_UNKNOWN;
		if (take_gain(s, &i, &row->gains[row->n]))
			row->has_gains = true;
		else if (row->has_gains)
			return false;
		row->n++;
	}
	return row->n > 0;
}

static void drop_first(struct row *row)
{
	row->n--;
	memmove(row->values, row->values + 1, row->n * sizeof(*row->values));
	memmove(row->gains, row->gains + 1, row->n * sizeof(*row->gains));
}

/* A name and values with gains; with n_plain also one with so many values and none. */
static bool parse_row(struct pd_span line, size_t n_plain, struct row *ret_row)
{
	size_t i = 0, from;
	double x;

	if (!line.len || (!n_plain && !memchr(line.ptr, '%', line.len)))
		return false;
	while (i < line.len) {
		i = from = skip_blanks(line, i);
		if (from && take_number(line, &i, &x) && parse_cells(line, from, ret_row) &&
		    (ret_row->has_gains ? ret_row->n > 1 || !n_plain : ret_row->n == n_plain)) {
			/* "Amean 12": a number without a gain is of the name, or the only base. */
			if (ret_row->has_gains && !pd_is_known(ret_row->gains[0]) &&
			    (ret_row->n > 2 || !pd_is_known(ret_row->gains[1]))) {
				drop_first(ret_row);
				from = i;
			}
			ret_row->name = pd_span_trim(pd_span_sub(line, 0, from));
			return ret_row->name.len && pd_is_alpha(ret_row->name.ptr[0]);
		}
		for (i = from; i < line.len && !pd_is_blank(line.ptr[i]); i++)
			;
	}
	return false;
}

bool bench_is_mmtests_row(struct pd_span line)
{
	struct row row;

	return parse_row(line, 0, &row) && row.n > 1;
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	size_t n = 0;

	for (uint32_t k = 0; k < t->n; k++)
		n += bench_is_mmtests_row(t->lines[k]);
	return n > 2 ? PD_SNIFF_YES : n ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

static enum pd_better better_of(const struct row *row)
{
	for (size_t i = 1; i < row->n; i++) {
		double delta = row->values[i] - row->values[0], gain = row->gains[i];

		if (pd_is_known(gain) && gain != 0 && delta != 0)
			return (gain > 0) == (delta > 0) ? PD_BETTER_HIGHER : PD_BETTER_LOWER;
	}
	return PD_BETTER_UNKNOWN;
}

/* A table that is being read. */
struct table {
	struct bench_head head;
	struct pd_span group;
	uint32_t runs[BENCH_MAX_COLUMNS], no;
	size_t n;
};

static void open_table(struct bench_reader *r, struct table *t, uint32_t k, const struct row *row)
{
	t->n = row->n;
	t->no++;
	if (!r->b)
		return;
	r->failed |= !bench_find_head(&r->text, k, row->n, &t->head);
	for (size_t i = 0; i < t->n; i++) {
		char name[32];
		struct pd_span section = t->head.names[i];

		if (!section.len && t->n == 2) {
			section = pd_span_of(i ? "next" : "base");
		} else if (!section.len) {
			struct pd_buf text = {0};

			pd_buf_printf(&text, "column %zu", i + 1);
			r->failed |= text.failed;
			if (!text.failed)
				memcpy(name, text.ptr, text.len);
			section = (struct pd_span){name, text.failed ? 0 : text.len};
			pd_buf_done(&text);
		}
		t->runs[i] = bench_run(r, section);
	}
	t->group = bench_group(r, t->no, t->head.title, t->runs[0], row->name);
}

static void add_row(struct bench_reader *r, const struct table *t, const struct row *row)
{
	for (size_t i = 0; r->b && i < t->n; i++) {
		struct pd_quantity q = {row->values[i], {"", 0}, better_of(row)};

		bench_add(r, t->runs[i], t->group, row->name, &q);
	}
}

/* Walk over all tables; without a builder just count them. */
static uint32_t walk(struct bench_reader *r)
{
	struct table t = {0};
	bool is_open = false;
	struct row row;

	for (uint32_t k = 0; k < r->text.n && !r->failed; k++) {
		struct pd_span line = r->text.lines[k];

		if (r->b && pd_builder_is_failed(r->b))
			break;
		if (!line.len || pd_prose_is_ellipsis(line) || pd_prose_is_rule(line))
			continue;
		if (!parse_row(line, is_open ? t.n : 0, &row) || row.n < 2) {
			is_open = false;
			continue;
		}
		if (!is_open || row.n != t.n)
			open_table(r, &t, k, &row);
		is_open = true;
		add_row(r, &t, &row);
	}
	return t.no;
}

static void read(struct bench_reader *r)
{
	struct pd_builder *b = r->b;

	r->b = NULL;
	r->n_tables = walk(r);
	r->b = b;
	(void)walk(r);
}

const struct bench_shape bench_shape_mmtests = {sniff, read};
