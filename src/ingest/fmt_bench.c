/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of benchmarks, in the shapes that tools print and people paste:
 *
 *	            inline           non-inline       diff        bench_table.c
 *	fork time   23475ns          24638ns          -4.7%
 *
 *	Hmean  tput-1   46425.00 (   0.00%)   43394.00 *  -6.53%*  bench_mmtests.c
 *
 *	BenchmarkEncode/gob-8    3725    3069 ns/op   248 B/op    bench_go.c
 *
 *	# Running 'sched/pipe' benchmark:                         bench_perf.c
 *	     Total time: 0.284 [sec]
 *
 *	Maximum resident set size (kbytes): 1760                  bench_time.c
 *
 *	{"results": [{"command": "true", "times": [0.1, 0.2]}]}   bench_hyperfine.c
 *
 *	fork_time 23475 ns                                        bench_values.c
 *
 * Each result is a metric; a column, a side or a block is a run. Equal names in
 * one run are repetitions. Only one shape of an input is read.
 */
#include "ingest/bench.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/perf_report.h"
#include "ingest/prose.h"
#include "io/lines.h"

/* The surest first: of several equally sure ones the first is read. */
static const struct bench_shape *const shapes[] = {
	&bench_shape_hyperfine, &bench_shape_go,    &bench_shape_perf,   &bench_shape_mmtests,
	&bench_shape_time,      &bench_shape_table, &bench_shape_values,
};

enum { N_SHAPES = sizeof(shapes) / sizeof(shapes[0]), MAX_TITLE = 70 };

bool bench_text_init(struct bench_text *t, const struct pd_input *in, struct pd_diags *diags)
{
	struct pd_lines lines;
	struct pd_span line;
	bool ok = true;

	pd_lines_init(&lines, in->bytes, in->limits, in->path, diags);
	while (ok && pd_lines_next(&lines, &line)) {
		if (t->n == t->cap) {
			uint32_t cap = t->cap ? 2 * t->cap : 256;
			struct pd_span *spans = realloc(t->lines, cap * sizeof(*spans));
			uint32_t *nos = realloc(t->nos, cap * sizeof(*nos));

			t->lines = spans ? spans : t->lines;
			t->nos = nos ? nos : t->nos;
			ok = spans && nos;
			if (!ok)
				break;
			t->cap = cap;
		}
		t->lines[t->n].ptr = pd_arena_strndup(&t->arena, line.ptr, line.len);
		t->lines[t->n].len = line.len;
		ok = t->lines[t->n].ptr != NULL;
		t->nos[t->n++] = lines.no;
	}
	pd_lines_done(&lines);
	return ok;
}

void bench_text_done(struct bench_text *t)
{
	free(t->lines);
	free(t->nos);
	pd_arena_done(&t->arena);
}

/* s with one blank for each gap, until the next call. */
static struct pd_span squeeze(struct pd_buf *b, struct pd_span s)
{
	struct pd_span word;
	size_t i = 0;

	b->len = 0;
	while ((word = bench_next_word(s, &i)).len) {
		if (b->len)
			pd_buf_add_char(b, ' ');
		pd_buf_add(b, word.ptr, word.len);
	}
	return (struct pd_span){b->len ? b->ptr : "", b->len};
}

uint32_t bench_run(struct bench_reader *r, struct pd_span section)
{
	section = squeeze(&r->name, section);
	for (uint32_t i = 0; i < r->n_sections; i++)
		if (pd_span_eq(section, r->sections[i]))
			return i;
	if (r->n_sections == r->cap_sections) {
		uint32_t cap = r->cap_sections ? 2 * r->cap_sections : 8;
		const char **sections = realloc(r->sections, cap * sizeof(*sections));

		if (!sections) {
			r->failed = true;
			return 0;
		}
		r->sections = sections;
		r->cap_sections = cap;
	}
	r->sections[r->n_sections] = pd_arena_strndup(&r->text.arena, section.ptr, section.len);
	if (!r->sections[r->n_sections]) {
		r->failed = true;
		return 0;
	}
	r->n_sections++;
	return pd_builder_run(r->b, section);
}

uint32_t bench_add(struct bench_reader *r, uint32_t run, struct pd_span group,
		   struct pd_span name, const struct pd_quantity *q)
{
	enum pd_better better = q->better ? q->better : bench_better_of(name);
	uint32_t metric;

	name = squeeze(&r->name, name);
	metric = pd_builder_metric(r->b, run, group, name, q->unit, better);
	r->n_values++;
	if (pd_is_known(q->value))
		pd_builder_add_value(r->b, run, metric, q->value);
	return metric;
}

