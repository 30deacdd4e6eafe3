/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf annotate --stdio: functions one after the other, each with its instructions.
 *
 *	 Percent |	Source code & Disassembly of prog for cycles (219 samples, ...)
 *	--------------------------------------------------------------------------------
 *	         : 3    Disassembly of section .text:
 *	         : 5    0000000000001147 <leaf>:
 *	         : 13   for (int i = 0; i < 300; i++)
 *	   71.23 :   1154:   shr    $0x7,%eax
 *	   28.77 :   1157:   add    %ecx,%eax
 *
 *	 Samples         |	Source code & Disassembly of prog for anon group { cycles, ...
 *	       5       0 :   1154:   shr    $0x7,%eax
 *
 * Invariant: percents are those of one function and tell nothing of others, so that what
 * a function costs is the number of samples in its heading; with -n or
 * --show-total-period it is the sum of its lines. Which function it is stands in the
 * label that the disassembler writes above its first instruction.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "io/lines.h"

enum { MAX_GROUP = 64 }; /* events of one group */

enum kind { PERCENTS, SAMPLES, PERIODS };

/* The line above a function. */
struct heading {
	enum kind kind;
	struct pd_span module, events;
	double n_samples; /* or unknown: older ones */
};

struct event {
	char *name;
	bool has_periods;
	uint32_t id;
};

/* The function at hand. */
struct table {
	bool is_open;
	uint32_t line;
	enum kind kind;
	double n_samples;
	struct pd_buf module, name, section;
	uint32_t events[MAX_GROUP], n_events; /* ids */
	double sums[MAX_GROUP];
	bool is_sum_known; /* there was a line with numbers */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	uint32_t run;
	struct event *events;
	uint32_t n_events;
	struct table table;
	uint32_t n_functions, n_refused;
	bool failed;
};

/* ---- lines ---- */

static bool heading_parse(struct pd_span line, struct heading *ret_heading)
{
	static const char words[] = "Source code & Disassembly of ";
	struct heading h = {.n_samples = PD_UNKNOWN, .events = {"", 0}};
	size_t bar = pd_span_find(line, "|"), at, end;
	struct pd_span title, rest;
	double n;

	at = bar == SIZE_MAX ? bar : pd_span_find(line, words);
	if (at == SIZE_MAX || at < bar)
		return false;
	title = pd_span_trim(pd_span_sub(line, 0, bar));
	if (pd_span_eq(title, "Percent"))
		h.kind = PERCENTS;
	else if (pd_span_eq(title, "Samples"))
		h.kind = SAMPLES;
	else if (pd_span_eq(title, "Period") || pd_span_eq(title, "Event count"))
		h.kind = PERIODS;
	else
		return false;
	rest = pd_span_trim(pd_span_sub(line, at + strlen(words), line.len));
	end = pd_span_find_last(rest, '(');
	if (end != SIZE_MAX && end && pd_is_blank(rest.ptr[end - 1])) {
		struct pd_span count = pd_span_sub(rest, end + 1, rest.len);
		size_t len = pd_num_scan(count, &n);

		count = pd_span_sub(count, len, count.len);
		if (len && n >= 0 && pd_span_starts(count, " sample")) {
			h.n_samples = n;
			rest = pd_span_trim(pd_span_sub(rest, 0, end));
		}
	}
	end = pd_span_find(rest, " for ");
	h.module = pd_span_trim(pd_span_sub(rest, 0, end));
	if (end != SIZE_MAX)
		h.events = pd_span_trim(pd_span_sub(rest, end + strlen(" for "), rest.len));
	*ret_heading = h;
	return true;
}

/* "  0.00   1.50 :  rest": at most max numbers, and what is behind the colon. */
static bool row_parse(struct pd_span line, double *values, uint32_t max, uint32_t *ret_n,
		      struct pd_span *ret_rest)
{
	uint32_t n = 0;
	size_t i = 0, len;

	for (;;) {
		while (i < line.len && pd_is_blank(line.ptr[i]))
			i++;
		if (i == line.len)
			return false;
		if (line.ptr[i] == ':')
			break;
		if (n == max)
			return false;
		len = pd_num_scan(pd_span_sub(line, i, line.len), &values[n++]);
		i += len;
		if (!len || i == line.len || !pd_is_blank(line.ptr[i]))
			return false;
	}
	*ret_n = n;
	*ret_rest = pd_span_trim(pd_span_sub(line, i + 1, line.len));
	return true;
}

/* "5    0000000000001147 <leaf>:", with or without the line's number. */
static bool label_parse(struct pd_span s, struct pd_span *ret_name)
{
	size_t from = pd_span_find(s, "<");
	struct pd_span words[3], address;
	uint64_t x;
	size_t n;

	if (from == SIZE_MAX || !pd_span_ends(s, ">:") || s.len < from + 4)
		return false;
	n = pd_fields(pd_span_sub(s, 0, from), words, 3);
	if (!n || n > 2)
		return false;
	address = words[n - 1];
	if (address.len < 8 || !pd_num_parse_hex(address, &x))
		return false;
	*ret_name = pd_span_sub(s, from + 1, s.len - 2);
	return true;
}

/* "3    Disassembly of section .text:" */
static bool section_parse(struct pd_span s, struct pd_span *ret_name)
{
	static const char words[] = "Disassembly of section ";
	size_t at = pd_span_find(s, words);

	if (at == SIZE_MAX || !pd_span_ends(s, ":"))
		return false;
	*ret_name = pd_span_sub(s, at + strlen(words), s.len - 1);
	return true;
}

/* ---- functions ---- */

static uint32_t event_of(struct reader *r, struct pd_span name, bool has_periods)
{
	struct pd_span plain = pd_span_sub(name, 0, pd_span_find(name, ":"));
	bool is_clock = pd_span_eq(plain, "cpu-clock") || pd_span_eq(plain, "task-clock");
	struct event *events;

	for (uint32_t i = 0; i < r->n_events; i++)
		if (r->events[i].has_periods == has_periods && pd_span_eq(name, r->events[i].name))
			return r->events[i].id;
	if (r->n_events == r->in->limits->n_columns)
		return UINT32_MAX;
	events = realloc(r->events, (r->n_events + 1) * sizeof(*events));
	if (!events) {
		r->failed = true;
		return UINT32_MAX;
	}
	r->events = events;
	events += r->n_events;
	*events = (struct event){.name = malloc(name.len + 1), .has_periods = has_periods};
	if (!events->name) {
		r->failed = true;
		return UINT32_MAX;
	}
	memcpy(events->name, name.ptr, name.len);
	events->name[name.len] = '\0';
	events->id = pd_builder_event(r->b, r->run, name.len ? name : pd_span_of("samples"),
				      !has_periods ? PD_UNIT_SAMPLES :
				      is_clock ? PD_UNIT_NS : PD_UNIT_EVENTS);
	pd_builder_set_cut(r->b, r->run, events->id);
	r->n_events++;
	return events->id;
}

/* "cycles", or "anon group { cycles, faults }". */
static void find_events(struct reader *r, struct pd_span events)
{
	size_t open = pd_span_find(events, "{ "), comma;
	struct table *t = &r->table;

	if (open != SIZE_MAX && pd_span_ends(events, " }"))
		events = pd_span_sub(events, open + 2, events.len - 2);
	else
		open = SIZE_MAX;
	t->n_events = 0;
	do {
		uint32_t event;

		comma = open == SIZE_MAX ? SIZE_MAX : pd_span_find(events, ", ");
		event = event_of(r, pd_span_sub(events, 0, comma), t->kind == PERIODS);
		if (event == UINT32_MAX)
			return;
		t->events[t->n_events++] = event;
		if (comma != SIZE_MAX)
			events = pd_span_sub(events, comma + 2, events.len);
	} while (comma != SIZE_MAX && t->n_events < MAX_GROUP);
}

static void refuse(struct reader *r, const char *what)
{
	r->n_refused++;
	pd_diags_add(r->in->diags, PD_WARNING, "bad-function", r->in->path, r->table.line,
		     "expected %s; function skipped", what);
}

/* The function, or what has no name. Labels of /proc/kcore are those of its sections. */
static uint32_t function_of(const struct reader *r, bool *ret_is_leftover)
{
	const struct table *t = &r->table;
	struct pd_span name = pd_span_trim(pd_buf_span(&t->name));
	bool is_section = pd_span_starts(name, "load") && name.len == t->section.len &&
			  !memcmp(name.ptr, t->section.ptr, name.len);

	*ret_is_leftover = !name.len || name.ptr[0] == '.' || is_section;
	return *ret_is_leftover ? pd_builder_leftover(r->b, "[unknown]", pd_buf_span(&t->module))
				: pd_builder_func(r->b, name, pd_buf_span(&t->module));
}

static void end_function(struct reader *r)
{
	struct table *t = &r->table;
	bool is_leftover;
	uint32_t func;

	if (!t->is_open)
		return;
	t->is_open = false;
	if (t->kind == PERCENTS && !pd_is_known(t->n_samples)) {
		refuse(r, "a number of samples in the heading, found percents alone");
		return;
	}
	if (t->kind != PERCENTS && !t->is_sum_known) {
		refuse(r, "lines with counts below the heading, found none");
		return;
	}
	func = function_of(r, &is_leftover);
	if (is_leftover)
		pd_diags_add(r->in->diags, PD_WARNING, "no-name", r->in->path, t->line,
			     "expected a symbol's label below the heading, found none; its "
			     "samples are [unknown]");
	if (t->kind == PERCENTS) {
		pd_builder_add_self(r->b, r->run, t->events[0], func, t->n_samples);
		if (t->n_events > 1)
			pd_diags_add(r->in->diags, PD_WARNING, "group", r->in->path, t->line,
				     "the number of samples is that of the first event; perf "
				     "annotate -n counts the others of the group");
	} else {
		for (uint32_t e = 0; e < t->n_events; e++)
			pd_builder_add_self(r->b, r->run, t->events[e], func, t->sums[e]);
	}
	if (t->kind == SAMPLES)
		for (uint32_t e = 0; e < t->n_events; e++)
			pd_builder_add_samples(r->b, r->run, t->events[e], func, t->sums[e]);
	else if (pd_is_known(t->n_samples))
		pd_builder_add_samples(r->b, r->run, t->events[0], func, t->n_samples);
	r->n_functions++;
}

static void begin_function(struct reader *r, const struct heading *h)
{
	struct table *t = &r->table;

	end_function(r);
	t->line = r->lines.no;
	t->kind = h->kind;
	t->n_samples = h->n_samples;
	t->is_sum_known = false;
	memset(t->sums, 0, sizeof(t->sums));
	t->module.len = t->name.len = t->section.len = 0;
	pd_buf_add(&t->module, h->module.ptr, h->module.len);
	find_events(r, h->events);
	t->is_open = t->n_events > 0;
	if (!t->is_open)
		refuse(r, "fewer events");
}

static void read_row(struct reader *r, struct pd_span line)
{
	struct table *t = &r->table;
	struct pd_span rest, name;
	double values[MAX_GROUP];
	uint32_t n;

	if (!row_parse(line, values, MAX_GROUP, &n, &rest))
		return;
	if (n && n != t->n_events) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected %u numbers, found %u; line skipped", t->n_events, n);
		return;
	}
	for (uint32_t e = 0; e < n; e++)
		t->sums[e] += values[e];
	t->is_sum_known |= n > 0;
	if (!n && !t->name.len && label_parse(rest, &name))
		pd_buf_add(&t->name, name.ptr, name.len);
	else if (!n && !t->section.len && section_parse(rest, &name))
		pd_buf_add(&t->section, name.ptr, name.len);
}

