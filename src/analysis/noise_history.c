/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories of noise. Contract: noise_history.h.
 */
#include "analysis/noise_history.h"

#include <stdlib.h>

#include "base/num.h"

enum { MAX_FIELDS = 6 };

/* Which field of a line is which; MAX_FIELDS where the file has none. */
struct columns {
	size_t symbol, d, mean, ss, module, event;
};

void pd_noise_history_done(struct pd_noise_history *h)
{
	pd_strtab_done(&h->strings);
	pd_map_done(&h->of_symbol);
	free(h->entries);
	*h = (struct pd_noise_history){0};
}

/* The part of text up to c; text goes on behind it. */
static struct pd_span take_until(struct pd_span *text, char c)
{
	const char *end = text->len ? memchr(text->ptr, c, text->len) : NULL;
	size_t len = end ? (size_t)(end - text->ptr) : text->len;
	struct pd_span part = pd_span_sub(*text, 0, len);

	*text = pd_span_sub(*text, len + (end != NULL), text->len);
	return part;
}

static size_t split_line(struct pd_span line, struct pd_span *ret_fields)
{
	size_t n = 0;

	while (line.len && n < MAX_FIELDS)
		ret_fields[n++] = take_until(&line, '\t');
	return n;
}

static bool parse_header(struct pd_span line, struct columns *ret_columns)
{
	static const char *const names[] = {"symbol", "d", "mean", "SS", "module", "event"};
	size_t at[MAX_FIELDS] = {MAX_FIELDS, MAX_FIELDS, MAX_FIELDS,
				 MAX_FIELDS, MAX_FIELDS, MAX_FIELDS};
	struct pd_span fields[MAX_FIELDS];
	size_t n = split_line(line, fields);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < MAX_FIELDS; k++)
			if (pd_span_eq(fields[i], names[k]))
				at[k] = i;
	*ret_columns = (struct columns){at[0], at[1], at[2], at[3], at[4], at[5]};
	return at[0] < n && at[1] < n && at[2] < n && at[3] < n;
}

static pd_str intern_field(struct pd_noise_history *h, const struct pd_span *fields, size_t n,
			   size_t at)
{
	return at < n ? pd_strtab_intern(&h->strings, fields[at]) : (pd_str){0};
}

static int parse_line(struct pd_noise_history *h, const struct columns *c, struct pd_span line,
		      struct pd_error *err)
{
	struct pd_span fields[MAX_FIELDS];
	size_t n = split_line(line, fields);
	struct pd_noise_entry e = {.next = PD_MAP_NONE};
	uint32_t before;

	if (c->symbol >= n || c->d >= n || c->mean >= n || c->ss >= n ||
	    !pd_num_parse(fields[c->d], &e.record.d) ||
	    !pd_num_parse(fields[c->mean], &e.record.mean) ||
	    !pd_num_parse(fields[c->ss], &e.record.ss) || e.record.d < 0 || e.record.mean < 0 ||
	    e.record.ss < 0)
		return pd_fail(err, PD_ERR_FORMAT, "expected symbol, d, mean and SS with tabs "
			       "between, found \"%.*s\"", PD_SPAN_ARG(line));
	e.symbol = intern_field(h, fields, n, c->symbol);
	e.module = intern_field(h, fields, n, c->module);
	e.event = intern_field(h, fields, n, c->event);
	if (h->n == h->cap) {
		uint32_t cap = h->cap ? 2 * h->cap : 64;
		struct pd_noise_entry *entries = realloc(h->entries, cap * sizeof(*entries));

		if (!entries)
			return pd_fail_nomem(err);
		h->entries = entries;
		h->cap = cap;
	}
	before = pd_map_insert(&h->of_symbol, e.symbol.id, h->n);
	if (before == PD_MAP_NONE)
		return pd_fail_nomem(err);
	if (before != h->n) {
		e.next = before;
		pd_map_set(&h->of_symbol, e.symbol.id, h->n);
	}
	h->entries[h->n++] = e;
	return PD_OK;
}

int pd_noise_history_parse(struct pd_span text, const char *path, struct pd_noise_history *ret_h,
			   struct pd_error *err)
{
	struct pd_noise_history h = {0};
	struct columns columns = {0};
	uint32_t line_no = 1;
	int rc = PD_OK;