enum pd_better bench_better_of(struct pd_span name)
{
	static const struct {
		const char *word;
		enum pd_better better;
	} words[] = {
		{"hmean", PD_BETTER_HIGHER},      {"throughput", PD_BETTER_HIGHER},
		{"tput", PD_BETTER_HIGHER},       {"bandwidth", PD_BETTER_HIGHER},
		{"/s", PD_BETTER_HIGHER},         {"per second", PD_BETTER_HIGHER},
		{"amean", PD_BETTER_LOWER},       {"stddev", PD_BETTER_LOWER},
		{"std. dev", PD_BETTER_LOWER},    {"coeffvar", PD_BETTER_LOWER},
		{"elapsed", PD_BETTER_LOWER},     {"latency", PD_BETTER_LOWER},
		{"time", PD_BETTER_LOWER},        {"fault", PD_BETTER_LOWER},
		{"size", PD_BETTER_LOWER},        {"cycles", PD_BETTER_LOWER},
	};

	for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
		size_t len = strlen(words[w].word);

		for (size_t i = 0; i + len <= name.len; i++)
			if (pd_span_eq_nocase(pd_span_sub(name, i, i + len), words[w].word))
				return words[w].better;
	}
	return PD_BETTER_UNKNOWN;
}

void bench_complain(const struct bench_reader *r, uint32_t line, const char *expected)
{
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->text.nos[line],
		     "expected %s, found \"%.*s\"; line skipped", expected,
		     PD_SPAN_ARG(r->text.lines[line]));
}

struct pd_span bench_next_word(struct pd_span s, size_t *i)
{
	size_t from;

	while (*i < s.len && pd_is_blank(s.ptr[*i]))
		(*i)++;
	from = *i;
	while (*i < s.len && !pd_is_blank(s.ptr[*i]))
		(*i)++;
	return pd_span_sub(s, from, *i);
}

struct pd_span bench_title(struct pd_span line)
{
	struct pd_span s = pd_span_trim(line), heading = pd_prose_heading(s);

	if (heading.len)
		return heading;
	if (s.len > 2 && s.ptr[0] == '*' && s.ptr[1] == ' ')
		s = pd_span_sub(s, 2, s.len);
	if (!s.len || s.len > MAX_TITLE || strchr("#$", s.ptr[0]) ||
	    strchr(".,;!?-", s.ptr[s.len - 1]) || pd_prose_is_rule(s))
		return (struct pd_span){"", 0};
	if (s.ptr[s.len - 1] == ':')
		s.len--;
	return s;
}

/* The shape that a text has, or NULL. */
static const struct bench_shape *find_shape(const struct bench_text *t, enum pd_sniff *ret_answer)
{
	const struct bench_shape *best = NULL;

	*ret_answer = PD_SNIFF_NO;
	for (size_t i = 0; i < N_SHAPES; i++) {
		enum pd_sniff answer = shapes[i]->sniff(t);

		if (answer > *ret_answer) {
			*ret_answer = answer;
			best = shapes[i];
		}
	}
	return best;
}

/* Whether the text cites a profile, too: perf report, or perf diff. */
static bool has_profile(const struct bench_text *t)
{
	struct pr_header h;

	for (uint32_t i = 0; i < t->n; i++)
		if (pr_row_is_sure(t->lines[i]) || pr_row_is_diff(t->lines[i]) ||
		    pr_header_parse(t->lines[i], &h))
			return true;
	return false;
}

/* A text with results and a profile is about functions first. */
static enum pd_sniff sniff(const struct pd_input *head)
{
	struct bench_text t = {0};
	enum pd_sniff answer = PD_SNIFF_NO;

	if (bench_text_init(&t, head, NULL))
		(void)find_shape(&t, &answer);
	if (answer == PD_SNIFF_YES && has_profile(&t))
		answer = PD_SNIFF_MAYBE;
	bench_text_done(&t);
	return answer;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct bench_reader r = {.in = in, .b = b, .err = err};
	const struct bench_shape *shape = NULL;
	enum pd_sniff answer;

	r.failed = !bench_text_init(&r.text, in, in->diags);
	if (!r.failed)
		shape = find_shape(&r.text, &answer);
	if (shape)
		shape->read(&r);
	r.failed |= r.name.failed;
	free(r.sections);
	pd_buf_done(&r.name);
	bench_text_done(&r.text);
	if (r.failed)
		return pd_fail_nomem(err);
	if (r.rc != PD_OK)
		return r.rc;
	return r.n_values ? PD_OK
			  : pd_fail(err, PD_ERR_EMPTY, "expected results of a benchmark, found "
				    "none");
}

const struct pd_format pd_format_bench = {
	.name = "bench",
	.title = "benchmarks: tables with units, mmtests, Go, perf bench, time -v, hyperfine",
	.sniff = sniff,
	.read = read,
};