/* ---- the input ---- */

static enum pd_sniff sniff(const struct pd_input *head)
{
	bool is_annotate = false, has_report = false;
	struct pd_lines lines;
	struct pd_span line;
	struct heading h;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		is_annotate = is_annotate || heading_parse(line, &h);
		has_report = has_report ||
			(pd_span_starts(line, "#") && pd_span_find(line, "Overhead") != SIZE_MAX);
	}
	pd_lines_done(&lines);
	/* Mails may have a report and a piece of its annotation. */
	return !is_annotate ? PD_SNIFF_NO : has_report ? PD_SNIFF_MAYBE : PD_SNIFF_YES;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b};
	struct pd_span line;
	struct heading h;

	r.run = pd_builder_run(b, pd_span_of(""));
	pd_input_lines(in, &r.lines);
	while (!r.failed && !pd_builder_is_failed(b) && pd_lines_next(&r.lines, &line)) {
		if (heading_parse(line, &h))
			begin_function(&r, &h);
		else if (r.table.is_open)
			read_row(&r, line);
	}
	end_function(&r);
	r.failed |= r.lines.clean.failed || r.table.module.failed || r.table.name.failed ||
		    r.table.section.failed;
	for (uint32_t i = 0; i < r.n_events; i++)
		free(r.events[i].name);
	free(r.events);
	pd_buf_done(&r.table.module);
	pd_buf_done(&r.table.name);
	pd_buf_done(&r.table.section);
	pd_lines_done(&r.lines);
	if (r.failed)
		return pd_fail_nomem(err);
	if (!r.n_functions && r.n_refused)
		return pd_fail(err, PD_ERR_FORMAT, "expected numbers of samples, found percents of "
			       "each function alone; perf annotate -n prints them");
	return PD_OK;
}

const struct pd_format pd_format_perf_annotate = {
	.name = "perf-annotate",
	.title = "perf annotate --stdio: samples of functions, better with -n",
	.sniff = sniff,
	.read = read,
};
