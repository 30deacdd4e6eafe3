/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf stat of all ages, in its three forms: text (perf_stat_text.c), separated
 * values (-x, perf_stat_csv.c) and JSON lines (-j, perf_stat_json.c).
 *
 *	 Performance counter stats for 'true' (3 runs):
 *
 *	              4.34 msec task-clock       #    0.042 CPUs utilized  ( +-  6.99% )
 *	                49      page-faults      #   10.498 K/sec          ( +-  0.68% )
 *	   <not supported>      cycles
 *
 *	            0.1038 +- 0.0163 seconds time elapsed  ( +- 15.75% )
 *
 *	3.47,msec,task-clock,3467166,100.00,0.039,CPUs utilized
 *
 *	{"counter-value" : "3.14", "unit" : "msec", "event" : "task-clock", ...}
 *
 * Counters are metrics and a block is a run. perf prints the standard error of
 * the mean of -r (util/stat.c, stddev_stats()); times the square root of the
 * runs it is their standard deviation. Intervals (-I) are parts of one run and
 * are added up. What stands behind "#" is derived from counters and not read.
 */
#include "ingest/perf_stat.h"

#include "base/num.h"
#include "ingest/quantity.h"
#include "ingest/timestamp.h"

static const struct pd_span none = {"", 0};

size_t ps_scan_value(struct pd_span s, double *ret_value)
{
	static const char *const missing[] = {"<not counted>", "<not supported>"};

	for (size_t i = 0; i < 2; i++)
		if (pd_span_starts(s, missing[i])) {
			*ret_value = PD_UNKNOWN;
			return strlen(missing[i]);
		}
	return pd_quantity_scan(s, ret_value);
}

bool ps_is_event(struct pd_span s)
{
	bool has_letter = false;

	for (size_t i = 0; i < s.len; i++) {
		has_letter |= pd_is_alpha(s.ptr[i]);
		if (!pd_is_alpha(s.ptr[i]) && !pd_is_digit(s.ptr[i]) &&
		    !strchr("_-:./,=@{}*?+%", s.ptr[i]))
			return false;
	}
	return has_letter && (pd_is_alpha(s.ptr[0]) || s.ptr[0] == '_' || s.ptr[0] == '{') &&
	       s.ptr[s.len - 1] != ',' && s.ptr[s.len - 1] != '.';
}

bool ps_is_known_event(struct pd_span s)
{
	static const char *const events[] = {
		"task-clock", "cpu-clock", "task-clock-msecs", "cpu-clock-msecs", "cycles",
		"cpu-cycles", "instructions", "page-faults", "faults", "minor-faults",
		"major-faults", "context-switches", "cpu-migrations", "CPU-migrations", "branches",
		"branch-misses", "branch-instructions", "cache-references", "cache-misses",
		"bus-cycles", "ref-cycles", "stalled-cycles-frontend", "stalled-cycles-backend",
		"duration_time", "alignment-faults", "emulation-faults", "slots",
	};
	static const char *const caches[] = {"L1-", "LLC-", "dTLB-", "iTLB-", "branch-load",
					     "node-", "topdown-"};
	size_t end = pd_span_find(s, ":"), slash = pd_span_find(s, "/");

	if (!ps_is_event(s))
		return false;
	if (slash != SIZE_MAX && pd_span_ends(s, "/"))
		return true;
	/* "cycles:u" and "sched:sched_switch". */
	if (end != SIZE_MAX && end > 1 && end + 4 < s.len)
		return true;
	s = pd_span_sub(s, 0, end);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (pd_span_eq(s, events[i]))
			return true;
	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++)
		if (pd_span_starts(s, caches[i]))
			return true;
	return false;
}

