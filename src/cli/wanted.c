/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples are wanted. Contract: wanted.h.
 */
#include "cli/wanted.h"

#include "base/num.h"
#include "base/text.h"

enum { MAX_CPU = 65535 };

/* Append text, up to len, to names. */
static int add_name(struct cli_options *o, const char *text, size_t len, const char ***names,
		    uint32_t *n, struct pd_error *err)
{
	const char **items = cli_append(&o->arena, *names, *n, sizeof(*items));

	if (!items)
		return pd_fail_nomem(err);
	items[*n] = pd_arena_strndup(&o->arena, text, len);
	if (!items[*n])
		return pd_fail_nomem(err);
	*names = items;
	++*n;
	return PD_OK;
}

/* Length of a list's first name: a comma between slashes or brackets is a part of it. */
static size_t name_len(const char *list)
{
	bool is_quoted = false;
	int depth = 0;
	size_t i = 0;

	for (; list[i] && (list[i] != ',' || is_quoted || depth > 0); i++) {
		is_quoted ^= list[i] == '/';
		depth += (list[i] == '(') - (list[i] == ')');
	}
	return is_quoted || depth ? strcspn(list, ",") : i;
}

/* Append the names of a list. */
static int add_names(struct cli_options *o, const char *option, const char *list,
		     const char ***names, uint32_t *n, struct pd_error *err)
{
	int rc = PD_OK;

	if (!*list)
		return pd_fail(err, PD_ERR_USAGE, "--%s: expected a name", option);
	while (*list && rc == PD_OK) {
		size_t len = name_len(list);

		if (len)
			rc = add_name(o, list, len, names, n, err);
		list += len + (list[len] == ',');
	}
	return rc;
}

int cli_set_events(struct cli_options *o, const char *value, struct pd_error *err)
{
	return add_names(o, "event", value, &o->events.items, &o->events.n, err);
}

int cli_set_comms(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char **comms = (const char **)(uintptr_t)o->request.comms;
	int rc = add_names(o, "comms", value, &comms, &o->request.n_comms, err);

	o->request.comms = comms;
	return rc;
}

int cli_set_symbols(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char **symbols = (const char **)(uintptr_t)o->compare.symbols;
	int rc = add_names(o, "symbols", value, &symbols, &o->compare.n_symbols, err);

	o->compare.symbols = symbols;
	return rc;
}

int cli_set_dsos(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char **modules = (const char **)(uintptr_t)o->compare.modules;
	int rc = add_names(o, "dsos", value, &modules, &o->compare.n_modules, err);

	o->compare.modules = modules;
	return rc;
}

/* Numbers between commas, up to INT32_MAX, or ranges of them; appended to items. */
static int add_numbers(struct cli_options *o, const char *option, const char *value, uint64_t max,
		       bool may_be_range, uint32_t **items, uint32_t *n, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(value);

	do {
		size_t len = pd_span_find(rest, ",");
		struct pd_span word = pd_span_sub(rest, 0, len);
		size_t dash = may_be_range ? pd_span_find(word, "-") : SIZE_MAX;
		struct pd_span end = dash == SIZE_MAX ? word
						      : pd_span_sub(word, dash + 1, word.len);
		uint64_t from, to;

		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
		if (!pd_num_parse_u64(pd_span_sub(word, 0, dash), &from) ||
		    !pd_num_parse_u64(end, &to) || from > to || to > max)
			return pd_fail(err, PD_ERR_USAGE, "--%s: expected numbers%s between "
				       "commas, found \"%s\"", option,
				       may_be_range ? " or ranges like 0-3" : "", value);
		for (uint64_t x = from; x <= to; x++) {
			uint32_t *more = cli_append(&o->arena, *items, *n, sizeof(*more));

			if (!more)
				return pd_fail_nomem(err);
			more[(*n)++] = (uint32_t)x;
			*items = more;
		}
	} while (rest.len);
	return PD_OK;
}

static int add_ids(struct cli_options *o, const char *option, const char *value,
		   const int32_t **ids, uint32_t *n, struct pd_error *err)
{
	/* Numbers up to INT32_MAX are the same with and without a sign. */
	uint32_t *items = (uint32_t *)(uintptr_t)*ids;
	int rc = add_numbers(o, option, value, INT32_MAX, false, &items, n, err);

	*ids = (const int32_t *)items;
	return rc;
}

int cli_set_pids(struct cli_options *o, const char *value, struct pd_error *err)
{
	return add_ids(o, "pid", value, &o->request.pids, &o->request.n_pids, err);
}

int cli_set_tids(struct cli_options *o, const char *value, struct pd_error *err)
{
	return add_ids(o, "tid", value, &o->request.tids, &o->request.n_tids, err);
}

