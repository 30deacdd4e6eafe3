/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roll-ups. Contract: rollup.h.
 */
#include "analysis/rollup.h"

#include <stdlib.h>

#include "analysis/image_sizes.h"
#include "analysis/names.h"
#include "base/map.h"
#include "base/num.h"

const char *pd_rollup_rows(enum pd_rollup_by by)
{
	static const char *const rows[] = {
		[PD_ROLLUP_NONE] = NULL,       [PD_ROLLUP_MODULE] = "module",
		[PD_ROLLUP_FILE] = "file",     [PD_ROLLUP_DIR] = "folder",
		[PD_ROLLUP_MAINTAINER] = "MAINTAINERS section",
	};

	return rows[by];
}

struct pd_span pd_rollup_of_file(const struct pd_rollup *r, struct pd_span file)
{
	size_t slash = pd_span_find_last(file, '/');
	struct pd_span section;

	if (!file.len || r->by == PD_ROLLUP_FILE)
		return file;
	if (r->by == PD_ROLLUP_DIR)
		return slash == SIZE_MAX ? pd_span_of(".")
					 : pd_span_sub(file, 0, slash ? slash : 1);
	section = pd_maintainers_find(r->maintainers, file);
	return section.len ? section : pd_span_of("[no section]");
}

/* A profile on its way to sums. */
struct sums {
	struct pd_profile *p;
	const struct pd_rollup *r;
	struct pd_image_files *files, *other; /* or NULL */
	const char *image_module;     /* of what is listed without ticks; "" where none has one */
	struct pd_func *funcs;
	struct pd_weight *weights; /* [func * n_events + event] */
	uint32_t n;
	struct pd_map by_key;   /* (name, module) -> function */
	struct pd_map by_name;  /* name -> a function, leftovers apart */
};

static void add(double *sum, double x)
{
	if (pd_is_known(x))
		*sum = pd_is_known(*sum) ? *sum + x : x;
}

/* The sum of that name; PD_MAP_NONE if there is no memory. */
static uint32_t find_sum(struct sums *s, pd_str name, pd_str module, unsigned flags)
{
	uint32_t at = pd_map_insert(&s->by_key, pd_map_key(name.id * 2 + (flags != 0), module.id),
				    s->n);

	if (at != s->n || at == PD_MAP_NONE)
		return at;
	if (!flags && pd_map_insert(&s->by_name, name.id, at) == PD_MAP_NONE)
		return PD_MAP_NONE;
	s->funcs[at] = (struct pd_func){
		.name = name, .module = module, .flags = flags, .n_calls = PD_UNKNOWN};
	for (uint32_t e = 0; e < s->p->n_events; e++)
		s->weights[(size_t)at * s->p->n_events + e] =
			(struct pd_weight){PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN};
	s->n++;
	return at;
}

/* The source file of a function: as the profile tells it, else by the image. */
static struct pd_span file_of(const struct sums *s, const struct pd_func *f)
{
	struct pd_span name = pd_strtab_span(&s->p->strings, f->name);
	struct pd_span file = pd_strtab_span(&s->p->strings, f->file);

	if (s->p->rows)
		return name; /* of a recording */
	if (!file.len && s->files)
		file = pd_image_files_find(s->files, name);
	/* A function that one build has not is where the other has it. */
	return file.len || !s->other ? file : pd_image_files_find(s->other, name);
}

static struct pd_span key_of(const struct sums *s, const struct pd_func *f)
{
	struct pd_span module = pd_strtab_span(&s->p->strings, f->module);

	if (s->r->by != PD_ROLLUP_MODULE)
		return pd_rollup_of_file(s->r, file_of(s, f));
	return module.len ? pd_module_base_name(pd_module_normal(module))
			  : pd_span_of(s->image_module);
}

