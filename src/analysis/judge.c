/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a comparison. Contract: judge.h. Counts of samples go
 * through the noise mixture of STATS 4, everything else through Welch's test
 * (4.14).
 */
#include "analysis/judge.h"

#include "analysis/noise_history.h"
#include "base/num.h"
#include "stats/stats.h"
#include "stats/timings.h"

/* One event as the statistics see it. Arrays are of the comparison's arena. */
struct problem {
	uint32_t event;
	uint32_t *rows; /* [n_rows]: which rows of the comparison these are, by row_at() */
	struct pd_stats_problem counts;
};

/* Rows, and behind them those that stand beside them. */
static struct pd_row *row_at(const struct pd_comparison *c, uint32_t i)
{
	return i < c->n_rows ? &c->rows[i] : &c->beside[i - c->n_rows];
}

static bool is_counted(enum pd_unit unit)
{
	return unit == PD_UNIT_SAMPLES || unit == PD_UNIT_TICKS || unit == PD_UNIT_EVENTS;
}

/*
 * Samples of unequal or large cost (STATS 4.14): one tick is sum(w^2)/sum(w) over
 * all samples of all runs. 0 where a run does not tell the squares, or a sample
 * counts 1 each.
 */
static double weighted_tick(const struct pd_matched *m, uint32_t event)
{
	double sum = 0, sum_sq = 0;

	for (uint32_t r = 0; r < m->n_runs; r++) {
		const struct pd_profile *p = m->runs[r];
		uint32_t own = m->event_of[event * m->n_runs + r];
		double run_sum = 0, run_sq = 0;

		for (uint32_t i = 0; i < p->n_funcs; i++) {
			const struct pd_weight *w = pd_profile_weight(p, i, own);

			if (!(fabs(w->self) > 0))
				continue;
			if (!pd_is_known(w->sum_sq) || !pd_is_known(w->n_samples))
				return 0;
			run_sum += w->self;
			run_sq += w->sum_sq;
		}
		sum += run_sum;
		sum_sq += run_sq;
	}
	return sum > 0 && sum_sq > 0 && sum_sq != sum ? sum_sq / sum : 0;
}

static enum pd_row_role role_of(const struct pd_row *row)
{
	if (row->paired == PD_PAIRED_INLINE)
		return PD_ROW_BESIDE;
	if (row->group != PD_NO_ROW)
		return PD_ROW_MEMBER;
	return row->is_filtered ? PD_ROW_FILTERED : PD_ROW_PLAIN;
}

/* Samples a second, where the runs tell and they differ: more of them is no more cost. */
static void add_sampling_rate(const struct pd_matched *m, uint32_t event, double *exposure)
{
	bool differ = false, known = true;
	double first = PD_UNKNOWN;

	for (uint32_t r = 0; r < m->n_runs; r++) {
		uint32_t own = m->event_of[event * m->n_runs + r];
		double hz = m->runs[r]->events[own].frequency_hz;

		known &= hz > 0;
		if (!r)
			first = hz;
		differ |= hz != first;
	}
	for (uint32_t r = 0; r < m->n_runs && known && differ; r++) {
		uint32_t own = m->event_of[event * m->n_runs + r];

		exposure[r] *= m->runs[r]->events[own].frequency_hz;
	}
}

/* What makes totals of inclusive rows, which are in them many times over, the real ones. */
static void add_inclusive_rest(const struct pd_comparison *c, uint32_t event, double *rest)
{
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (pd_is_known(c->events[event].totals[r]))
			rest[r] = c->events[event].totals[r];
	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t r = 0; r < c->n_runs; r++)
			if (c->rows[i].event == event && c->rows[i].group == PD_NO_ROW &&
			    pd_is_known(c->rows[i].runs[r]))
				rest[r] -= c->rows[i].runs[r];
}

/* Everything of an event that is one number a run. */
static int add_runs(struct pd_comparison *c, const struct pd_matched *m,
		    const struct pd_compare_options *options, struct problem *p)
{
	double *exposure = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	double *leftover = pd_arena_array(&c->arena, c->n_runs, sizeof(double));
	double *quantum = pd_arena_array(&c->arena, c->n_runs, sizeof(double));

	if (!exposure || !leftover || !quantum)
		return PD_ERR_NOMEM;
	for (uint32_t r = 0; r < c->n_runs; r++) {
		exposure[r] = options->work ? options->work[r] : 1;
		quantum[r] = m->runs[r]->events[m->event_of[p->event * m->n_runs + r]].quantum;
	}
	/* A weighted sample stands for all that was counted since the last: whatever the rate. */
	if (!c->events[p->event].is_weighted)
		add_sampling_rate(m, p->event, exposure);
	if (c->is_inclusive)
		add_inclusive_rest(c, p->event, leftover);
	for (uint32_t i = 0; i < c->n_leftovers; i++)
		for (uint32_t r = 0; r < c->n_runs && c->leftovers[i].event == p->event; r++)
			leftover[r] += c->leftovers[i].runs[r];
	for (uint32_t r = 0; r < c->n_runs && !c->is_inclusive; r++)
		leftover[r] = fmax(leftover[r], 0); /* rounding may leave less than nothing */
	p->counts.exposure = exposure;
	p->counts.leftover = leftover;
	p->counts.quantum = quantum;
	p->counts.side = m->side_of;
	p->counts.n_runs = c->n_runs;
	p->counts.n_sides = c->n_sides;
	return PD_OK;
}

