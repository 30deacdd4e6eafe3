/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a name, a value and a unit, and nothing else.
 *
 *	fork_time 23475 ns
 *	throughput: 5027.49 MB/s
 *	vmlinux size = 9709248 bytes
 *	requests 1200
 *
 * The same name again is a repetition. Most lines need a unit: names with plain
 * numbers could be anything.
 */
#include "ingest/bench.h"

#include "base/num.h"

/* A name without what parts it from its value. */
static struct pd_span clean_name(struct pd_span s)
{
	s = pd_span_trim(s);
	while (s.len && strchr(":=,", s.ptr[s.len - 1]))
		s = pd_span_trim(pd_span_sub(s, 0, s.len - 1));
	return s;
}

/* Numbers within a name are those of another table's columns. */
static bool is_name(struct pd_span s)
{
	struct pd_span word;
	size_t i = 0;
	double x;

	if (!s.len || (!pd_is_alpha(s.ptr[0]) && s.ptr[0] != '_'))
		return false;
	while ((word = bench_next_word(s, &i)).len)
		if (pd_num_parse(word, &x))
			return false;
	return true;
}

static bool parse_line(struct pd_span line, struct pd_span *ret_name, struct pd_quantity *ret_q)
{
	size_t from;

	line = pd_span_trim(line);
	from = line.len;
	/* The last word is a value, or a unit behind one. */
	for (int n = 0; n < 2; n++) {
		while (from && !pd_is_blank(line.ptr[from - 1]))
			from--;
		if (!from)
			return false;
		if (pd_quantity_parse(pd_span_sub(line, from, line.len), ret_q)) {
			*ret_name = clean_name(pd_span_sub(line, 0, from));
			return is_name(*ret_name);
		}
		while (from && pd_is_blank(line.ptr[from - 1]))
			from--;
	}
	return false;
}

static bool is_comment(struct pd_span line)
{
	line = pd_span_trim(line);
	return !line.len || line.ptr[0] == '#';
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	size_t n_values = 0, n_units = 0, n_lines = 0;
	struct pd_span name;
	struct pd_quantity q;

	for (uint32_t k = 0; k < t->n; k++) {
		if (is_comment(t->lines[k]))
			continue;
		n_lines++;
		if (!parse_line(t->lines[k], &name, &q))
			continue;
		n_values++;
		n_units += q.unit.len && pd_unit_word(q.unit).is_known;
	}
	return n_units && 2 * n_units >= n_values && 10 * n_values >= 9 * n_lines
		       ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

static void read(struct bench_reader *r)
{
	struct pd_span none = {"", 0}, name;
	uint32_t run = bench_run(r, none);
	struct pd_quantity q;

	for (uint32_t k = 0; k < r->text.n && !r->failed; k++) {
		if (is_comment(r->text.lines[k]))
			continue;
		if (parse_line(r->text.lines[k], &name, &q))
			bench_add(r, run, none, name, &q);
		else
			bench_complain(r, k, "a name, a value and its unit");
	}
}

const struct bench_shape bench_shape_values = {sniff, read};
