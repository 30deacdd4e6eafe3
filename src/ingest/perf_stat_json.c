/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf stat -j: an object a line. perf writes them by hand, and not always
 * validly ("metric-value" : nan), but flat and with texts that need no escapes;
 * so each is searched for the keys that matter.
 *
 *	{"interval" : 0.05, "socket" : "S0", "aggregate-number" : 2,
 *	 "counter-value" : "3.147661", "unit" : "msec", "event" : "task-clock",
 *	 "variance" : 4.43, "event-runtime" : 3147661, "pcnt-running" : 100.00}
 */
#include "ingest/perf_stat.h"

#include "base/num.h"

/* The value of a key, without its quotes; false if there is none. */
static bool find_value(struct pd_span line, const char *key, struct pd_span *ret_value)
{
	size_t at = pd_span_find(line, key), len = strlen(key), to;
	struct pd_span rest;

	if (!at || at == SIZE_MAX || line.ptr[at - 1] != '"' || at + len >= line.len ||
	    line.ptr[at + len] != '"')
		return false;
	rest = pd_span_trim(pd_span_sub(line, at + len + 1, line.len));
	if (!rest.len || rest.ptr[0] != ':')
		return false;
	rest = pd_span_trim(pd_span_sub(rest, 1, rest.len));
	if (rest.len && rest.ptr[0] == '"') {
		to = pd_span_find(pd_span_sub(rest, 1, rest.len), "\"");
		if (to == SIZE_MAX)
			return false;
		*ret_value = pd_span_sub(rest, 1, to + 1);
		return true;
	}
	for (to = 0; to < rest.len && rest.ptr[to] != ',' && rest.ptr[to] != '}'; to++)
		;
	*ret_value = pd_span_trim(pd_span_sub(rest, 0, to));
	return true;
}

bool ps_json_parse(struct pd_span line, struct pd_buf *prefix, struct ps_counter *ret_counter)
{
	static const char *const places[] = {"socket", "die", "cluster", "core", "node", "cpu",
					     "thread"};
	struct ps_counter c = {.value = PD_UNKNOWN, .error_percent = PD_UNKNOWN,
			       .time_s = PD_UNKNOWN};
	struct pd_span value, place;

	if (!line.len || line.ptr[0] != '{' || !find_value(line, "counter-value", &value) ||
	    !find_value(line, "event", &c.name) || !c.name.len ||
	    !value.len || ps_scan_value(value, &c.value) != value.len)
		return false;
	if (!find_value(line, "unit", &c.unit))
		c.unit = pd_span_of("");
	if (find_value(line, "variance", &value) && !pd_num_parse(value, &c.error_percent))
		c.error_percent = PD_UNKNOWN;
	if (find_value(line, "interval", &value) && !pd_num_parse(value, &c.time_s))
		c.time_s = PD_UNKNOWN;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!find_value(line, places[i], &place))
			continue;
		prefix->len = 0;
		if (place.len && pd_is_digit(place.ptr[0]))
			pd_buf_add_str(prefix, "CPU"); /* as the text has it */
		pd_buf_add(prefix, place.ptr, place.len);
		c.prefix = (struct pd_span){prefix->ptr, prefix->len};
	}
	*ret_counter = c;
	return true;
}