/* Everything of an event that is one number a row. */
static int add_rows(struct pd_comparison *c, const struct pd_compare_options *options,
		    struct problem *p)
{
	struct pd_noise_record *history = NULL;
	unsigned char *role;
	bool *is_idle;
	uint32_t n_all = c->n_rows + c->n_beside;
	double *y;
	size_t n = 0;

	for (uint32_t i = 0; i < n_all; i++)
		n += row_at(c, i)->event == p->event;
	p->rows = pd_arena_array(&c->arena, n, sizeof(*p->rows));
	y = pd_arena_array(&c->arena, n * c->n_runs, sizeof(*y));
	role = pd_arena_array(&c->arena, n, sizeof(*role));
	is_idle = pd_arena_array(&c->arena, n, sizeof(*is_idle));
	if (options->noise)
		history = pd_arena_array(&c->arena, n, sizeof(*history));
	if (!p->rows || !y || !role || !is_idle || (options->noise && !history))
		return PD_ERR_NOMEM;
	n = 0;
	for (uint32_t i = 0; i < n_all; i++) {
		const struct pd_row *row = row_at(c, i);

		if (row->event != p->event)
			continue;
		memcpy(&y[n * c->n_runs], row->runs, c->n_runs * sizeof(*y));
		role[n] = (unsigned char)role_of(row);
		is_idle[n] = row->is_idle;
		if (history && role[n] != PD_ROW_BESIDE) /* a sum has no record */
			history[n] = pd_noise_history_find(options->noise, c, row);
		p->rows[n++] = i;
	}
	p->counts.n_rows = n;
	p->counts.y = y;
	p->counts.role = role;
	p->counts.is_idle = is_idle;
	p->counts.history = history;
	p->counts.tick = c->events[p->event].tick;
	return PD_OK;
}

static void copy_change(const struct pd_stats_change *from, struct pd_change *to)
{
	to->delta_lo = from->delta_lo;
	to->delta_hi = from->delta_hi;
	to->ratio_lo = from->ratio_lo;
	to->ratio_hi = from->ratio_hi;
	to->level = from->level;
	to->z = from->z;
	to->p = from->p;
	to->q = from->q;
	to->bound = from->bound_ratio;
	to->sampling = from->sampling;
	to->verdict = from->verdict;
}

static void copy_total(const struct pd_comparison *c, const struct pd_total *from,
		       struct pd_change *to)
{
	for (uint32_t s = 1; s < c->n_sides; s++) {
		const struct pd_welch *w = &from->change[s - 1];

		to[s].ratio_lo = w->lo;
		to[s].ratio_hi = w->hi;
		to[s].p = w->p;
	}
}

static void copy_event(struct pd_comparison *c, const struct problem *p,
		       const struct pd_stats_event *from)
{
	struct pd_compared_event *e = &c->events[p->event];
	uint32_t n_next = c->n_sides - 1;

	memcpy(e->scale, from->scale, c->n_runs * sizeof(*e->scale));
	memcpy(e->checks, from->runs, c->n_runs * sizeof(*e->checks));
	memcpy(&e->shifts[1], from->shifts, n_next * sizeof(*e->shifts));
	e->has_fallen_back = from->has_fallen_back;
	for (size_t i = 0; i < from->n_rows; i++)
		for (uint32_t s = 0; s < n_next; s++)
			copy_change(&from->changes[i * n_next + s],
				    &row_at(c, p->rows[i])->changes[s + 1]);
	copy_total(c, &from->total, e->changes);
	copy_total(c, &from->busy, e->busy_changes);
	if (from->mode < c->mode)
		c->mode = from->mode;
}

/* Events of samples: one false discovery control over all of them. */
static int judge_counts(struct pd_comparison *c, const struct problem *problems, uint32_t n,
			const struct pd_compare_options *options, struct pd_error *err)
{
	struct pd_stats_options how = {
		.normalize = options->normalize,
		.alpha = c->alpha,
		.equiv_ratio = c->equiv_ratio,
	};
	struct pd_stats *stats = NULL;
	int rc = pd_stats_new(&how, &stats, err);

	for (uint32_t i = 0; i < n && rc == PD_OK; i++)
		rc = pd_stats_add(stats, &problems[i].counts, err);
	if (rc == PD_OK)
		rc = pd_stats_finish(stats, err);
	for (uint32_t i = 0; i < n && rc == PD_OK; i++)
		copy_event(c, &problems[i], &stats->events[i]);
	if (rc == PD_OK) {
		c->n_tested += (uint32_t)(stats->n_tested[PD_STATS_MAIN] +
					  stats->n_ranked[PD_STATS_MAIN]);
		c->n_flagged += (uint32_t)stats->n_flagged[PD_STATS_MAIN];
	}
	pd_stats_free(stats);
	return rc;
}

