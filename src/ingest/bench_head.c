/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above the tables of benchmarks. Contract: bench.h.
 *
 *	specjbb                                               title
 *	                     5.9.0-rc4       5.9.0-rc4        the same for all
 *	                       vanilla dstbalance-v1r1        names
 *	Hmean  tput-1    46425.00 (...)  43394.00 (...)       first row
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/prose.h"

enum { MAX_LINES = 3 }; /* of names */

size_t bench_split(struct pd_span line, bool is_by_word, struct pd_span *ret_fields, size_t max)
{
	size_t n = 0, i = 0;

	while (i < line.len) {
		size_t from, to;

		while (i < line.len && pd_is_blank(line.ptr[i]))
			i++;
		from = to = i;
		while (i < line.len) {
			bool is_gap = pd_is_blank(line.ptr[i]) &&
				      (is_by_word || line.ptr[i] == '\t' || i + 1 == line.len ||
				       pd_is_blank(line.ptr[i + 1]));

			if (is_gap)
				break;
			to = ++i;
		}
		if (to > from && n++ < max)
			ret_fields[n - 1] = pd_span_sub(line, from, to);
	}
	return n;
}

/* Whether a line is rather a row of numbers. */
static bool is_numbers(struct pd_span line)
{
	struct pd_quantity q;
	struct pd_span word;
	size_t n_numbers = 0, n = 0, i = 0;

	while ((word = bench_next_word(line, &i)).len) {
		bool is_number = pd_quantity_parse(word, &q);

		n_numbers += is_number;
		n += is_number || !pd_unit_word(word).is_known;
	}
	return 2 * n_numbers > n;
}

static bool is_indented(struct pd_span line)
{
	return line.len > 4 && !pd_span_trim(pd_span_sub(line, 0, 4)).len;
}

/* The n names in a line; false if it has not so many. */
static bool split_names(struct pd_span line, size_t n, struct pd_span *ret_names)
{
	struct pd_span all[BENCH_MAX_COLUMNS];
	size_t have = 0;

	if (is_numbers(line))
		return false;
	for (int is_by_word = 0; is_by_word < 2; is_by_word++) {
		if (is_by_word && !is_indented(line) && have > 1)
			return false;
		have = bench_split(line, is_by_word, all, BENCH_MAX_COLUMNS);
		/* The column of the rows' names may have one, too. */
		if (have != n && (have != n + 1 || (is_by_word && n < 2)))
			continue;
		if (n == 1 && have == 1)
			return false;
		memcpy(ret_names, all + (have - n), n * sizeof(*all));
		return true;
	}
	return false;
}

static bool is_same_for_all(const struct pd_span *names, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (names[i].len != names[0].len ||
		    memcmp(names[i].ptr, names[0].ptr, names[0].len) != 0)
			return false;
	return true;
}

/* "b", or "a b" where a is not empty. */
static bool join(struct pd_arena *arena, struct pd_span a, struct pd_span *b)
{
	char *s;

	if (!a.len)
		return true;
	s = pd_arena_alloc(arena, a.len + b->len + 2);
	if (!s)
		return false;
	memcpy(s, a.ptr, a.len);
	s[a.len] = ' ';
	memcpy(s + a.len + 1, b->ptr, b->len);
	*b = (struct pd_span){s, a.len + (b->len ? 1 : 0) + b->len};
	return true;
}

/* The line above, over rules and at most one blank line; UINT32_MAX if there is none. */
static uint32_t line_above(const struct bench_text *t, uint32_t row, bool *ret_is_apart)
{
	*ret_is_apart = false;
	while (row--) {
		if (!t->lines[row].len) {
			if (*ret_is_apart)
				return UINT32_MAX;
			*ret_is_apart = true;
		} else if (!pd_prose_is_rule(t->lines[row])) {
			return row;
		}
	}
	return UINT32_MAX;
}

bool bench_find_head(struct bench_text *t, uint32_t row, size_t n, struct bench_head *ret_head)
{
	struct pd_span names[BENCH_MAX_COLUMNS];
	bool is_apart;
	uint32_t above;

	*ret_head = (struct bench_head){.title = {"", 0}};
	for (size_t i = 0; i < n; i++)
		ret_head->names[i] = (struct pd_span){"", 0};
	if (!n || n > BENCH_MAX_COLUMNS)
		return true;
	above = line_above(t, row, &is_apart);
	for (int k = 0; k < MAX_LINES && above != UINT32_MAX; k++) {
		if ((k && (is_apart || !is_indented(t->lines[above]))) ||
		    !split_names(t->lines[above], n, names))
			break;
		ret_head->has_names = true;
		/* One that tells nothing is kept only while there is no other. */
		if (n < 2 || !is_same_for_all(names, n) || !ret_head->names[0].len) {
			if (n > 1 && ret_head->names[0].len &&
			    is_same_for_all(ret_head->names, n))
				memcpy(ret_head->names, names, n * sizeof(*names));
			else
				for (size_t i = 0; i < n; i++)
					if (!join(&t->arena, names[i], &ret_head->names[i]))
						return false;
		}
		above = line_above(t, above, &is_apart);
	}
	if (above != UINT32_MAX && !is_numbers(t->lines[above]) &&
	    bench_split(t->lines[above], false, names, BENCH_MAX_COLUMNS) < 3)
		ret_head->title = is_apart ? pd_prose_heading(t->lines[above])
					   : bench_title(t->lines[above]);
	return true;
}

struct pd_span bench_group(struct bench_reader *r, uint32_t table, struct pd_span title,
			   uint32_t run, struct pd_span name)
{
	struct pd_buf text = {0};
	struct pd_span group = {"", 0};

	if (r->n_tables < 2)
		return group;
	if (title.len && !pd_builder_has_metric(r->b, run, title, name))
		return title;
	pd_buf_printf(&text, "table %u", table);
	group.ptr = text.failed ? NULL : pd_arena_strndup(&r->text.arena, text.ptr, text.len);
	group.len = group.ptr ? text.len : 0;
	r->failed |= !group.ptr;
	pd_buf_done(&text);
	return group.ptr ? group : (struct pd_span){"", 0};
}
