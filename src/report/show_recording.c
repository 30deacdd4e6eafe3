/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heading of a recording, as perf report --header-only has it. The host's name is
 * left out: it is in nobody's interest that it stands in a mail.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/events.h"
#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/show.h"

enum { TEXT_WIDTH = 64 }; /* a line of 78 less the labels */

/* Length of what of text stands on a line: up to a blank, if one is near enough. */
static size_t line_len(const char *text)
{
	size_t len = strlen(text), cut = 0;

	if (len <= TEXT_WIDTH)
		return len;
	for (size_t i = 1; i <= TEXT_WIDTH; i++)
		if (text[i] == ' ')
			cut = i;
	return cut ? cut : strcspn(text, " ");
}

/* A labelled text, on as many lines as it needs; NULL is none. */
static void add_line(struct pd_document *d, struct pd_table *t, const char *label,
		     const char *text)
{
	while (text && *text) {
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		size_t len = line_len(text);

		if (!row)
			return;
		row->cells[0].text = label;
		row->cells[1].text = pd_document_printf(d, "%.*s", (int)len, text);
		text += len + strspn(text + len, " ");
		label = "";
	}
}

static const char *plural(double n)
{
	return n >= 1 && n <= 1 ? "" : "s";
}

/* "2 online", "2 online of 4" */
static const char *cpus_text(struct pd_document *d, const struct pd_recording *r)
{
	if (!r->n_cpus_online)
		return NULL;
	if (r->n_cpus == r->n_cpus_online)
		return pd_document_printf(d, "%u online", r->n_cpus_online);
	return pd_document_printf(d, "%u online of %u", r->n_cpus_online, r->n_cpus);
}

/* "2026-11-30 12:04:05, 2.51 s" */
static const char *time_text(struct pd_document *d, const struct pd_profile *p)
{
	const char *text = "";
	char buf[PD_NUM_LEN];

	if (pd_is_known(p->started_s) && fabs(p->started_s) < 1e11) {
		time_t seconds = (time_t)p->started_s;
		struct tm tm;

		if (gmtime_r(&seconds, &tm) && strftime(buf, sizeof(buf), "%Y-%m-%d %H:%M:%S", &tm))
			text = pd_document_text(d, buf);
	}
	if (pd_is_known(p->duration_ns))
		text = pd_document_printf(d, "%s%s%s s", text, *text ? ", " : "",
					  pd_num_fixed(p->duration_ns / 1e9,
						       p->duration_ns < 1e10 ? 3 : 1, buf));
	return text;
}

/* "cycles:P at 4000 Hz: 2508 samples, 2508.1 ms" */
static const char *event_text(struct pd_document *d, const struct pd_profile *p, uint32_t event)
{
	const struct pd_event *e = &p->events[event];
	const char *text = pd_strtab_get(&p->strings, e->name);
	struct pd_span bare = pd_event_bare_name(pd_span_of(text));
	double tick = e->total / e->n_samples;
	struct pd_figures f;
	char buf[PD_NUM_LEN];

	if (pd_is_known(e->frequency_hz))
		text = pd_document_printf(d, "%s at %s Hz", text,
					  pd_num_shortest(e->frequency_hz, buf));
	else if (pd_is_known(e->period))
		text = pd_document_printf(d, "%s every %s", text,
					  pd_num_shortest(e->period, buf));
	if (pd_is_known(e->n_samples))
		text = pd_document_printf(d, "%s: %s sample%s", text,
					  pd_num_shortest(e->n_samples, buf),
					  plural(e->n_samples));
	if (!pd_is_known(e->total) || !(tick > 0) || e->unit == PD_UNIT_SAMPLES)
		return text;
	f = pd_weighted_figures(d, bare, e->unit, e->total, tick);
	return pd_document_printf(d, "%s, %s %s", text,
				  pd_num_fixed(e->total / f.divisor, f.decimals, buf), f.unit);
}

/* "12 samples, 3 records; sampling was slowed down 4 times": "nothing" if all is well. */
static const char *lost_text(struct pd_document *d, const struct pd_profile *p)
{
	const struct pd_recording *r = p->recording;
	const char *text = "";
	char buf[PD_NUM_LEN];
	double n_lost = p->n_events ? p->events[0].n_lost : PD_UNKNOWN;

	/* Counters of ticks do not tell. */
	if (!r->n_comms)
		return NULL;
	if (n_lost > 0)
		text = pd_document_printf(d, "%s sample%s", pd_num_shortest(n_lost, buf),
					  plural(n_lost));
	if (r->n_lost_records)
		text = pd_document_printf(d, "%s%s%llu record%s", text, *text ? ", " : "",
					  (unsigned long long)r->n_lost_records,
					  plural((double)r->n_lost_records));
	if (r->n_throttled)
		text = pd_document_printf(d, "%s%ssampling was slowed down %llu time%s", text,
					  *text ? "; " : "", (unsigned long long)r->n_throttled,
					  plural((double)r->n_throttled));
	if (r->is_truncated)
		text = pd_document_printf(d, "%s%sthe recorder did not finish the file", text,
					  *text ? "; " : "");
	return *text ? text : "nothing";
}

void pd_show_add_recording(struct pd_document *d, const struct pd_profile *p)
{
	const struct pd_recording *r = p->recording;
	struct pd_table *t = pd_document_add_table(d, NULL);
	const char *kernel = p->kernel, *cpus = cpus_text(d, r), *cpu = p->cpu;

	if (!t)
		return;
	pd_table_add_column(d, t, "what", "", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "value", "", PD_STYLE_TEXT, 0);
	if (kernel && r->arch)
		kernel = pd_document_printf(d, "%s, %s", kernel, r->arch);
	if (cpu && cpus)
		cpu = pd_document_printf(d, "%s, %s", cpu, cpus);
	else if (cpus)
		cpu = cpus;
	add_line(d, t, "kernel", kernel);
	add_line(d, t, "processors", cpu);
	add_line(d, t, "command", p->command);
	add_line(d, t, "recorded", time_text(d, p));
	if (r->perf_version)
		add_line(d, t, "by", pd_document_printf(d, "perf %s", r->perf_version));
	for (uint32_t e = 0; e < p->n_events; e++)
		add_line(d, t, e ? "" : p->n_events > 1 ? "events" : "event", event_text(d, p, e));
	add_line(d, t, "lost", lost_text(d, p));
}