static bool add_function(struct sums *s, uint32_t i)
{
	const struct pd_func *f = &s->p->funcs[i];
	struct pd_span key = f->flags ? pd_strtab_span(&s->p->strings, f->name) : key_of(s, f);
	unsigned flags = key.len && !f->flags ? 0 : PD_FUNC_LEFTOVER;
	pd_str name;
	uint32_t at;

	/* What the table has may be what is interned: it moves nothing. */
	name = pd_strtab_intern(&s->p->strings, key.len ? key : pd_span_of("[unknown]"));
	at = find_sum(s, name, f->module, flags);
	for (uint32_t e = 0; e < s->p->n_events && at != PD_MAP_NONE; e++) {
		const struct pd_weight *from = pd_profile_weight(s->p, i, e);
		struct pd_weight *to = &s->weights[(size_t)at * s->p->n_events + e];

		add(&to->self, from->self);
		add(&to->n_samples, from->n_samples);
		add(&to->sum_sq, from->sum_sq);
	}
	return at != PD_MAP_NONE;
}

/* List what the image has besides: no ticks, but bytes. */
static bool add_silent(struct sums *s)
{
	const struct pd_image *image = s->files->image;
	pd_str module = pd_strtab_intern_str(&s->p->strings, s->image_module);
	uint32_t last = 0;

	for (uint32_t i = 0; i < image->n_symbols; i++) {
		struct pd_span key;
		uint32_t at;
		pd_str name;

		if (image->symbols[i].kind != PD_SYMBOL_FUNCTION || !image->symbols[i].file.id ||
		    image->symbols[i].file.id == last)
			continue;
		last = image->symbols[i].file.id;
		key = pd_rollup_of_file(s->r, pd_strtab_span(&image->strings,
							     image->symbols[i].file));
		name = pd_strtab_intern(&s->p->strings, key);
		if (!name.id || pd_map_find(&s->by_name, name.id) != PD_MAP_NONE)
			continue;
		at = find_sum(s, name, module, 0);
		if (at == PD_MAP_NONE)
			return false;
		for (uint32_t e = 0; e < s->p->n_events; e++)
			s->weights[(size_t)at * s->p->n_events + e].self = 0;
	}
	return true;
}

/* Leftovers go behind the functions. */
static bool settle(struct sums *s)
{
	struct pd_profile *p = s->p;
	struct pd_func *funcs = pd_arena_array(&p->arena, s->n, sizeof(*funcs));
	struct pd_weight *weights = pd_arena_array(&p->arena, (size_t)s->n * p->n_events,
						   sizeof(*weights));
	uint32_t n = 0;

	if (!funcs || !weights)
		return false;
	for (unsigned flags = 0; flags <= PD_FUNC_LEFTOVER; flags++)
		for (uint32_t i = 0; i < s->n; i++) {
			if (s->funcs[i].flags != flags)
				continue;
			for (uint32_t e = 0; e < p->n_events; e++)
				weights[(size_t)n * p->n_events + e] =
					s->weights[(size_t)i * p->n_events + e];
			funcs[n++] = s->funcs[i];
		}
	p->funcs = funcs;
	p->weights = weights;
	p->n_funcs = n;
	p->rows = pd_rollup_rows(s->r->by);
	return !p->strings.failed;
}

/* Whether something tells where functions are, and their costs can be summed. */
static int check(const struct sums *s, struct pd_error *err)
{
	const struct pd_profile *p = s->p;
	bool has_place = s->files || s->other || p->rows, has_self = false, has_inclusive = false;

	for (uint32_t i = 0; i < p->n_funcs; i++) {
		has_place |= s->r->by == PD_ROLLUP_MODULE ? p->funcs[i].module.id
							  : p->funcs[i].file.id;
		for (uint32_t e = 0; e < p->n_events; e++) {
			has_self |= pd_is_known(pd_profile_weight(p, i, e)->self);
			has_inclusive |= pd_is_known(pd_profile_weight(p, i, e)->inclusive);
		}
	}
	if (has_inclusive && !has_self)
		return pd_fail(err, PD_ERR_USAGE, "it has only costs with all callees: --by would "
			       "count them many times over");
	if (has_place)
		return PD_OK;
	return pd_fail(err, PD_ERR_USAGE, "it has no addresses (%s) and tells no %s: --by needs a "
		       "recording, or an image (-k)", p->format,
		       s->r->by == PD_ROLLUP_MODULE ? "modules" : "source files");
}

/* Whether what a profile does not list had no cost. */
static bool is_complete(const struct pd_profile *p)
{
	for (uint32_t e = 0; e < p->n_events; e++)
		if (p->events[e].is_cut)
			return false;
	return true;
}

