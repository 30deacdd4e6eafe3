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
#include "config.h"

#ifdef PD_HAVE_JANSSON
#include <jansson.h>

static const struct pd_span none = {"", 0};

static double number_of(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : PD_UNKNOWN;
}

static struct pd_quantity time_of(double seconds)
{
	struct pd_unit_word w = pd_unit_word(pd_span_of("s"));

	return (struct pd_quantity){pd_unit_scale(&w, seconds), w.unit, w.better};
}

static void read_result(struct bench_reader *r, const json_t *result)
{
	static const char *const means[] = {"user", "system"};
	const char *command = json_string_value(json_object_get(result, "command"));
	const json_t *times = json_object_get(result, "times");
	double mean = number_of(result, "mean"), sd = number_of(result, "stddev");
	struct pd_span name = pd_span_of("time");
	struct pd_quantity q;
	uint32_t run, metric;

	if (!command || (!json_array_size(times) && !pd_is_known(mean))) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-result", r->in->path, 0,
			     "expected a command with times or a mean; result skipped");
		return;
	}
	run = pd_builder_run(r->b, pd_span_of(command));
	pd_builder_set_command(r->b, run, pd_span_of(command));
	for (size_t i = 0; i < json_array_size(times); i++) {
		q = time_of(json_number_value(json_array_get(times, i)));
		bench_add(r, run, none, name, &q);
	}
	if (!json_array_size(times)) {
		q = time_of(mean);
		metric = bench_add(r, run, none, name, &q);
		pd_builder_set_summary(r->b, run, metric, time_of(sd).value, PD_UNKNOWN);
	}
	for (size_t i = 0; i < sizeof(means) / sizeof(means[0]); i++) {
		q = time_of(number_of(result, means[i]));
		if (pd_is_known(q.value))
			bench_add(r, run, none, pd_span_of(means[i]), &q);
	}
}

static void read(struct bench_reader *r)
{
	json_error_t error;
	json_t *root = json_loadb(r->in->bytes.ptr, r->in->bytes.len, 0, &error);
	const json_t *results = json_object_get(root, "results");

	if (!root)
		r->rc = pd_fail(r->err, PD_ERR_FORMAT, "expected JSON, found in line %d: %s",
				error.line, error.text);
	for (size_t i = 0; i < json_array_size(results) && !r->failed; i++)
		read_result(r, json_array_get(results, i));
	json_decref(root);
}
#else
static void read(struct bench_reader *r)
{
	r->rc = pd_fail(r->err, PD_ERR_UNSUPPORTED,
			"JSON is not read: profdiff was built without jansson");
}
#endif

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
