/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison: match, make rows, do the arithmetic, account for the rest.
 * Contract: include/profdiff/compare.h.
 */
#include "profdiff/compare.h"

#include <regex.h>
#include <stdlib.h>

#include "analysis/benchmarks.h"
#include "analysis/inline_groups.h"
#include "analysis/judge.h"
#include "analysis/leftovers.h"
#include "analysis/match.h"
#include "analysis/names.h"
#include "analysis/rows.h"
#include "base/num.h"

const char *pd_pairing_name(enum pd_pairing p)
{
	static const char *const names[] = {
		[PD_PAIRED_EXACT] = "exact", [PD_PAIRED_SUFFIX] = "suffix",
		[PD_PAIRED_MAP] = "map",     [PD_PAIRED_GROUP] = "group",
		[PD_PAIRED_INLINE] = "inline",
		[PD_PAIRED_CODE] = "code",
		[PD_BASE_ONLY] = "base-only", [PD_NEXT_ONLY] = "next-only",
	};

	return names[p];
}

void pd_comparison_free(struct pd_comparison *c)
{
	if (!c)
		return;
	pd_strtab_done(&c->strings);
	pd_arena_done(&c->arena);
	free(c);
}

/*
 * Cost a run of one side, and the deviation of the runs; unknown where one of
 * them is. Runs are divided by their size factors (STATS 4.2).
 */
static struct pd_estimate estimate(const double *runs, const double *scale, uint32_t n)
{
	struct pd_estimate e = {PD_UNKNOWN, PD_UNKNOWN};
	struct pd_sum sum = {0}, sizes = {0}, scaled = {0}, squares = {0};
	double mean;

	for (uint32_t i = 0; i < n; i++) {
		pd_sum_add(&sum, runs[i]);
		pd_sum_add(&sizes, scale[i]);
		pd_sum_add(&scaled, runs[i] / scale[i]);
	}
	e.value = sum.high / sizes.high;
	if (n < 2 || !pd_is_known(e.value))
		return e;
	mean = scaled.high / n;
	for (uint32_t i = 0; i < n; i++)
		pd_sum_add(&squares, (runs[i] / scale[i] - mean) * (runs[i] / scale[i] - mean));
	e.sd = sqrt(squares.high / (n - 1));
	return e;
}

/* Estimates of all sides from the runs, and each side against the base. */
static void do_arithmetic(const struct pd_comparison *c, uint32_t event, const double *runs,
			  struct pd_estimate *sides, struct pd_change *changes)
{
	const double *scale = c->events[event].scale;

	for (uint32_t s = 0; s < c->n_sides; s++) {
		const struct pd_side *side = &c->sides[s];

		sides[s] = estimate(runs + side->first_run, scale + side->first_run, side->n_runs);
		changes[s].delta = sides[s].value - sides[0].value;
		changes[s].ratio = sides[0].value != 0 ? sides[s].value / sides[0].value
						       : PD_UNKNOWN;
	}
}

static void do_all_arithmetic(struct pd_comparison *c)
{
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];

		do_arithmetic(c, row->event, row->runs, row->sides, row->changes);
	}
	for (uint32_t i = 0; i < c->n_beside; i++) {
		struct pd_row *row = &c->beside[i];

		do_arithmetic(c, row->event, row->runs, row->sides, row->changes);
	}
	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		struct pd_leftover *l = &c->leftovers[i];

		do_arithmetic(c, l->event, l->runs, l->sides, l->changes);
	}
	for (uint32_t e = 0; e < c->n_events; e++) {
		struct pd_compared_event *event = &c->events[e];

		do_arithmetic(c, e, event->totals, event->sides, event->changes);
		do_arithmetic(c, e, event->busy, event->busy_sides, event->busy_changes);
	}
}

