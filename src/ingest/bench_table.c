/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of measurements as people write them. Columns are sides, and a row has
 * its own unit; a row's unit may stand at one of its cells only:
 *
 *	                  inline           non-inline       diff
 *	vmlinux size      9709248 bytes    9709824 bytes    -576 bytes
 *	fork time         23475ns          24638ns          -4.7%
 *
 * or rows are sides, and a column has its unit, which may stand in its first row
 * only:
 *
 *	              Avg of 3 runs                    Elapsed      System
 *	2.5.69-mm5    830.3 seconds         2.5.70-mm3   45.93      115.28
 *	2.5.70        732.8                 2.5.70-mm4   45.64      114.54
 *
 * Rows are sides if they are called like kernels, or the columns like parts of a
 * time. At least every second row needs a unit or a decimal: tables of whole
 * numbers are profiles (fmt_table.c). Columns like "diff" are not read.
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/prose.h"

struct table {
	struct bench_head head;
	uint32_t first, end; /* lines of rows */
	size_t n;            /* columns */
	bool is_rows;        /* rows are sides */
};

static bool is_derived(struct pd_span name)
{
	static const char *const words[] = {"diff", "difference", "delta", "change", "%", "%diff",
					    "%change", "diff%", "% change", "% diff", "ratio",
					    "improvement", "speedup", "gain", "imp", "%imp",
					    "% improvement", "diff %", NULL};

	return bench_is_one_of(name, words);
}

/* Names of columns over rows that are sides. */
static bool is_part(struct pd_span name)
{
	static const char *const words[] = {"elapsed", "system", "sys", "user", "cpu", "real",
					    "time", "throughput", "avg", "average", "mean",
					    "stddev", "std. dev", "std dev", "std.dev.", "min",
					    "max", "median", "ops/sec", "total", NULL};

	return bench_is_one_of(name, words) || pd_unit_word(name).is_known;
}

/* The words of profiles' heads. */
static bool is_profile_head(const struct bench_text *t, uint32_t row)
{
	static const char *const words[] = {"function", "functions", "symbol", "overhead", "event",
					    "samples", "self", "hit", "calls", "comm", "command",
					    NULL};
	struct pd_span line = {"", 0}, word;
	size_t i = 0;

	while (row && !line.len) {
		row--;
		line = pd_prose_is_rule(t->lines[row]) ? line : t->lines[row];
	}
	while ((word = bench_next_word(line, &i)).len)
		if (bench_is_one_of(word, words))
			return true;
	return false;
}

/* How the rows from first on look: their end, their cells, what they are called. */
struct survey {
	uint32_t n_rows, n_fine, n_versions;
	bool has_late_units; /* below the first row */
};

static struct survey survey_rows(const struct bench_text *t, struct table *table)
{
	struct survey s = {0};
	struct bench_row row;

	for (table->end = table->first; table->end < t->n; table->end++) {
		bool is_fine = false;

		if (pd_prose_is_rule(t->lines[table->end]))
			continue;
		if (!bench_row_parse(t->lines[table->end], table->n, &row) || row.n != table->n)
			break;
		for (size_t i = 0; i < row.n; i++) {
			is_fine |= row.cells[i].is_fine;
			s.has_late_units |= s.n_rows && row.cells[i].q.unit.len > 0;
		}
		s.n_rows++;
		s.n_fine += is_fine;
		row.name.len = pd_span_sub(row.name, 0, pd_span_find(row.name, " ")).len;
		s.n_versions += bench_is_version(row.name);
	}
	return s;
}

/*
 * Whether a table begins with line first. ret_table->end is set in any case: no
 * table begins between the two.
 */
