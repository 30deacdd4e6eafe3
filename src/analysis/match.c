/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matching of events, modules and functions. Contract: match.h.
 */
#include "analysis/match.h"

#include <stdlib.h>

#include "analysis/events.h"
#include "analysis/names.h"
#include "analysis/rewrite.h"
#include "base/map.h"
#include "base/num.h"

/* What is needed while functions are joined. */
struct joiner {
	struct pd_comparison *c;
	const struct pd_compare_options *options;
	const struct pd_matched *m;
	struct pd_diags *diags;
	bool *is_rename_used; /* [n_renames] */
	struct pd_map code_names; /* of options->code_pairs: name -> name */
	bool use_modules;
	struct pd_map *bases;    /* [sides]: base name of a module -> module, or AMBIGUOUS */
	struct pd_map *modules;  /* [sides]: the modules themselves */
	struct pd_map ids;       /* (module, name) -> key id */
	struct pd_map leaf_ids;  /* (event and kind, key id) -> leaf */
	struct pd_leaf *leaves;
	uint32_t n_leaves, cap_leaves, n_keys;
	struct pd_rewrite rewrite;
	struct pd_buf buf;
};

/* More than one module has this base name. */
#define AMBIGUOUS 0u

/* Whether the functions of a side have modules at all. */
static bool side_has_modules(const struct joiner *j, uint32_t side)
{
	for (uint32_t r = 0; r < j->m->n_runs; r++) {
		const struct pd_profile *p = j->m->runs[r];

		if (j->m->side_of[r] != side)
			continue;
		for (uint32_t f = 0; f < p->n_funcs; f++)
			if (p->funcs[f].module.id)
				return true;
	}
	return false;
}

/* The module's normal spelling, in the strings of the comparison. */
static pd_str normal_module(struct joiner *j, const struct pd_profile *p, pd_str module)
{
	return pd_strtab_intern(&j->c->strings,
				pd_module_normal(pd_strtab_span(&p->strings, module)));
}

static pd_str base_name(struct joiner *j, pd_str module)
{
	return pd_strtab_intern(&j->c->strings,
				pd_module_base_name(pd_strtab_span(&j->c->strings, module)));
}

/* Collect the modules of all sides, and which have a base name of their own. */
static int collect_modules(struct joiner *j)
{
	j->bases = calloc(j->c->n_sides, sizeof(*j->bases));
	j->modules = calloc(j->c->n_sides, sizeof(*j->modules));
	if (!j->bases || !j->modules)
		return PD_ERR_NOMEM;
	for (uint32_t r = 0; r < j->m->n_runs; r++) {
		const struct pd_profile *p = j->m->runs[r];
		uint32_t side = j->m->side_of[r];

		for (uint32_t f = 0; f < p->n_funcs; f++) {
			pd_str module = normal_module(j, p, p->funcs[f].module);
			pd_str base = base_name(j, module);

			if (!module.id || pd_map_find(&j->modules[side], module.id) != PD_MAP_NONE)
				continue;
			if (pd_map_insert(&j->modules[side], module.id, 1) == PD_MAP_NONE)
				return PD_ERR_NOMEM;
			if (pd_map_find(&j->bases[side], base.id) != PD_MAP_NONE)
				pd_map_set(&j->bases[side], base.id, AMBIGUOUS);
			else if (pd_map_insert(&j->bases[side], base.id, module.id) == PD_MAP_NONE)
				return PD_ERR_NOMEM;
		}
	}
	return PD_OK;
}

/*
 * The module under which a function is joined: objects that are not at the
 * same path on the base side pair by base name, where that is unique on both.
 */
static pd_str join_module(struct joiner *j, const struct pd_profile *p, uint32_t side,
			  pd_str module)
{
	uint32_t mine, theirs;
	pd_str base;

	if (!j->use_modules || !module.id)
		return (pd_str){0};
	module = normal_module(j, p, module);
	if (!side || pd_map_find(&j->modules[0], module.id) != PD_MAP_NONE)
		return module;
	base = base_name(j, module);
	mine = pd_map_find(&j->bases[side], base.id);
	theirs = pd_map_find(&j->bases[0], base.id);
	if (mine == AMBIGUOUS || theirs == AMBIGUOUS || theirs == PD_MAP_NONE ||
	    pd_map_find(&j->modules[side], theirs) != PD_MAP_NONE)
		return module;
	return (pd_str){theirs};
}