static int make_sides(struct pd_comparison *c, const struct pd_side_input *sides,
		      struct pd_error *err)
{
	c->sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*c->sides));
	if (!c->sides)
		return pd_fail_nomem(err);
	for (uint32_t s = 0; s < c->n_sides; s++) {
		struct pd_side *side = &c->sides[s];

		side->label = pd_arena_printf(&c->arena, "%s", sides[s].label);
		side->n_runs = sides[s].n_runs;
		side->first_run = c->n_runs;
		side->runs = pd_arena_array(&c->arena, side->n_runs, sizeof(*side->runs));
		if (!side->label || !side->runs)
			return pd_fail_nomem(err);
		c->n_runs += side->n_runs;
		for (uint32_t i = 0; i < side->n_runs; i++) {
			const struct pd_profile *p = sides[s].runs[i];
			struct pd_run_info *run = &side->runs[i];

			run->path = pd_arena_printf(&c->arena, "%s%s%s", p->path,
						    p->section ? "#" : "",
						    p->section ? p->section : "");
			run->format = p->format;
			run->started_s = p->started_s;
			run->duration_ns = p->duration_ns;
			run->n_throttled = PD_UNKNOWN;
			if (p->recording) {
				run->n_cpus = p->recording->n_cpus_online;
				run->n_throttled = (double)p->recording->n_throttled;
				run->is_truncated = p->recording->is_truncated;
			}
			if (p->kernel)
				run->kernel = pd_arena_printf(&c->arena, "%s", p->kernel);
			if (!run->path || (p->kernel && !run->kernel))
				return pd_fail_nomem(err);
		}
	}
	return PD_OK;
}

/* A compiled expression of the user's, or none. */
struct pattern {
	regex_t re;
	bool is_set;
};

static int compile_pattern(const char *text, const char *option, struct pattern *ret_pattern,
			   struct pd_error *err)
{
	char why[128];
	int rc;

	if (!text)
		return PD_OK;
	rc = regcomp(&ret_pattern->re, text, REG_EXTENDED | REG_NOSUB);
	if (rc) {
		(void)regerror(rc, &ret_pattern->re, why, sizeof(why));
		return pd_fail(err, PD_ERR_USAGE, "%s: bad expression \"%s\": %s", option, text,
			       why);
	}
	ret_pattern->is_set = true;
	return PD_OK;
}

/* Whether what the user calls a module is this one: a path, its base name, "[ext4]". */
static bool is_module(struct pd_span own, const char *word)
{
	struct pd_span wanted = pd_module_normal(pd_span_of(word));
	struct pd_span base = pd_module_base_name(own);

	return (own.len == wanted.len && !memcmp(own.ptr, wanted.ptr, own.len)) ||
	       (base.len == wanted.len && !memcmp(base.ptr, wanted.ptr, base.len));
}

/* Whether -S and -d leave a row in the comparison, of a sum any of its members. */
static bool is_chosen(const struct pd_comparison *c, const struct pd_row *row,
		      const struct pd_compare_options *o)
{
	struct pd_span name = pd_strtab_span(&c->strings, row->name);
	struct pd_span module = pd_strtab_span(&c->strings, row->module);
	bool is_symbol = !o->n_symbols, is_of_module = !o->n_modules;

	for (uint32_t i = 0; i < o->n_symbols && !is_symbol; i++)
		is_symbol = pd_span_eq(name, o->symbols[i]);
	for (uint32_t i = 0; i < o->n_modules && !is_of_module; i++)
		is_of_module = is_module(module, o->modules[i]);
	for (uint32_t i = 0; i < row->n_members && !(is_symbol && is_of_module); i++)
		if (is_chosen(c, &c->rows[row->members[i]], o))
			return true;
	return is_symbol && is_of_module;
}

/* Whether a row's name, or that of one of its members, matches. */
static bool matches(const struct pd_comparison *c, const struct pd_row *row,
		    const struct pattern *p)
{
	if (!regexec(&p->re, pd_strtab_get(&c->strings, row->name), 0, NULL, 0))
		return true;
	for (uint32_t i = 0; i < row->n_members; i++)
		if (!regexec(&p->re, pd_strtab_get(&c->strings, c->rows[row->members[i]].name), 0,
			     NULL, 0))
			return true;
	return false;
}

/* Mark what the user filters out; it is a part of the whole until the statistics are done. */
static int filter_rows(struct pd_comparison *c, const struct pd_compare_options *options,
		       struct pd_error *err)
{
	struct pattern filter = {0}, exclude = {0};
	int rc = compile_pattern(options->filter, "--filter", &filter, err);

