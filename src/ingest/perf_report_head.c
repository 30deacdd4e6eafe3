/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands above perf's tables: the recording (--header), and what was
 * counted, in the words of all ages.
 *
 *	# captured on    : Mon Nov 30 19:32:14 2026
 *	# os release : 6.1.0
 *	# cpudesc : Intel(R) Xeon(R) Gold 6254 CPU @ 3.10GHz
 *	# cmdline : /usr/bin/perf record -a sleep 1
 *	# sample duration :   1003.221 ms
 *	# Total Lost Samples: 0
 *	#
 *	# Samples: 39K of event 'cycles:P'
 *	# Event count (approx.): 34044267368
 *
 *	# Samples: 12K of events 'cycles, instructions'
 *	# Samples: 8  of event 'anon group { cycles, instructions }'
 *	Samples: 344K of event 'cycles', Event count (approx.): 103747884662
 *	# Events: 31K cycles
 *	# Samples: 1121655736712
 *
 *	Event: cpu-cycles (type 0, code 0)	simpleperf
 *	Samples: 8
 *	Event count: 1040396
 */
#include "ingest/perf_report.h"

#include "ingest/timestamp.h"

static const double ns_per_ms = 1e6;

void pr_head_init(struct pr_head *h)
{
	h->kernel.len = h->cpu.len = h->command.len = 0;
	h->started_s = h->duration_ns = h->n_lost = PD_UNKNOWN;
	pr_head_clear_table(h);
}

void pr_head_done(struct pr_head *h)
{
	pd_buf_done(&h->kernel);
	pd_buf_done(&h->cpu);
	pd_buf_done(&h->command);
	pd_buf_done(&h->names);
}

void pr_head_clear_table(struct pr_head *h)
{
	h->names.len = 0;
	h->n_names = 0;
	h->n_samples = h->n_bare = h->total = PD_UNKNOWN;
}

void pr_names_add(struct pd_buf *names, struct pd_span name)
{
	pd_buf_add(names, name.ptr, name.len);
	pd_buf_add_char(names, '\0');
}

bool pr_names_have(const struct pd_buf *names, struct pd_span name)
{
	struct pd_span rest = pd_buf_span(names);

	while (rest.len) {
		size_t len = strlen(rest.ptr);

		if (len == name.len && !memcmp(rest.ptr, name.ptr, len))
			return true;
		rest = pd_span_sub(rest, len + 1, rest.len);
	}
	return false;
}

static void set_text(struct pd_buf *out, struct pd_span s)
{
	out->len = 0;
	pd_buf_add(out, s.ptr, s.len);
}

/* The count at the start of s, or unknown; ret_rest is what follows it. */
static double take_count(struct pd_span s, struct pd_span *ret_rest)
{
	double x;
	size_t len = pd_num_scan(s, &x);

	*ret_rest = pd_span_sub(s, len, s.len);
	return len && x >= 0 && x <= PD_COUNT_MAX ? x : PD_UNKNOWN;
}

static void add_name(struct pr_head *h, struct pd_span name)
{
	name = pd_span_trim(name);
	if (pd_span_ends(name, ",")) /* perf cut the list */
		name.len--;
	if (!name.len || h->n_names == PR_MAX_EVENTS)
		return;
	pr_names_add(&h->names, name);
	h->n_names++;
}

/* "cycles", "cycles, instructions", "anon group { cycles, instructions }". */
static void add_names(struct pr_head *h, struct pd_span s)
{
	size_t open = pd_span_find(s, "{ "), comma;

	h->names.len = 0;
	h->n_names = 0;
	if (open != SIZE_MAX && pd_span_ends(s, "}"))
		s = pd_span_sub(s, open + 2, s.len - 1);
	while ((comma = pd_span_find(s, ", ")) != SIZE_MAX) {
		add_name(h, pd_span_sub(s, 0, comma));
		s = pd_span_sub(s, comma + 2, s.len);
	}
	add_name(h, s);
}

/* "'cycles', 4000 Hz": what stands in quotes, up to the end where a mailer cut it. */
static struct pd_span quoted(struct pd_span s)
{
	size_t from = pd_span_find(s, "'");

	if (from == SIZE_MAX)
		return pd_span_sub(s, 0, 0);
	s = pd_span_sub(s, from + 1, s.len);
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '\'' && (i + 1 == s.len || pd_is_blank(s.ptr[i + 1]) ||
					 s.ptr[i + 1] == ','))
			return pd_span_sub(s, 0, i);
	return s;
}

static void read_total(struct pr_head *h, struct pd_span s)
{
	size_t at = pd_span_find(s, "Event count");
	struct pd_span rest;

	if (at == SIZE_MAX)
		return;
	s = pd_span_sub(s, at, s.len);
	at = pd_span_find(s, ":");
	if (at != SIZE_MAX)
		h->total = take_count(pd_span_trim(pd_span_sub(s, at + 1, s.len)), &rest);
}

/* The text behind "Samples:" or "Events:". */
static enum pr_head_line read_samples(struct pr_head *h, struct pd_span s, bool are_events)
{
	struct pd_span rest, name;
	double n = take_count(s, &rest);
	/* "39K" is rounded. */
	bool is_rounded = rest.len && !pd_is_blank(rest.ptr[0]);