bool ps_is_unit(struct pd_span s)
{
	static const char *const units[] = {"msec", "ns", "usec", "sec", "Joules", "Watts",
					    "mWatts", "C", "%", "Bytes", "bytes", "KB", "KiB",
					    "MB", "MiB", "GB", "GiB"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (pd_span_eq(s, units[i]))
			return true;
	return false;
}

bool ps_is_prefix(struct pd_span s)
{
	size_t digits = s.len, n;

	while (digits && pd_is_digit(s.ptr[digits - 1]))
		digits--;
	if (!digits || digits == s.len)
		return false;
	n = pd_span_starts(s, "CPU") ? 3 : s.ptr[0] == 'S' || s.ptr[0] == 'N' || s.ptr[0] == 'D';
	return (n && n < s.len && pd_is_digit(s.ptr[n])) ||
	       (digits > 1 && s.ptr[digits - 1] == '-' && s.len < 64);
}

/* perf counts clocks in ms, and older ones say so in the name or nowhere. */
static bool is_clock(struct pd_span *name)
{
	static const char *const tails[] = {"-msecs", " (msec)", " (msecs)"};

	if (pd_span_find(*name, "clock") == SIZE_MAX)
		return false;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++)
		if (pd_span_ends(*name, tails[i]))
			name->len -= strlen(tails[i]);
	return pd_span_eq(*name, "task-clock") || pd_span_eq(*name, "cpu-clock") ||
	       pd_span_eq(*name, "task clock ticks") || pd_span_eq(*name, "cpu clock ticks") ||
	       pd_span_starts(*name, "task-clock:") || pd_span_starts(*name, "cpu-clock:");
}

static enum pd_better better_of(struct pd_span name)
{
	static const char *const costs[] = {"cycles", "fault", "-miss", " miss", "_miss",
					    "duration_time"};

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++)
		if (pd_span_find(name, costs[i]) != SIZE_MAX)
			return PD_BETTER_LOWER;
	return PD_BETTER_UNKNOWN;
}

void ps_begin(struct ps_reader *r, struct pd_span section)
{
	r->is_open = true;
	r->run = pd_builder_run(r->b, section);
	r->n_runs = r->time_s = PD_UNKNOWN;
	r->n_columns = 0;
	pd_builder_set_started(r->b, r->run, r->started_s);
	r->started_s = PD_UNKNOWN;
}

void ps_add(struct ps_reader *r, const struct ps_counter *c)
{
	struct pd_span name = c->name, unit = c->unit, full;
	struct pd_unit_word w;
	uint32_t metric;

	if (!r->is_open)
		ps_begin(r, none);
	if (is_clock(&name) && !unit.len)
		unit = pd_span_of("msec");
	if (pd_span_eq(name, "duration_time"))
		unit = pd_span_of("ns");
	w = pd_unit_word(unit);
	r->name.len = 0;
	if (c->prefix.len)
		pd_buf_printf(&r->name, "%.*s ", PD_SPAN_ARG(c->prefix));
	pd_buf_add(&r->name, name.ptr, name.len);
	full = (struct pd_span){r->name.ptr, r->name.len};
	metric = pd_builder_metric(r->b, r->run, none, full, w.unit,
				   w.is_known ? w.better : better_of(name));
	r->n_counters++;
	if (pd_is_known(c->time_s))
		r->time_s = c->time_s;
	if (!pd_is_known(c->value))
		return;
	if (pd_is_known(c->time_s))
		pd_builder_add_part(r->b, r->run, metric, pd_unit_scale(&w, c->value));
	else
		pd_builder_add_value(r->b, r->run, metric, pd_unit_scale(&w, c->value));
	if (pd_is_known(r->n_runs))
		pd_builder_set_summary(r->b, r->run, metric,
				       pd_unit_scale(&w, c->value) * c->error_percent / 100 *
					       sqrt(r->n_runs),
				       r->n_runs);
}

void ps_end(struct ps_reader *r)
{
	struct pd_unit_word s = pd_unit_word(pd_span_of("s"));

	if (r->is_open && pd_is_known(r->time_s))
		pd_builder_add_metric(r->b, r->run, pd_span_of("time elapsed"), s.unit, s.better,
				      pd_unit_scale(&s, r->time_s));
	r->is_open = false;
	r->time_s = PD_UNKNOWN;
}

/* What the lines of an input are. */
struct census {
	size_t n_text, n_csv, n_json; /* counters in these forms */
	size_t n_strong;              /* of n_csv: surely perf's */
	size_t n_other;               /* other lines of data, or of anything in n_lines */
	size_t n_lines;               /* but blank ones and comments */
	char separator;
};