	if (rc == PD_OK)
		rc = compile_pattern(options->exclude, "--exclude", &exclude, err);
	for (uint32_t i = 0; i < c->n_rows && rc == PD_OK; i++) {
		struct pd_row *row = &c->rows[i];

		if (row->group == PD_NO_ROW)
			row->is_filtered = (filter.is_set && !matches(c, row, &filter)) ||
					   (exclude.is_set && matches(c, row, &exclude)) ||
					   !is_chosen(c, row, options);
	}
	if (filter.is_set)
		regfree(&filter.re);
	if (exclude.is_set)
		regfree(&exclude.re);
	return rc;
}

/* The arrays of an event. */
static int alloc_event(struct pd_comparison *c, struct pd_compared_event *event,
		       struct pd_error *err)
{
	event->totals = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	event->busy = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	event->n_lost = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	event->frequency_hz = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	event->own_names = pd_arena_array(&c->arena, c->n_runs, sizeof(*event->own_names));
	event->sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*event->sides));
	event->changes = pd_changes_new(c, c->n_sides);
	event->busy_sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*event->sides));
	event->busy_changes = pd_changes_new(c, c->n_sides);
	if (!event->totals || !event->busy || !event->n_lost || !event->frequency_hz ||
	    !event->own_names || !event->sides ||
	    !event->changes || !event->busy_sides || !event->busy_changes)
		return pd_fail_nomem(err);
	return PD_OK;
}

/* What a run's functions and leftovers add up to, or only its idle functions. */
static double sum_leaves(const struct pd_comparison *c, const struct pd_leaves *leaves,
			 uint32_t event, uint32_t run, bool only_idle)
{
	double sum = 0;

	for (uint32_t i = 0; i < leaves->n; i++) {
		const struct pd_leaf *leaf = &leaves->items[i];

		if (leaf->event != event || !pd_is_known(leaf->runs[run]))
			continue;
		if (!only_idle || (!leaf->is_leftover &&
				   pd_name_is_idle(pd_strtab_span(&c->strings, leaf->name))))
			sum += leaf->runs[run];
	}
	return sum;
}

static int make_totals(struct pd_comparison *c, const struct pd_matched *m,
		       const struct pd_leaves *leaves, struct pd_error *err)
{
	for (uint32_t e = 0; e < c->n_events; e++) {
		struct pd_compared_event *event = &c->events[e];
		int rc = alloc_event(c, event, err);

		if (rc != PD_OK)
			return rc;
		for (uint32_t i = 0; i < c->n_rows; i++)
			event->has_idle |= c->rows[i].event == e && c->rows[i].is_idle;
		for (uint32_t r = 0; r < c->n_runs; r++) {
			const struct pd_event *own =
				&m->runs[r]->events[m->event_of[e * m->n_runs + r]];

			event->n_lost[r] = own->n_lost;
			event->frequency_hz[r] = own->frequency_hz;
			event->own_names[r] = pd_strtab_get(
				&c->strings,
				pd_strtab_intern(&c->strings, pd_strtab_span(&m->runs[r]->strings,
									     own->name)));
			event->totals[r] = own->total;
			if (!pd_is_known(own->total))
				event->totals[r] = c->is_inclusive
						   ? PD_UNKNOWN
						   : sum_leaves(c, leaves, e, r, false);
			event->busy[r] = event->totals[r];
			if (!c->is_inclusive)
				event->busy[r] -= sum_leaves(c, leaves, e, r, true);
		}
	}
	return PD_OK;
}

/* The share of a side's total that is in rows on both sides. */
static void make_receipt(struct pd_comparison *c)
{
	double paired[2] = {0}, total[2] = {0};

	for (uint32_t e = 0; e < c->n_events; e++)
		for (uint32_t s = 0; s < c->n_sides; s++)
			total[s > 0] += c->events[e].sides[s].value;
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->group != PD_NO_ROW)
			continue;
		if (row->paired == PD_BASE_ONLY || row->paired == PD_NEXT_ONLY) {
			c->receipt.n_unpaired++;
			continue;
		}
		for (uint32_t s = 0; s < c->n_sides; s++)
			if (row->is_listed[s] && pd_is_known(row->sides[s].value))
				paired[s > 0] += row->sides[s].value;
	}
	if (c->is_inclusive)
		total[0] = total[1] = 0; /* rows are in the totals many times over */
	c->receipt.base_paired_ratio = total[0] != 0 ? paired[0] / total[0] : PD_UNKNOWN;
	c->receipt.next_paired_ratio = total[1] != 0 ? paired[1] / total[1] : PD_UNKNOWN;
}

