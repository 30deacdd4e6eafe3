/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exposure. Contract: exposure.h. The order of the command line is that of the
 * sides before --base moves one to the front.
 */
#include "cli/exposure.h"

#include "base/num.h"
#include "base/text.h"

/* Numbers between commas; at most max. How many there are, 0 if one is none. */
static uint32_t parse_list(const char *text, double *ret_values, uint32_t max)
{
	struct pd_span rest = pd_span_of(text);
	uint32_t n = 0;

	for (;;) {
		size_t len = pd_span_find(rest, ",");

		if (n == max || !pd_num_parse(pd_span_sub(rest, 0, len), &ret_values[n]) ||
		    !(ret_values[n] > 0))
			return 0;
		n++;
		if (len == SIZE_MAX)
			return n;
		rest = pd_span_sub(rest, len + 1, rest.len);
	}
}

/* Put one value a run or a side, in the order of the command line, to the runs. */
static void spread(const struct cli_sides *s, const double *values, bool is_by_side, double *work)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->items[i].runs.n; k++)
			work[run++] =
				values[is_by_side ? s->items[i].place : s->items[i].first_run + k];
}

/* The mean of a metric that a run, or what --bench has of its side, tells; 0 if none does. */
static double metric_of(const struct pd_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_metrics; i++) {
		const struct pd_metric *m = &p->metrics[i];
		double sum = 0;

		if (strcmp(pd_strtab_get(&p->strings, m->name), name) != 0 || !m->n_values)
			continue;
		for (uint32_t k = 0; k < m->n_values; k++)
			sum += m->values[k];
		return sum / m->n_values;
	}
	return 0;
}

/* Fill work from a metric of that name; false if a run has none. */
static bool find_metric(const struct cli_sides *s, const char *name, double *work)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t k = 0; k < s->items[i].runs.n; k++, run++) {
			const struct cli_runs *bench = &s->items[i].bench;

			work[run] = metric_of(s->items[i].runs.items[k], name);
			/* Results are one a run, or of the whole side. */
			if (!(work[run] > 0) && bench->n == s->items[i].runs.n)
				work[run] = metric_of(bench->items[k], name);
			else if (!(work[run] > 0) && bench->n)
				work[run] = metric_of(bench->items[0], name);
			if (!(work[run] > 0))
				return false;
		}
	return true;
}

static int fail_count(const char *option, const char *text, uint32_t n_runs, uint32_t n_sides,
		      struct pd_error *err)
{
	return pd_fail(
		err, PD_ERR_USAGE,
		"--%s: expected a metric of every run, %u numbers above 0, one a run, or %u, one "
		"a side, found \"%s\"",
		option, n_runs, n_sides, text);
}

int cli_exposure_make(struct cli_options *o, const struct cli_sides *sides, struct pd_error *err)
{
	const char *option = o->per ? "per" : "work", *text = o->per ? o->per : o->work;
	const char *equals = o->per ? strrchr(o->per, '=') : NULL;
	double *values, *work;
	uint32_t n_runs = 0, n;

	if (!text)
		return PD_OK;
	if (o->per && o->work)
		return pd_fail(err, PD_ERR_USAGE, "--per and --work do not go together");
	if (o->compare.normalize != PD_NORMALIZE_NONE)
		return pd_fail(err, PD_ERR_USAGE, "--%s and --normalize do not go together",
			       option);
	for (uint32_t i = 0; i < sides->n; i++)
		n_runs += sides->items[i].runs.n;
	values = pd_arena_array(&o->arena, n_runs, sizeof(*values));
	work = pd_arena_array(&o->arena, n_runs, sizeof(*work));
	if (!values || !work)
		return pd_fail_nomem(err);
	n = parse_list(equals ? equals + 1 : text, values, n_runs);
	if (n == n_runs || n == sides->n)
		spread(sides, values, n != n_runs, work);
	else if (equals || !find_metric(sides, text, work))
		return fail_count(option, text, n_runs, sides->n, err);
	o->compare.work = work;
	if (!o->per)
		return PD_OK;
	o->compare.normalize = PD_NORMALIZE_PER;
	o->compare.per =
		equals ? pd_arena_strndup(&o->arena, o->per, (size_t)(equals - o->per)) : o->per;
	return o->compare.per ? PD_OK : pd_fail_nomem(err);
}