static struct census take_census(const struct pd_input *head)
{
	struct census c = {0};
	struct ps_counter counter;
	struct pd_buf prefix = {0};
	struct pd_lines lines;
	struct pd_span line;
	bool is_open = false;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		ps_text_census(line, &is_open, &c.n_text, &c.n_other);
		line = pd_span_trim(line);
		if (!line.len || line.ptr[0] == '#')
			continue;
		c.n_lines++;
		if (line.ptr[0] == '{') {
			c.n_json += ps_json_parse(line, &prefix, &counter);
			continue;
		}
		if (!c.separator)
			c.separator = ps_csv_separator(line);
		if (c.separator && ps_csv_parse(line, c.separator, &counter)) {
			c.n_csv++;
			c.n_strong += ps_is_known_event(counter.name);
		}
	}
	pd_lines_done(&lines);
	pd_buf_done(&prefix);
	return c;
}

static bool is_json(const struct census *c)
{
	return c->n_json && 2 * c->n_json >= c->n_lines;
}

static bool is_csv(const struct census *c)
{
	return c->n_csv > c->n_text && c->n_strong && 2 * c->n_csv >= c->n_lines;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct census c = take_census(head);

	if (is_json(&c) || is_csv(&c))
		return PD_SNIFF_YES;
	if (c.n_text)
		return 2 * c.n_text >= c.n_other ? PD_SNIFF_YES : PD_SNIFF_MAYBE;
	return PD_SNIFF_NO;
}

static void complain(const struct ps_reader *r, struct pd_span line)
{
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
		     "expected a counter's value, unit and event, found \"%.*s\"; line skipped",
		     PD_SPAN_ARG(line));
}

/* "# started on Mon Nov 30 19:32:14 2026": above the output of each perf stat -o. */
static bool read_started(struct ps_reader *r, struct pd_span line)
{
	static const char words[] = "# started on";

	if (!pd_span_starts(line, words))
		return false;
	ps_end(r);
	line = pd_span_sub(line, strlen(words), line.len);
	if (!pd_timestamp_parse(line, &r->started_s))
		r->started_s = PD_UNKNOWN;
	return true;
}

/* Lines of -x and -j. */
static void read_values(struct ps_reader *r, char separator)
{
	struct pd_buf prefix = {0};
	struct ps_counter c;
	struct pd_span line;

	while (pd_lines_next(&r->lines, &line) && !pd_builder_is_failed(r->b)) {
		line = pd_span_trim(line);
		if (!line.len || read_started(r, line) || line.ptr[0] == '#')
			continue;
		if (separator ? ps_csv_parse(line, separator, &c)
			      : ps_json_parse(line, &prefix, &c))
			ps_add(r, &c);
		else if (line.ptr[0] == separator || pd_span_find(line, "\"metric-value\"") !=
			 SIZE_MAX)
			continue; /* a further figure that was derived from the counter above */
		else
			complain(r, line);
	}
	pd_buf_done(&prefix);
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct ps_reader r = {
		.in = in,
		.b = b,
		.n_runs = PD_UNKNOWN,
		.time_s = PD_UNKNOWN,
		.started_s = PD_UNKNOWN,
	};
	struct pd_input quiet = *in;
	struct pd_span line;
	struct census c;
	bool failed;

	quiet.diags = NULL;
	c = take_census(&quiet);
	pd_input_lines(in, &r.lines);
	if (is_json(&c))
		read_values(&r, '\0');
	else if (c.separator && c.n_csv > c.n_text)
		read_values(&r, c.separator);
	else
		while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b))
			if (!read_started(&r, line))
				ps_text_read(&r, line);
	ps_end(&r);
	failed = r.heading.failed || r.name.failed || r.columns.failed;
	pd_lines_done(&r.lines);
	pd_buf_done(&r.heading);
	pd_buf_done(&r.name);
	pd_buf_done(&r.columns);
	if (failed)
		return pd_fail_nomem(err);
	return r.n_counters ? PD_OK
			    : pd_fail(err, PD_ERR_EMPTY, "expected counters of perf stat, found "
				      "none");
}

const struct pd_format pd_format_perf_stat = {
	.name = "perf-stat",
	.title = "perf stat: text, -x and -j",
	.sniff = sniff,
	.read = read,
};