static bool find_table(struct bench_text *t, uint32_t first, struct table *ret_table)
{
	struct table table = {.first = first};
	struct survey s;
	struct bench_row row;
	size_t n_parts = 0;

	ret_table->end = first + 1;
	if (!bench_row_parse(t->lines[first], BENCH_MAX_COLUMNS, &row) || is_profile_head(t, first))
		return false;
	/* A name may end in a number, which then is a cell too many for the head. */
	for (table.n = row.n; table.n; table.n--) {
		if (!bench_find_head(t, first, table.n, &table.head))
			return false;
		if (table.head.has_names)
			break;
	}
	if (row.n > table.n + 1)
		return false;
	if (!table.n)
		table.n = 1;
	s = survey_rows(t, &table);
	if (s.n_rows)
		ret_table->end = table.end;
	for (size_t i = 0; i < table.n; i++)
		n_parts += is_part(table.head.names[i]);
	if (2 * s.n_fine < s.n_rows || s.n_rows < (table.n > 1 ? 1u : 2u) || !s.n_fine)
		return false;
	table.is_rows = 2 * s.n_versions > s.n_rows || 2 * n_parts > table.n;
	if (table.n == 1 && !table.head.has_names &&
	    (!table.head.title.len || bench_row_parse(table.head.title, 1, &row) ||
	     (!table.is_rows && s.has_late_units)))
		return false;
	if (table.n == 1) {
		table.is_rows = true;
		if (!table.head.has_names)
			table.head.names[0] = table.head.title;
	}
	*ret_table = table;
	return true;
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	struct bench_text copy = *t; /* whose arena may grow */
	struct table table;
	enum pd_sniff answer = PD_SNIFF_NO;

	copy.arena = (struct pd_arena){0};
	for (uint32_t k = 0; k < t->n && answer == PD_SNIFF_NO; k = table.end)
		if (find_table(&copy, k, &table))
			answer = PD_SNIFF_MAYBE;
	pd_arena_done(&copy.arena);
	return answer;
}

/*
 * Cells without a unit get that of their column's first row, or, where columns
 * are sides, of their row: units keeps them between rows.
 */
static void share_units(struct bench_row *row, const struct table *t, struct pd_span *units)
{
	struct pd_span of_row = {"", 0};

	for (size_t i = 0; i < t->n; i++) {
		if (row->cells[i].unit.len && !is_derived(t->head.names[i]))
			of_row = row->cells[i].unit;
		if (row->cells[i].unit.len)
			units[i] = row->cells[i].unit;
	}
	for (size_t i = 0; i < t->n; i++) {
		struct bench_cell *c = &row->cells[i];
		struct pd_span unit = t->is_rows ? units[i] : of_row;
		struct pd_unit_word w = pd_unit_word(unit);

		if (c->unit.len || !unit.len)
			continue;
		c->q = (struct pd_quantity){pd_unit_scale(&w, c->q.value), w.unit, w.better};
		c->sd = pd_unit_scale(&w, c->sd);
	}
}

/* "Avg of 3 runs": 3; or unknown. */
static double runs_in(struct pd_span name)
{
	size_t at = pd_span_find(name, " of "), i;
	double n;

	if (at == SIZE_MAX)
		return PD_UNKNOWN;
	i = at + strlen(" of ");
	if (!pd_num_parse_count(bench_next_word(name, &i), &n) ||
	    !pd_span_starts(bench_next_word(name, &i), "run"))
		return PD_UNKNOWN;
	return n;
}

static void add_cell(struct bench_reader *r, uint32_t run, struct pd_span group,
		     struct pd_span name, const struct bench_cell *c)
{
	uint32_t metric = bench_add(r, run, group, name, &c->q);
	double n = runs_in(name);

	if (pd_is_known(c->sd) || pd_is_known(n))
		pd_builder_set_summary(r->b, run, metric, c->sd, n);
}

static void add_table(struct bench_reader *r, const struct table *t, uint32_t no)
{
	struct pd_span units[BENCH_MAX_COLUMNS], group = {"", 0};
	bool has_group = false;
	struct bench_row row;

	for (size_t i = 0; i < BENCH_MAX_COLUMNS; i++)
		units[i] = group;
	for (uint32_t k = t->first; k < t->end && !r->failed && !pd_builder_is_failed(r->b); k++) {
		if (!bench_row_parse(r->text.lines[k], t->n, &row))
			continue;
		share_units(&row, t, units);
		for (size_t i = 0; i < t->n; i++) {
			struct pd_span column = t->head.names[i];
			struct pd_span name = t->is_rows ? column : row.name;
			uint32_t run;

			if (is_derived(column))
				continue;
			run = bench_run(r, t->is_rows ? row.name : column);
			if (!has_group)
				group = bench_group(r, no, t->head.title, run, name);
			has_group = true;
			add_cell(r, run, group, name, &row.cells[i]);
		}
	}
}

/* Walk over all tables and add them, or just count them. */
static uint32_t walk(struct bench_reader *r, bool is_adding)
{
	struct table t;
	uint32_t n = 0;

	for (uint32_t k = 0; k < r->text.n && !r->failed; k = t.end) {
		if (!find_table(&r->text, k, &t))
			continue;
		n++;
		if (is_adding)
			add_table(r, &t, n);
	}
	return n;
}

static void read(struct bench_reader *r)
{
	r->n_tables = walk(r, false);
	(void)walk(r, true);
}

const struct bench_shape bench_shape_table = {sniff, read};