/*
 * An event without counts: its numbers themselves are compared, row by row; those of
 * one role, which have a false discovery control of their own.
 */
static int judge_timings(struct pd_comparison *c, const struct problem *p, enum pd_row_role role,
			 struct pd_error *err)
{
	size_t n_rows = p->counts.n_rows, n_runs = c->n_runs;
	double *x = pd_arena_array(&c->arena, n_rows * n_runs, sizeof(*x));
	struct pd_timings_problem problem = {
		.n_rows = n_rows, .n_runs = c->n_runs, .n_sides = c->n_sides, .x = x,
		.side = p->counts.side, .alpha = c->alpha, .equiv_ratio = c->equiv_ratio,
	};
	struct pd_timings timings = {0};
	int rc;

	if (!x)
		return pd_fail_nomem(err);
	for (size_t i = 0; i < n_rows; i++)
		for (size_t r = 0; r < n_runs; r++)
			x[i * n_runs + r] = p->counts.role[i] == role
					    ? p->counts.y[i * n_runs + r] : PD_UNKNOWN;
	rc = pd_timings_compare(&c->arena, &problem, &timings, err);
	if (rc != PD_OK)
		return rc;
	for (size_t i = 0; i < n_rows; i++)
		for (uint32_t s = 1; s < c->n_sides && p->counts.role[i] == role; s++) {
			const struct pd_timing *from = &timings.rows[i * (c->n_sides - 1) + s - 1];
			struct pd_change *to = &row_at(c, p->rows[i])->changes[s];

			to->ratio_lo = from->welch.lo;
			to->ratio_hi = from->welch.hi;
			to->level = pd_is_known(from->welch.lo) ? 1 - c->alpha : PD_UNKNOWN;
			to->p = from->welch.p;
			to->q = from->q;
			to->bound = from->bound_ratio;
			to->verdict = from->verdict;
		}
	if (role == PD_ROW_PLAIN) {
		c->n_tested += (uint32_t)timings.n_tested;
		c->n_flagged += (uint32_t)timings.n_flagged;
	}
	return PD_OK;
}

static int init_event(struct pd_comparison *c, const struct pd_matched *m, uint32_t event,
		      struct pd_error *err)
{
	struct pd_compared_event *e = &c->events[event];
	double tick = weighted_tick(m, event);

	e->is_weighted = tick > 0;
	e->tick = e->is_weighted ? tick : 1;
	e->is_counted = e->is_weighted || is_counted(e->unit);
	e->scale = pd_arena_array(&c->arena, c->n_runs, sizeof(*e->scale));
	e->shifts = pd_arena_array(&c->arena, c->n_sides, sizeof(*e->shifts));
	e->checks = pd_arena_array(&c->arena, c->n_runs, sizeof(*e->checks));
	if (!e->scale || !e->shifts || !e->checks)
		return pd_fail_nomem(err);
	for (uint32_t r = 0; r < c->n_runs; r++)
		e->scale[r] = 1;
	for (uint32_t s = 0; s < c->n_sides; s++)
		e->shifts[s] = pd_runs_no_shift();
	return PD_OK;
}

int pd_judge(struct pd_comparison *c, const struct pd_matched *m,
	     const struct pd_compare_options *options, struct pd_error *err)
{
	struct problem *problems = pd_arena_array(&c->arena, c->n_events, sizeof(*problems));
	uint32_t n_counted = 0;
	int rc = problems ? PD_OK : pd_fail_nomem(err);

	c->normalize = options->normalize;
	c->per = options->per ? pd_arena_printf(&c->arena, "%s", options->per) : NULL;
	c->alpha = options->alpha > 0 ? options->alpha : 0.05;
	c->equiv_ratio = options->equiv_ratio > 0 ? options->equiv_ratio : 0.05;
	c->mode = PD_STATS_SINGLE;
	for (uint32_t e = 0; e < c->n_events && rc == PD_OK; e++) {
		struct problem *p = &problems[n_counted];

		rc = init_event(c, m, e, err);
		p->event = e;
		if (rc == PD_OK && (add_runs(c, m, options, p) != PD_OK ||
				    add_rows(c, options, p) != PD_OK))
			rc = pd_fail_nomem(err);
		if (rc == PD_OK && c->events[e].is_counted)
			n_counted++;
		else if (rc == PD_OK)
			rc = judge_timings(c, p, PD_ROW_PLAIN, err);
		if (rc == PD_OK && !c->events[e].is_counted && c->n_beside)
			rc = judge_timings(c, p, PD_ROW_BESIDE, err);
	}
	if (rc == PD_OK && n_counted)
		rc = judge_counts(c, problems, n_counted, options, err);
	return rc;
}
