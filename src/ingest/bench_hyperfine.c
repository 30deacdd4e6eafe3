/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hyperfine --export-json. A command is a run: its times, in seconds, are the
 * repetitions; where there are none (hyperfine's own summaries of summaries),
 * mean and stddev. user and system are means.
 *
 *	{"results": [{
 *	  "command": "sleep 0.1",
 *	  "mean": 0.1021, "stddev": 0.0004, "median": 0.1020,
 *	  "user": 0.0008, "system": 0.0011, "min": 0.1015, "max": 0.1029,
 *	  "times": [0.1015, 0.1020, 0.1029]
 *	}]}
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/json.h"

static const struct pd_span none = {"", 0};

enum { COMMAND, MEAN, STDDEV, TIMES, USER, SYSTEM, N_FIELDS };

static double number_at(struct pd_json *j, const struct pd_json_field *field)
{
	double x;

	return pd_json_go(j, field->at) && pd_json_number(j, &x) ? x : PD_UNKNOWN;
}

static struct pd_quantity time_of(double seconds)
{
	struct pd_unit_word w = pd_unit_word(pd_span_of("s"));

	return (struct pd_quantity){pd_unit_scale(&w, seconds), w.unit, w.better};
}

/* The repetitions of a run; how many there are. */
static size_t read_times(struct bench_reader *r, struct pd_json *j, const char *at, uint32_t run)
{
	struct pd_quantity q;
	double seconds;
	size_t n = 0;

	if (!pd_json_go(j, at) || !pd_json_array(j))
		return 0;
	while (pd_json_item(j)) {
		if (!pd_json_number(j, &seconds))
			continue;
		q = time_of(seconds);
		bench_add(r, run, none, pd_span_of("time"), &q);
		n++;
	}
	return n;
}

static void read_result(struct bench_reader *r, struct pd_json *j)
{
	struct pd_json_field f[N_FIELDS] = {
		[COMMAND] = {.key = "command"}, [MEAN] = {.key = "mean"},
		[STDDEV] = {.key = "stddev"},   [TIMES] = {.key = "times"},
		[USER] = {.key = "user"},       [SYSTEM] = {.key = "system"},
	};
	bool is_object = pd_json_fields(j, f, N_FIELDS), has_times;
	const char *behind = j->at;
	double mean = number_at(j, &f[MEAN]);
	struct pd_span command;
	struct pd_quantity q;
	uint32_t run, metric;

	has_times = pd_json_go(j, f[TIMES].at) && pd_json_count(j) > 0;
	if (!is_object || !(has_times || pd_is_known(mean)) ||
	    !pd_json_go(j, f[COMMAND].at) || !pd_json_string(j, &command)) {
		if (pd_json_go(j, behind))
			pd_diags_add(r->in->diags, PD_WARNING, "bad-result", r->in->path, 0,
				     "expected a command with times or a mean; result skipped");
		return;
	}
	run = pd_builder_run(r->b, command);
	pd_builder_set_command(r->b, run, command);
	if (!read_times(r, j, f[TIMES].at, run) && pd_is_known(mean)) {
		q = time_of(mean);
		metric = bench_add(r, run, none, pd_span_of("time"), &q);
		pd_builder_set_summary(r->b, run, metric, time_of(number_at(j, &f[STDDEV])).value,
				       PD_UNKNOWN);
	}
	for (size_t i = USER; i < N_FIELDS; i++) {
		q = time_of(number_at(j, &f[i]));
		if (pd_is_known(q.value))
			bench_add(r, run, none, pd_span_of(f[i].key), &q);
	}
	(void)pd_json_go(j, behind);
}

static void read(struct bench_reader *r)
{
	struct pd_json_field root[] = {{.key = "results"}};
	struct pd_json j;

	pd_json_init(&j, r->in->bytes);
	if (pd_json_fields(&j, root, 1) && pd_json_go(&j, root[0].at) && pd_json_array(&j))
		while (!r->failed && pd_json_item(&j))
			read_result(r, &j);
	r->rc = pd_json_check(&j, r->err);
	pd_json_done(&j);
}

/* The input may be cut, so that it is not parsed: a file of hyperfine begins like this. */
static enum pd_sniff sniff(const struct bench_text *t)
{
	bool is_object = false, has_results = false, has_command = false, has_times = false;

	for (uint32_t k = 0; k < t->n && !(has_command && has_times); k++) {
		struct pd_span line = pd_span_trim(t->lines[k]);

		if (!is_object && line.len && line.ptr[0] != '{')
			return PD_SNIFF_NO;
		is_object |= line.len > 0;
		has_results |= pd_span_find(line, "\"results\"") != SIZE_MAX;
		has_command |= has_results && pd_span_find(line, "\"command\"") != SIZE_MAX;
		has_times |= has_results && (pd_span_find(line, "\"times\"") != SIZE_MAX ||
					     pd_span_find(line, "\"mean\"") != SIZE_MAX);
	}
	return has_command && has_times ? PD_SNIFF_YES : PD_SNIFF_NO;
}

const struct bench_shape bench_shape_hyperfine = {sniff, read};