/* Say which side of a row a cut list hides. */
static int note_cut_lists(struct pd_comparison *c, struct pd_error *err)
{
	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t s = 0; s < c->n_sides; s++) {
			struct pd_row *row = &c->rows[i];

			if (pd_is_known(row->sides[s].value))
				continue;
			if (!pd_row_add_note(c, row,
					     pd_arena_printf(&c->arena,
							     "not in every list of %s, which are "
							     "cut: its cost there is unknown",
							     c->sides[s].label)))
				return pd_fail_nomem(err);
		}
	return PD_OK;
}

/* Whether all that the runs tell of any function is what it costs with all it calls. */
static bool is_only_inclusive(const struct pd_side_input *sides, uint32_t n_sides)
{
	bool has_inclusive = false;

	for (uint32_t s = 0; s < n_sides; s++)
		for (uint32_t r = 0; r < sides[s].n_runs; r++) {
			const struct pd_profile *p = sides[s].runs[r];

			for (size_t i = 0; i < (size_t)p->n_funcs * p->n_events; i++) {
				if (pd_is_known(p->weights[i].self))
					return false;
				has_inclusive |= pd_is_known(p->weights[i].inclusive);
			}
		}
	return has_inclusive;
}

static int compare(struct pd_comparison *c, const struct pd_side_input *sides,
		   const struct pd_compare_options *wanted, struct pd_diags *diags,
		   struct pd_error *err)
{
	struct pd_compare_options own = *wanted;
	const struct pd_compare_options *options = &own;
	struct pd_leaves leaves = {0};
	struct pd_matched m = {0};
	int rc = make_sides(c, sides, err);

	own.is_inclusive |= is_only_inclusive(sides, c->n_sides);
	c->is_inclusive = own.is_inclusive;
	if (rc == PD_OK)
		rc = pd_match(c, sides, options, diags, &m, &leaves, err);
	if (rc == PD_OK)
		rc = pd_rows_make(c, &m, &leaves, options, diags, err);
	if (rc == PD_OK)
		rc = make_totals(c, &m, &leaves, err);
	if (rc == PD_OK && !c->is_inclusive)
		rc = pd_leftovers_make(c, &leaves, err);
	if (rc == PD_OK)
		rc = filter_rows(c, options, err);
	if (rc == PD_OK)
		rc = pd_inline_groups_make(c, options, err);
	if (rc == PD_OK)
		rc = pd_judge(c, &m, options, err);
	if (rc == PD_OK)
		rc = pd_benchmarks_compare(c, sides, err);
	if (rc == PD_OK)
		rc = pd_leftovers_take_rows(c, err);
	if (rc == PD_OK)
		do_all_arithmetic(c);
	if (rc == PD_OK)
		rc = pd_rows_sort(c, err);
	if (rc == PD_OK)
		rc = note_cut_lists(c, err);
	if (rc == PD_OK)
		make_receipt(c);
	if (rc == PD_OK && c->strings.failed)
		rc = pd_fail_nomem(err);
	return rc;
}

int pd_compare(const struct pd_side_input *sides, uint32_t n_sides,
	       const struct pd_compare_options *options, struct pd_diags *diags,
	       struct pd_comparison **ret_comparison, struct pd_error *err)
{
	struct pd_comparison *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return pd_fail_nomem(err);
	c->n_sides = n_sides;
	c->rows_are = sides[0].n_runs ? sides[0].runs[0]->rows : NULL;
	rc = compare(c, sides, options, diags, err);
	if (rc != PD_OK) {
		pd_comparison_free(c);
		return rc;
	}
	*ret_comparison = c;
	return PD_OK;
}