	if (!parse_header(take_until(&text, '\n'), &columns))
		rc = pd_fail(err, PD_ERR_FORMAT, "expected the header of a noise history "
			     "(symbol, d, mean, SS), as --save-noise writes it");
	while (rc == PD_OK && text.len) {
		struct pd_span line = take_until(&text, '\n');

		line_no++;
		if (line.len)
			rc = parse_line(&h, &columns, line, err);
	}
	if (rc == PD_OK && h.strings.failed)
		rc = pd_fail_nomem(err);
	if (rc != PD_OK) {
		if (err)
			err->line = line_no;
		pd_noise_history_done(&h);
		return pd_wrap(err, rc, path);
	}
	*ret_h = h;
	return PD_OK;
}

/* Whether a name of the history, where it has one, is that of the comparison. */
static bool is_same(const struct pd_noise_history *h, pd_str theirs, const struct pd_comparison *c,
		    pd_str ours)
{
	return !theirs.id || !ours.id ||
	       !strcmp(pd_strtab_get(&h->strings, theirs), pd_strtab_get(&c->strings, ours));
}

struct pd_noise_record pd_noise_history_find(const struct pd_noise_history *h,
					     const struct pd_comparison *c,
					     const struct pd_row *row)
{
	pd_str symbol = pd_strtab_find(&h->strings, pd_strtab_span(&c->strings, row->name));
	uint32_t i = symbol.id ? pd_map_find(&h->of_symbol, symbol.id) : PD_MAP_NONE;

	for (; i != PD_MAP_NONE; i = h->entries[i].next) {
		const struct pd_noise_entry *e = &h->entries[i];

		if (is_same(h, e->module, c, row->module) &&
		    (c->n_events == 1 || is_same(h, e->event, c, c->events[row->event].name)))
			return e->record;
	}
	return (struct pd_noise_record){0};
}

/* The records of one event's rows, as lines. */
static int write_event(const struct pd_comparison *c, uint32_t event, struct pd_buf *text,
		       struct pd_error *err)
{
	uint32_t n_runs = c->sides[0].n_runs, *side = calloc(n_runs, sizeof(*side));
	double *y = calloc((size_t)c->n_rows * n_runs + 1, sizeof(*y));
	struct pd_noise_record *records = calloc(c->n_rows + 1, sizeof(*records));
	char d[PD_NUM_LEN], mean[PD_NUM_LEN], ss[PD_NUM_LEN];
	size_t n = 0;
	int rc = side && y && records ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0; i < c->n_rows && rc == PD_OK; i++)
		if (c->rows[i].event == event && c->rows[i].group == PD_NO_ROW)
			memcpy(&y[n++ * n_runs], c->rows[i].runs, n_runs * sizeof(*y));
	if (rc == PD_OK) {
		struct pd_stats_problem p = {.n_rows = n, .n_runs = n_runs, .n_sides = 1, .y = y,
					     .side = side, .tick = c->events[event].tick};

		rc = pd_stats_history(&p, records, err);
	}
	n = 0;
	for (uint32_t i = 0; i < c->n_rows && rc == PD_OK; i++) {
		const struct pd_row *row = &c->rows[i];
		const struct pd_noise_record *r;

		if (row->event != event || row->group != PD_NO_ROW)
			continue;
		r = &records[n++];
		if (r->d > 0)
			pd_buf_printf(text, "%s\t%s\t%s\t%s\t%s\t%s\n",
				      pd_strtab_get(&c->strings, row->name),
				      pd_num_shortest(r->d, d), pd_num_shortest(r->mean, mean),
				      pd_num_shortest(r->ss, ss),
				      pd_strtab_get(&c->strings, row->module),
				      pd_strtab_get(&c->strings, c->events[event].name));
	}
	free(side);
	free(y);
	free(records);
	return rc;
}

int pd_noise_history_write(const struct pd_side_input *side,
			   const struct pd_compare_options *options, struct pd_diags *diags,
			   struct pd_buf *ret_text, struct pd_error *err)
{
	/* The side against itself has the rows that any comparison of it will have. */
	const struct pd_side_input sides[2] = {*side, *side};
	struct pd_comparison *c = NULL;
	int rc;

	if (side->n_runs < 2)
		return pd_fail(err, PD_ERR_USAGE, "--save-noise: expected two runs or more of one "
			       "side, found one");
	rc = pd_compare(sides, 2, options, diags, &c, err);
	if (rc != PD_OK)
		return rc;
	pd_buf_add_str(ret_text, "symbol\td\tmean\tSS\tmodule\tevent\n");
	for (uint32_t e = 0; e < c->n_events && rc == PD_OK; e++)
		rc = write_event(c, e, ret_text, err);
	pd_comparison_free(c);
	if (rc == PD_OK && ret_text->failed)
		rc = pd_fail_nomem(err);
	return rc;
}