/* The name under which a function is joined. */
static pd_str join_name(struct joiner *j, struct pd_span name, bool *ret_is_renamed,
			bool *ret_is_by_code)
{
	const struct pd_compare_options *o = j->options;
	uint32_t id = PD_MAP_NONE;

	*ret_is_renamed = false;
	if (o->n_code_pairs)
		id = pd_map_find(&j->code_names, pd_strtab_find(&j->c->strings, name).id);
	*ret_is_by_code = id != PD_MAP_NONE;
	if (*ret_is_by_code)
		return (pd_str){id};
	for (uint32_t i = 0; i < o->n_renames; i++)
		if (pd_span_eq(name, o->renames[i].from)) {
			name = pd_span_of(o->renames[i].to);
			*ret_is_renamed = true;
			j->is_rename_used[i] = true;
			break;
		}
	if (o->n_rewrites) {
		struct pd_span rewritten = pd_rewrite_apply(&j->rewrite, name);

		*ret_is_renamed |= rewritten.len != name.len ||
				   memcmp(rewritten.ptr, name.ptr, name.len) != 0;
		name = rewritten;
	}
	if (o->suffix == PD_SUFFIX_STRIP)
		name = pd_name_family(name, &j->buf);
	return pd_strtab_intern(&j->c->strings, name);
}

/* The leaf of that key, a new one if there is none; NULL if there is no memory. */
static struct pd_leaf *leaf_at(struct joiner *j, uint32_t event, bool is_leftover, pd_str module,
			       pd_str name)
{
	uint32_t key = pd_map_insert(&j->ids, pd_map_key(module.id, name.id), j->n_keys);
	struct pd_leaf *leaf;
	uint32_t id;

	if (key == PD_MAP_NONE)
		return NULL;
	j->n_keys += key == j->n_keys;
	id = pd_map_insert(&j->leaf_ids, pd_map_key(2 * event + is_leftover, key), j->n_leaves);
	if (id == PD_MAP_NONE)
		return NULL;
	if (id < j->n_leaves)
		return &j->leaves[id];
	if (j->n_leaves == j->cap_leaves) {
		uint32_t cap = j->cap_leaves ? 2 * j->cap_leaves : 256;
		struct pd_leaf *leaves = realloc(j->leaves, cap * sizeof(*leaves));

		if (!leaves)
			return NULL;
		j->leaves = leaves;
		j->cap_leaves = cap;
	}
	leaf = &j->leaves[j->n_leaves];
	*leaf = (struct pd_leaf){
		.name = name,
		.module = module,
		.event = event,
		.is_leftover = is_leftover,
		.runs = pd_arena_array(&j->c->arena, j->m->n_runs, sizeof(double)),
	};
	if (!leaf->runs)
		return NULL;
	for (uint32_t r = 0; r < j->m->n_runs; r++)
		leaf->runs[r] = PD_UNKNOWN;
	j->n_leaves++;
	return leaf;
}

/* What a run tells of how often a function was called. False if there is no memory. */
static bool add_calls(struct joiner *j, struct pd_leaf *leaf, uint32_t run, double n)
{
	if (!pd_is_known(n))
		return true;
	if (!leaf->calls) {
		leaf->calls = pd_arena_array(&j->c->arena, j->m->n_runs, sizeof(double));
		if (!leaf->calls)
			return false;
		for (uint32_t r = 0; r < j->m->n_runs; r++)
			leaf->calls[r] = PD_UNKNOWN;
		j->c->has_calls = true;
	}
	leaf->calls[run] = pd_is_known(leaf->calls[run]) ? leaf->calls[run] + n : n;
	return true;
}