int cli_set_cpus(struct cli_options *o, const char *value, struct pd_error *err)
{
	uint32_t *cpus = (uint32_t *)(uintptr_t)o->request.cpus;
	int rc = add_numbers(o, "cpu", value, MAX_CPU, true, &cpus, &o->request.n_cpus, err);

	o->request.cpus = cpus;
	return rc;
}

/* What perf's row keys make of a row; of several the finest counts. */
static const struct row_key {
	const char *name;
	enum cli_by by;
	int fineness;
} row_keys[] = {
	{"dso", CLI_BY_MODULE, 1}, {"srcfile", CLI_BY_FILE, 2},    {"sym", CLI_BY_FUNCTION, 3},
	{"symbol", CLI_BY_FUNCTION, 3}, {"srcline", CLI_BY_LINE, 4}, {"comm", CLI_BY_COMM, 0},
};

static const struct row_key *find_row_key(struct pd_span name)
{
	for (size_t i = 0; i < sizeof(row_keys) / sizeof(row_keys[0]); i++)
		if (pd_span_eq(name, row_keys[i].name))
			return &row_keys[i];
	return NULL;
}

int cli_set_sort(struct cli_options *o, const char *value, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(value);
	const struct row_key *finest = NULL;
	uint32_t n = 0, n_keys = 0, n_comms = 0;

	do {
		size_t len = pd_span_find(rest, ",");
		const struct row_key *key = find_row_key(pd_span_sub(rest, 0, len));

		n++;
		n_keys += key != NULL;
		n_comms += key && key->by == CLI_BY_COMM;
		if (key && (!finest || key->fineness > finest->fineness))
			finest = key;
		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
	} while (rest.len);
	if (n_keys && n_keys < n)
		return pd_fail(err, PD_ERR_USAGE, "--sort: \"%s\" has columns and perf's row keys: "
			       "give these to --by", value);
	if (n_comms && n_comms < n)
		return pd_fail(err, PD_ERR_USAGE, "--sort: \"%s\": rows are of a command or of its "
			       "parts, not of both; -C chooses commands", value);
	if (finest)
		o->by = finest->by;
	else
		o->view.sort = value;
	return PD_OK;
}

static bool parse_percent(struct pd_span s, double *ret_ratio)
{
	if (!pd_span_ends(s, "%") || !pd_num_parse(pd_span_sub(s, 0, s.len - 1), ret_ratio))
		return false;
	*ret_ratio /= 100;
	return *ret_ratio >= 0 && *ret_ratio <= 1;
}

/* "10%-40%", "10%-", "-40%", "10%/2" */
static bool parse_ratios(struct pd_span s, double *ret_from, double *ret_to)
{
	size_t slash = pd_span_find(s, "/"), dash = pd_span_find(s, "-");
	uint64_t nth;

	if (slash != SIZE_MAX) {
		if (!parse_percent(pd_span_sub(s, 0, slash), ret_to) ||
		    !pd_num_parse_u64(pd_span_sub(s, slash + 1, s.len), &nth) || !nth)
			return false;
		*ret_from = *ret_to * (double)(nth - 1);
		*ret_to *= (double)nth;
		return *ret_to > 0 && *ret_from < 1;
	}
	if (dash == SIZE_MAX)
		return false;
	*ret_from = 0;
	*ret_to = 1;
	return (!dash || parse_percent(pd_span_sub(s, 0, dash), ret_from)) &&
	       (dash + 1 == s.len || parse_percent(pd_span_sub(s, dash + 1, s.len), ret_to));
}

/* "START,STOP", "START,", ",STOP" */
static bool parse_seconds(struct pd_span s, double *ret_from, double *ret_to)
{
	size_t comma = pd_span_find(s, ",");

	*ret_from = 0;
	*ret_to = HUGE_VAL;
	return comma != SIZE_MAX &&
	       (!comma || pd_num_parse(pd_span_sub(s, 0, comma), ret_from)) &&
	       (comma + 1 == s.len || pd_num_parse(pd_span_sub(s, comma + 1, s.len), ret_to));
}

int cli_wanted_time(const char *text, struct pd_request *r, struct pd_error *err)
{
	struct pd_span s = pd_span_of(text);
	bool is_ratio = strchr(text, '%') != NULL;
	double from, to;

	if (s.len < 2 || !(is_ratio ? parse_ratios(s, &from, &to) : parse_seconds(s, &from, &to)) ||
	    !(from >= 0 && from < to))
		return pd_fail(err, PD_ERR_USAGE, "--time: expected START,STOP in seconds, or "
			       "10%%-40%%, found \"%s\"", text);
	r->from = from;
	r->to = to;
	r->is_time_ratio = is_ratio;
	return PD_OK;
}

bool cli_wants_some(const struct pd_request *r)
{
	return r->n_pids || r->n_tids || r->n_cpus || r->n_comms || r->to > 0;
}
