/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf stat -x: separated values, whatever the separator.
 *
 *	3.47,msec,task-clock,3467166,100.00,0.039,CPUs utilized
 *	<not supported>,,cycles,0,100.00,,
 *	S0;2;425.33;msec;cpu-clock;425366508;100.00;2.262;CPUs utilized    --per-socket
 *	     0.091422355,3.57,msec,task-clock,3571054,100.00,0.071,CPUs utilized     -I
 *	4.34,msec,task-clock,6.99%,4339010,100.00,0.042,CPUs utilized              -r 3
 *	0.480427,task-clock                                                 before 3.14
 *
 * The unit and the event are next to each other, and the value stands before
 * them. An event of a PMU may contain the separator: "cpu/event=0x3c,umask=0x0/".
 */
#include "ingest/perf_stat.h"

#include "base/num.h"

enum { MAX_BEFORE = 4 }; /* fields before the unit: time, prefix, number of CPUs, value */

/* The field at *i; false behind the last one. */
static bool next_field(struct pd_span line, char separator, size_t *i, struct pd_span *ret_field)
{
	size_t from = *i, to = from;

	if (from > line.len)
		return false;
	while (to < line.len && line.ptr[to] != separator)
		to++;
	*i = to + 1;
	*ret_field = pd_span_trim(pd_span_sub(line, from, to));
	return true;
}

/* The event that begins with a field; with slashes, it ends behind the second. */
static struct pd_span whole_event(struct pd_span line, char separator, struct pd_span field,
				  size_t *i)
{
	size_t slash = pd_span_find(field, "/");
	struct pd_span more, whole = field;

	while (separator != '/' && slash != SIZE_MAX && pd_span_find(pd_span_sub(whole, slash + 1,
	       whole.len), "/") == SIZE_MAX && next_field(line, separator, i, &more))
		whole.len = (size_t)(more.ptr + more.len - whole.ptr);
	return whole;
}

static bool is_value(struct pd_span s, double *ret_x)
{
	return s.len && ps_scan_value(s, ret_x) == s.len;
}

bool ps_csv_parse(struct pd_span line, char separator, struct ps_counter *ret_counter)
{
	struct ps_counter c = {.value = PD_UNKNOWN, .error_percent = PD_UNKNOWN,
			       .time_s = PD_UNKNOWN};
	struct pd_span fields[MAX_BEFORE], field, error;
	size_t i = 0, n = 0;
	double x;

	/* Numbers and prefixes end where the unit begins, or the event of old times. */
	while (next_field(line, separator, &i, &field) &&
	       (is_value(field, &x) || ps_is_prefix(field))) {
		if (n == MAX_BEFORE)
			return false;
		fields[n++] = field;
	}
	if (!n || i > line.len + 1 || !is_value(fields[n - 1], &c.value))
		return false;
	if (!field.len || ps_is_unit(field)) {
		c.unit = field;
		if (!next_field(line, separator, &i, &field))
			return false;
	} else if (!ps_is_known_event(field)) {
		return false;
	}
	c.name = whole_event(line, separator, field, &i);
	if (!c.name.len || !ps_is_event(pd_span_sub(c.name, 0, pd_span_find(c.name, "/"))))
		return false;
	for (size_t k = 0; k + 1 < n; k++) {
		if (ps_is_prefix(fields[k]))
			c.prefix = fields[k];
		else if (!k)
			(void)is_value(fields[k], &c.time_s);
	}
	if (next_field(line, separator, &i, &error) && pd_span_ends(error, "%") &&
	    !pd_num_parse(pd_span_sub(error, 0, error.len - 1), &c.error_percent))
		c.error_percent = PD_UNKNOWN;
	*ret_counter = c;
	return true;
}

char ps_csv_separator(struct pd_span line)
{
	static const char separators[] = ",;|\t:@!^~/ ";
	struct ps_counter c;

	for (size_t i = 0; separators[i]; i++)
		if (ps_csv_parse(line, separators[i], &c) &&
		    (separators[i] != ' ' || ps_is_known_event(c.name)))
			return separators[i];
	return '\0';
}