static bool sum_up(struct sums *s)
{
	bool ok = true, has_modules = false;

	for (uint32_t i = 0; i < s->p->n_funcs; i++)
		has_modules |= s->p->funcs[i].module.id;
	s->image_module = !s->files || (!has_modules && s->r->by != PD_ROLLUP_MODULE)
				  ? "" : pd_image_module_name(s->files->image);
	for (uint32_t i = 0; i < s->p->n_funcs && ok; i++)
		ok = add_function(s, i);
	if (ok && s->files && s->r->by != PD_ROLLUP_MODULE && !s->p->recording &&
	    is_complete(s->p))
		ok = add_silent(s);
	return ok && settle(s);
}

int pd_rollup_profile(struct pd_profile *p, struct pd_image_files *files,
		      struct pd_image_files *other, const struct pd_rollup *r, struct pd_error *err)
{
	struct sums s = {.p = p, .r = r, .files = files, .other = other};
	size_t n = (size_t)p->n_funcs + (files ? files->image->n_symbols : 0) + 1;
	bool is_of_files = p->rows && r->by == PD_ROLLUP_MAINTAINER && p->recording &&
			   !strcmp(p->rows, pd_rollup_rows(PD_ROLLUP_FILE));
	int rc;

	if (!p->n_events || (p->rows && !is_of_files))
		return PD_OK;
	rc = check(&s, err);
	if (rc != PD_OK)
		return pd_wrap(err, rc, p->path);
	s.funcs = calloc(n, sizeof(*s.funcs));
	s.weights = calloc(n * p->n_events, sizeof(*s.weights));
	if (!s.funcs || !s.weights || !sum_up(&s))
		rc = pd_fail_nomem(err);
	pd_map_done(&s.by_key);
	pd_map_done(&s.by_name);
	free(s.funcs);
	free(s.weights);
	return rc;
}

/* Bytes of an image's functions by what they are in. */
static bool sum_bytes(const struct pd_image *image, const struct pd_rollup *r,
		      struct pd_strtab *names, double *bytes)
{
	for (uint32_t i = 0; i < image->n_symbols; i++) {
		const struct pd_symbol *s = &image->symbols[i];
		struct pd_span key;

		if (s->kind != PD_SYMBOL_FUNCTION)
			continue;
		key = r->by == PD_ROLLUP_MODULE
			      ? pd_span_of(pd_image_module_name(image))
			      : pd_rollup_of_file(r, pd_strtab_span(&image->strings, s->file));
		bytes[pd_strtab_intern(names, key).id] += (double)s->n_bytes;
	}
	return !names->failed;
}

static bool add_side(struct pd_comparison *c, uint32_t side, const struct pd_image *image,
		     const struct pd_rollup *r)
{
	double *bytes = calloc((size_t)image->n_symbols + 2, sizeof(*bytes));
	pd_str module = pd_module_of_image(c, image);
	struct pd_strtab names = {0};
	bool ok = bytes && sum_bytes(image, r, &names, bytes);

	for (uint32_t i = 0; i < c->n_rows && ok; i++) {
		struct pd_row *row = &c->rows[i];
		pd_str name = pd_strtab_find(&names, pd_strtab_span(&c->strings, row->name));

		if (name.id && pd_module_serves(c, row, module))
			row->n_bytes[side] = bytes[name.id];
	}
	pd_strtab_done(&names);
	free(bytes);
	return ok;
}

int pd_rollup_add_bytes(struct pd_comparison *c, struct pd_image *const *images,
			const struct pd_rollup *r, struct pd_error *err)
{
	for (uint32_t i = 0; i < c->n_rows; i++) {
		double *bytes = pd_arena_array(&c->arena, c->n_sides, sizeof(*bytes));

		if (!bytes)
			return pd_fail_nomem(err);
		for (uint32_t s = 0; s < c->n_sides; s++)
			bytes[s] = PD_UNKNOWN;
		c->rows[i].n_bytes = bytes;
	}
	for (uint32_t s = 0; s < c->n_sides; s++)
		if (images[s] && !add_side(c, s, images[s], r))
			return pd_fail_nomem(err);
	c->has_sizes = true;
	return PD_OK;
}