	if (!pd_is_known(n))
		return PR_HEAD_NO;
	if (rest.len || are_events) /* simpleperf has named the event already */
		pr_head_clear_table(h);
	if (is_rounded)
		rest = pd_span_sub(rest, 1, rest.len);
	rest = pd_span_trim(rest);
	name = quoted(rest);
	if (name.len)
		add_names(h, name);
	else if (are_events)
		add_name(h, rest);
	if (!is_rounded && (rest.len || are_events))
		h->n_samples = n;
	else if (!is_rounded)
		h->n_bare = n;
	read_total(h, rest);
	return PR_HEAD_EVENT;
}

/* The value of "key : value"; false if the line has another key. */
static bool take_field(struct pd_span s, const char *key, struct pd_span *ret_value)
{
	size_t i = strlen(key);

	if (!pd_span_starts(s, key))
		return false;
	while (i < s.len && pd_is_blank(s.ptr[i]))
		i++;
	if (i == s.len || s.ptr[i] != ':')
		return false;
	*ret_value = pd_span_trim(pd_span_sub(s, i + 1, s.len));
	return true;
}

static bool read_recording(struct pr_head *h, struct pd_span s)
{
	struct pd_span value, rest;
	double x;

	if (take_field(s, "captured on", &value)) {
		pr_head_init(h);
		if (!pd_timestamp_parse(value, &h->started_s))
			h->started_s = PD_UNKNOWN;
	} else if (take_field(s, "os release", &value)) {
		set_text(&h->kernel, value);
	} else if (take_field(s, "cpudesc", &value)) {
		set_text(&h->cpu, value);
	} else if (take_field(s, "cmdline", &value)) {
		set_text(&h->command, value);
	} else if (take_field(s, "sample duration", &value)) {
		x = take_count(value, &rest);
		if (pd_span_eq(pd_span_trim(rest), "ms"))
			h->duration_ns = x * ns_per_ms;
	} else if (take_field(s, "Total Lost Samples", &value)) {
		h->n_lost = take_count(value, &rest);
	} else if (pd_span_starts(s, "To display the perf.data header info")) {
		pr_head_init(h);
	} else {
		return false;
	}
	return true;
}

bool pr_head_begins(struct pd_span line)
{
	struct pd_span s = pd_span_trim(line), value;
	bool is_comment = s.len && s.ptr[0] == '#';

	if (is_comment)
		s = pd_span_trim(pd_span_sub(s, 1, s.len));
	return take_field(s, "Samples", &value) || take_field(s, "Events", &value) ||
	       take_field(s, "Event", &value) || take_field(s, "captured on", &value) ||
	       take_field(s, "Total Lost Samples", &value) ||
	       (is_comment && (pd_span_starts(s, "Event '") ||
			       pd_span_starts(s, "To display the perf.data header info")));
}

enum pr_head_line pr_head_read(struct pr_head *h, struct pd_span line)
{
	struct pd_span s = pd_span_trim(line), value, rest;
	bool is_comment = s.len && s.ptr[0] == '#';

	if (is_comment)
		s = pd_span_trim(pd_span_sub(s, 1, s.len));
	if (!s.len || s.ptr[0] == '.' || s.ptr[0] == '(')
		return is_comment ? PR_HEAD_IGNORE : PR_HEAD_NO;
	if (take_field(s, "Samples", &value))
		return read_samples(h, value, false);
	if (take_field(s, "Events", &value))
		return read_samples(h, value, true);
	if (pd_span_starts(s, "Event count")) {
		read_total(h, s);
		return PR_HEAD_EVENT;
	}
	if (!is_comment && take_field(s, "Event", &value)) { /* simpleperf */
		pr_head_clear_table(h);
		add_name(h, pd_span_sub(value, 0, pd_span_find(value, " ")));
		return PR_HEAD_EVENT;
	}
	if (is_comment && pd_span_starts(s, "Event '")) { /* perf diff */
		pr_head_clear_table(h);
		rest = quoted(s);
		add_names(h, rest);
		return PR_HEAD_EVENT;
	}
	return is_comment && read_recording(h, s) ? PR_HEAD_REPORT : PR_HEAD_NO;
}

struct pd_span pr_head_name(const struct pr_head *h, uint32_t event)
{
	struct pd_span rest = pd_buf_span(&h->names);

	for (uint32_t i = 0; rest.len; i++) {
		size_t len = strlen(rest.ptr);

		if (i == event)
			return pd_span_sub(rest, 0, len);
		rest = pd_span_sub(rest, len + 1, rest.len);
	}
	return rest;
}

void pr_head_tell(const struct pr_head *h, struct pd_builder *b, uint32_t run)
{
	if (h->kernel.len)
		pd_builder_set_kernel(b, run, pd_buf_span(&h->kernel));
	if (h->cpu.len)
		pd_builder_set_cpu(b, run, pd_buf_span(&h->cpu));
	if (h->command.len)
		pd_builder_set_command(b, run, pd_buf_span(&h->command));
	if (pd_is_known(h->started_s))
		pd_builder_set_started(b, run, h->started_s);
	if (pd_is_known(h->duration_ns))
		pd_builder_set_duration(b, run, h->duration_ns);
}