static int join_func(struct joiner *j, uint32_t run, uint32_t func)
{
	const struct pd_profile *p = j->m->runs[run];
	const struct pd_func *f = &p->funcs[func];
	bool is_leftover = f->flags & PD_FUNC_LEFTOVER, is_renamed = false, is_by_code = false;
	pd_str module = join_module(j, p, j->m->side_of[run], f->module);
	struct pd_span text = pd_strtab_span(&p->strings, f->name);
	pd_str name = is_leftover ? pd_strtab_intern(&j->c->strings, text)
				  : join_name(j, text, &is_renamed, &is_by_code);

	for (uint32_t e = 0; e < j->m->n_events; e++) {
		uint32_t own = j->m->event_of[e * j->m->n_runs + run];
		const struct pd_weight *w = pd_profile_weight(p, func, own);
		double cost = j->options->is_inclusive ? w->inclusive : w->self;
		struct pd_leaf *leaf;

		if (!pd_is_known(cost))
			continue;
		leaf = leaf_at(j, e, is_leftover, module, name);
		if (!leaf || !add_calls(j, leaf, run, f->n_calls))
			return PD_ERR_NOMEM;
		leaf->runs[run] = pd_is_known(leaf->runs[run]) ? leaf->runs[run] + cost : cost;
		leaf->is_renamed |= is_renamed;
		leaf->is_by_code |= is_by_code;
		if (!leaf->file.id)
			leaf->file = pd_strtab_intern(&j->c->strings,
						      pd_strtab_span(&p->strings, f->file));
	}
	return PD_OK;
}

/* Order that depends on what the inputs say, not on where they say it. */
static int compare_leaves(const void *a, const void *b, void *context)
{
	const struct pd_strtab *t = context;
	const struct pd_leaf *x = a, *y = b;
	int d;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->is_leftover != y->is_leftover)
		return x->is_leftover - y->is_leftover;
	d = strcmp(pd_strtab_get(t, x->name), pd_strtab_get(t, y->name));
	return d ? d : strcmp(pd_strtab_get(t, x->module), pd_strtab_get(t, y->module));
}

static int join_all(struct joiner *j)
{
	bool some = false, all = true;
	int rc;

	for (uint32_t s = 0; s < j->c->n_sides; s++) {
		bool has = side_has_modules(j, s);

		some |= has;
		all &= has;
	}
	/* Where one side tells no modules, names are all there is to go by. */
	j->use_modules = some && all;
	if (some && !all)
		pd_diags_add(j->diags, PD_NOTE, "modules", NULL, 0,
			     "not every side tells modules: functions are joined by name alone, "
			     "and equal names are summed");
	rc = j->use_modules ? collect_modules(j) : PD_OK;
	for (uint32_t r = 0; r < j->m->n_runs && rc == PD_OK; r++)
		for (uint32_t f = 0; f < j->m->runs[r]->n_funcs && rc == PD_OK; f++)
			rc = join_func(j, r, f);
	if (rc == PD_OK && (j->c->strings.failed || j->buf.failed))
		rc = PD_ERR_NOMEM;
	if (rc == PD_OK && j->n_leaves)
		qsort_r(j->leaves, j->n_leaves, sizeof(*j->leaves), compare_leaves,
			&j->c->strings);
	return rc;
}

static void joiner_done(struct joiner *j)
{
	for (uint32_t s = 0; s < j->c->n_sides; s++) {
		if (j->bases)
			pd_map_done(&j->bases[s]);
		if (j->modules)
			pd_map_done(&j->modules[s]);
	}
	free(j->bases);
	free(j->modules);
	pd_map_done(&j->code_names);
	pd_map_done(&j->ids);
	pd_map_done(&j->leaf_ids);
	free(j->leaves);
	pd_rewrite_done(&j->rewrite);
	pd_buf_done(&j->buf);
}

/* --pair-code: what base names become. */
static int map_code_pairs(struct joiner *j)
{
	struct pd_strtab *strings = &j->c->strings;

	for (uint32_t i = 0; i < j->options->n_code_pairs; i++) {
		const struct pd_rename *pair = &j->options->code_pairs[i];

		if (pd_map_insert(&j->code_names, pd_strtab_intern_str(strings, pair->from).id,
				  pd_strtab_intern_str(strings, pair->to).id) == PD_MAP_NONE)
			return PD_ERR_NOMEM;
	}
	return PD_OK;
}

