/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmarks of Go (golang.org/design/14313-benchmark-format), which programs in
 * other languages write too.
 *
 *	goos: linux
 *	pkg: golang.org/x/perf/cmd/benchstat/testdata
 *	Unit allocs/op better=lower
 *	BenchmarkEncode/format=json-48    690848    1726 ns/op    248 B/op    45.2 MB/s
 *
 * A line is one repetition. Its time has the benchmark's name, each further
 * value the name with the unit behind it. Here a MB is a million bytes.
 */
#include "ingest/bench.h"

#include "base/num.h"

/* Whether a line begins as a result: a name, iterations and something more. */
static bool is_result(struct pd_span line, struct pd_span *ret_name, size_t *ret_i)
{
	double n;
	size_t i = 0;
	struct pd_span name = bench_next_word(line, &i);

	if (!pd_span_starts(name, "Benchmark") ||
	    !pd_num_parse_count(bench_next_word(line, &i), &n))
		return false;
	*ret_name = name;
	*ret_i = i;
	return pd_span_trim(pd_span_sub(line, i, line.len)).len > 0;
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	struct pd_span name, value;
	double x;
	size_t i;

	for (uint32_t k = 0; k < t->n; k++) {
		if (!is_result(t->lines[k], &name, &i))
			continue;
		value = bench_next_word(t->lines[k], &i);
		if (pd_num_parse(value, &x) && bench_next_word(t->lines[k], &i).len)
			return PD_SNIFF_YES;
	}
	return PD_SNIFF_NO;
}

static struct pd_quantity quantity_of(double x, struct pd_span unit)
{
	struct pd_unit_word w = pd_unit_word(unit);

	if (pd_span_eq(unit, "MB/s"))
		w.factor = 1e6;
	return (struct pd_quantity){pd_unit_scale(&w, x), w.unit, w.better};
}

enum { MAX_UNITS = 64 };

/* The "Unit NAME better=higher" lines; more than some of them are not believed. */
struct units {
	struct pd_span lines[MAX_UNITS];
	uint32_t n;
};

static void find_units(const struct bench_text *t, struct units *ret_units)
{
	ret_units->n = 0;
	for (uint32_t k = 0; k < t->n && ret_units->n < MAX_UNITS; k++) {
		size_t i = 0;

		if (pd_span_eq(bench_next_word(t->lines[k], &i), "Unit"))
			ret_units->lines[ret_units->n++] = t->lines[k];
	}
}

static enum pd_better better_of(const struct units *units, struct pd_span unit)
{
	for (uint32_t k = 0; k < units->n; k++) {
		struct pd_span line = units->lines[k], word;
		size_t i = 0;

		bench_next_word(line, &i);
		word = bench_next_word(line, &i);
		if (word.len != unit.len || memcmp(word.ptr, unit.ptr, unit.len) != 0)
			continue;
		while ((word = bench_next_word(line, &i)).len)
			if (pd_span_starts(word, "better="))
				return pd_span_eq(word, "better=higher") ? PD_BETTER_HIGHER
									 : PD_BETTER_LOWER;
	}
	return PD_BETTER_UNKNOWN;
}

static void read_result(struct bench_reader *r, const struct units *units, uint32_t k,
			uint32_t run, struct pd_span group)
{
	struct pd_span line = r->text.lines[k], name, value, unit;
	struct pd_buf full = {0};
	size_t i, n = 0;
	double x;

	if (!is_result(line, &name, &i))
		return;
	while ((value = bench_next_word(line, &i)).len) {
		struct pd_quantity q;
		enum pd_better better;

		unit = bench_next_word(line, &i);
		if (!unit.len || !pd_num_parse(value, &x)) {
			bench_complain(r, k, "a benchmark's values, each with a unit");
			break;
		}
		q = quantity_of(x, unit);
		better = better_of(units, unit);
		if (better)
			q.better = better;
		full.len = 0;
		pd_buf_add(&full, name.ptr, name.len);
		if (!pd_span_eq(unit, "ns/op"))
			pd_buf_printf(&full, " %.*s", PD_SPAN_ARG(unit));
		bench_add(r, run, group, (struct pd_span){full.ptr, full.len}, &q);
		n++;
	}
	r->failed |= full.failed;
	pd_buf_done(&full);
}

static void read(struct bench_reader *r)
{
	struct pd_span none = {"", 0}, first = none, group = none;
	uint32_t run = bench_run(r, none);
	struct units units;

	find_units(&r->text, &units);
	for (uint32_t k = 0; k < r->text.n && !r->failed; k++) {
		struct pd_span line = r->text.lines[k];

		if (pd_span_starts(line, "pkg: ")) {
			struct pd_span package = pd_span_sub(line, 5, line.len);

			/* Equal names of several packages are several benchmarks. */
			if (!first.len)
				first = package;
			group = first.len == package.len &&
				!memcmp(first.ptr, package.ptr, first.len) ? none : package;
		}
		read_result(r, &units, k, run, group);
	}
}

const struct bench_shape bench_shape_go = {sniff, read};