static int join_functions(struct pd_comparison *c, const struct pd_compare_options *options,
			  const struct pd_matched *m, struct pd_diags *diags,
			  struct pd_leaves *ret_leaves, struct pd_error *err)
{
	struct joiner j = {.c = c, .options = options, .m = m, .diags = diags};
	int rc = PD_OK;

	j.is_rename_used = pd_arena_array(&c->arena, options->n_renames, sizeof(bool));
	if (!j.is_rename_used)
		rc = PD_ERR_NOMEM;
	for (uint32_t i = 0; i < options->n_rewrites && rc == PD_OK; i++)
		rc = pd_rewrite_add(&j.rewrite, options->rewrites[i], err);
	if (rc == PD_OK)
		rc = map_code_pairs(&j);
	if (rc == PD_OK)
		rc = join_all(&j);
	if (rc == PD_OK) {
		ret_leaves->items = pd_arena_array(&c->arena, j.n_leaves, sizeof(*j.leaves));
		if (!ret_leaves->items)
			rc = PD_ERR_NOMEM;
	}
	if (rc == PD_OK) {
		ret_leaves->n = j.n_leaves;
		if (j.n_leaves)
			memcpy(ret_leaves->items, j.leaves, j.n_leaves * sizeof(*j.leaves));
	}
	for (uint32_t i = 0; i < options->n_renames && rc == PD_OK; i++)
		if (!j.is_rename_used[i])
			pd_diags_add(diags, PD_WARNING, "map", NULL, 0,
				     "--map: there is no function %s", options->renames[i].from);
	joiner_done(&j);
	return rc == PD_ERR_NOMEM ? pd_fail_nomem(err) : rc;
}

/* Inclusive costs, where they are asked for, have to be in every run. */
static int check_inclusive(const struct pd_matched *m, struct pd_error *err)
{
	for (uint32_t r = 0; r < m->n_runs; r++) {
		const struct pd_profile *p = m->runs[r];
		bool has = !p->n_events;

		for (size_t i = 0; i < (size_t)p->n_funcs * p->n_events && !has; i++)
			has = pd_is_known(p->weights[i].inclusive);
		if (!has)
			return pd_wrap(err, pd_fail(err, PD_ERR_MISMATCH, "--inclusive: it tells "
						    "no call chains and no inclusive costs"),
				       p->path);
	}
	return PD_OK;
}

static int list_runs(struct pd_comparison *c, const struct pd_side_input *sides,
		     struct pd_matched *m, struct pd_error *err)
{
	uint32_t run = 0;

	m->n_runs = c->n_runs;
	m->runs = pd_arena_array(&c->arena, c->n_runs, sizeof(*m->runs));
	m->side_of = pd_arena_array(&c->arena, c->n_runs, sizeof(*m->side_of));
	if (!m->runs || !m->side_of)
		return pd_fail_nomem(err);
	for (uint32_t s = 0; s < c->n_sides; s++)
		for (uint32_t i = 0; i < sides[s].n_runs; i++, run++) {
			m->runs[run] = sides[s].runs[i];
			m->side_of[run] = s;
			if (m->runs[run]->holds_deltas)
				return pd_fail(err, PD_ERR_MISMATCH,
					       "%s holds differences, not counts: "
					       "it cannot be compared with another profile",
					       m->runs[run]->path);
		}
	return PD_OK;
}

int pd_match(struct pd_comparison *c, const struct pd_side_input *sides,
	     const struct pd_compare_options *options, struct pd_diags *diags,
	     struct pd_matched *ret_matched, struct pd_leaves *ret_leaves, struct pd_error *err)
{
	int rc = list_runs(c, sides, ret_matched, err);

	if (rc == PD_OK && options->is_inclusive)
		rc = check_inclusive(ret_matched, err);
	if (rc == PD_OK)
		rc = pd_match_events(c, ret_matched, diags, err);
	if (rc == PD_OK)
		rc = join_functions(c, options, ret_matched, diags, ret_leaves, err);
	return rc;
}
