/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From sites to rows. Contract: symbolize.h. Sites are sorted by DSO and address, so
 * that the symbols of a DSO are walked once, and a name is looked at when a site of it
 * comes first.
 */
#include "analysis/symbolize.h"

#include <stdlib.h>

#include "analysis/names.h"
#include "analysis/symbolize_state.h"

#define LEFTOVER_BIT (UINT64_C(1) << 63)

static void fail(struct pd_symbolizer *s, enum pd_code code)
{
	if (s->failed == PD_OK)
		s->failed = code;
}

static bool grow_rows(struct pd_symbolizer *s)
{
	const uint32_t n_events = s->profile->n_events;
	uint32_t cap = s->cap_rows ? 2 * s->cap_rows : 256;
	struct pd_func *rows = reallocarray(s->rows, cap, sizeof(*rows));
	struct pd_count *counts;

	if (rows)
		s->rows = rows;
	counts = rows ? reallocarray(s->counts, (size_t)cap * n_events, sizeof(*counts)) : NULL;
	if (!counts)
		return false;
	memset(counts + (size_t)s->cap_rows * n_events, 0,
	       (size_t)(cap - s->cap_rows) * n_events * sizeof(*counts));
	s->counts = counts;
	s->cap_rows = cap;
	return true;
}

uint32_t pd_symbolizer_row(struct pd_symbolizer *s, pd_str name, pd_str module, unsigned flags)
{
	uint64_t key = pd_map_key(module.id, name.id) |
		       (flags & PD_FUNC_LEFTOVER ? LEFTOVER_BIT : 0);
	uint32_t id = pd_map_find(&s->row_ids, key);

	if (id != PD_MAP_NONE)
		return id;
	if (s->n_rows >= s->options->limits->n_functions)
		fail(s, PD_ERR_LIMIT);
	else if ((s->n_rows == s->cap_rows && !grow_rows(s)) ||
		 pd_map_insert(&s->row_ids, key, s->n_rows) == PD_MAP_NONE)
		fail(s, PD_ERR_NOMEM);
	if (s->failed != PD_OK)
		return 0;
	s->rows[s->n_rows] = (struct pd_func){
		.name = name, .module = module, .n_calls = PD_UNKNOWN, .flags = flags,
	};
	return s->n_rows++;
}

pd_str pd_symbolizer_module(struct pd_symbolizer *s, const struct pd_dso *dso)
{
	const struct pd_strtab *strings = &s->recording->strings;
	struct pd_span name = pd_strtab_span(strings, dso->module);

	/* Programs of one base name are told apart by their paths. */
	if (dso->kind == PD_DSO_FILE)
		name = pd_strtab_span(strings, dso->path);
	return pd_strtab_intern(&s->profile->strings, name);
}

static pd_str intern(struct pd_symbolizer *s, const char *text)
{
	return pd_strtab_intern_str(&s->profile->strings, text);
}

static void set_rows(struct pd_symbolizer *s, uint32_t first, uint32_t n, uint32_t row)
{
	for (uint32_t i = first; i < first + n; i++)
		s->row_of[i] = row;
}

/* The same for those that have none yet. */
static void set_unnamed(struct pd_symbolizer *s, uint32_t first, uint32_t n, uint32_t row)
{
	for (uint32_t i = first; i < first + n; i++)
		if (s->row_of[i] == PD_NO_ROW)
			s->row_of[i] = row;
}

/* What has no name in a module. */
static uint32_t unknown_row(struct pd_symbolizer *s, pd_str module)
{
	return pd_symbolizer_row(s, intern(s, "[unknown]"), module, PD_FUNC_LEFTOVER);
}

/* Sites of a symbol stand together, but for those of symbols within it. */
static void set_functions(struct pd_symbolizer *s, const struct pd_names *names, uint32_t first,
			  uint32_t n, const uint32_t *symbols, pd_str module)
{
	uint32_t last = PD_LOOKUP_NONE, row = unknown_row(s, module), unknown = row;

	for (uint32_t i = 0; i < n && s->failed == PD_OK; i++) {
		if (symbols[i] != last) {
			struct pd_span name = {0};

			last = symbols[i];
			if (last != PD_LOOKUP_NONE)
				name = pd_lookup_name(names->lookup, last);
			row = !name.len ? unknown :
				pd_symbolizer_row(s, pd_strtab_intern(&s->profile->strings, name),
						  module, 0);
		}
		s->row_of[first + i] = row;
	}
}

static bool wants_dwarf(const struct pd_symbolize_options *o)
{
	return o->rows == PD_ROWS_FILE || o->rows == PD_ROWS_LINE || o->rows == PD_ROWS_DIR ||
	       o->shows_inlined;
}

/* Functions of the sites of a DSO that has symbols. */
static int set_symbols(struct pd_symbolizer *s, const struct pd_names *names, uint32_t first,
		       uint32_t n, pd_str module, struct pd_error *err)
{
	uint32_t *symbols = malloc((size_t)n * sizeof(*symbols));
	int rc = PD_OK;

	if (symbols && pd_lookup_find(names->lookup, names->range, s->recording->sites + first, n,
				      names->shift, symbols))
		set_functions(s, names, first, n, symbols, module);
	else
		rc = pd_fail_nomem(err);
	free(symbols);
	return rc;
}

/*
 * What is recorded of the kernel ends with its text (_etext), but its symbols go on with
 * the code that runs once, as it boots: addresses behind, of no DSO, that they name are
 * the kernel's as well.
 */
static int set_behind_kernel(struct pd_symbolizer *s, const struct pd_names *names,
			     const struct pd_dso *kernel, pd_str module, struct pd_error *err)
{
	const struct pd_recording *r = s->recording;
	uint64_t end = kernel->address + kernel->n_bytes;
	uint32_t *symbols = malloc(((size_t)r->n_sites + 1) * sizeof(*symbols)), first = 0, n = 0;
	int rc = PD_OK;

	while (first < r->n_sites && (r->dsos[r->sites[first].dso].kind != PD_DSO_UNKNOWN ||
				      r->sites[first].address < end))
		first++;
	while (first + n < r->n_sites && r->sites[first + n].dso == r->sites[first].dso)
		n++;
	if (!symbols || !pd_lookup_find(names->lookup, names->range, r->sites + first, n,
					names->shift, symbols))
		rc = pd_fail_nomem(err);
	for (uint32_t i = 0; i < n && rc == PD_OK; i++)
		if (symbols[i] != PD_LOOKUP_NONE)
			set_functions(s, names, first + i, 1, &symbols[i], module);
	free(symbols);
	return rc;
}

/* Where sites are in the file that names them; what they are called is another matter. */
static void keep_addresses(struct pd_symbolizer *s, const struct pd_names *names, uint32_t first,
			   uint32_t n)
{
	struct pd_file_address *to = s->profile->recording->file_addresses + first;
	enum pd_address_kind kind =
		names->role == PD_LOOKUP_MODULE ? PD_ADDRESS_OFFSET : PD_ADDRESS_LINKED;

	for (uint32_t i = 0; i < n && names->lookup; i++) {
		to[i] = (struct pd_file_address){kind, s->recording->sites[first + i].address};
		if (names->role == PD_LOOKUP_KERNEL)
			to[i].address += names->shift;
		else if (!pd_lookup_address(names->lookup, to[i].address, &to[i].address))
			to[i].kind = PD_ADDRESS_UNKNOWN;
	}
}

/* Rows of the sites of a DSO that a file may name. */
static int set_named(struct pd_symbolizer *s, uint32_t dso, uint32_t first, uint32_t n,
		     pd_str module, struct pd_error *err)
{
	const bool is_function = s->options->rows == PD_ROWS_FUNCTION;
	struct pd_names names = {0};
	int rc = pd_finder_find(s->finder, dso, s->recording->sites + first, n, &names, err);

	if (rc != PD_OK)
		return rc;
	if (s->options->keeps_addresses)
		keep_addresses(s, &names, first, n);
	if (is_function && !names.lookup)
		set_rows(s, first, n, unknown_row(s, module));
	else if (is_function)
		rc = set_symbols(s, &names, first, n, module, err);
	if (rc == PD_OK && is_function && names.lookup &&
	    s->recording->dsos[dso].kind == PD_DSO_KERNEL)
		rc = set_behind_kernel(s, &names, &s->recording->dsos[dso], module, err);
	if (rc == PD_OK && wants_dwarf(s->options))
		pd_symbolize_lines(s, &names, first, n, module);
	return rc;
}

/* Rows are modules: called by their base names, and told apart by their paths. */
static uint32_t module_row(struct pd_symbolizer *s, pd_str module)
{
	struct pd_span name = pd_module_normal(pd_strtab_span(&s->profile->strings, module));
	pd_str base;

	/* What is normal may be within the table, which interning moves nothing of. */
	base = pd_strtab_intern(&s->profile->strings, pd_module_base_name(name));
	return pd_symbolizer_row(s, base, module, 0);
}

static int set_dso(struct pd_symbolizer *s, uint32_t dso, uint32_t first, uint32_t n,
		   struct pd_error *err)
{
	const struct pd_dso *d = &s->recording->dsos[dso];
	pd_str module = pd_symbolizer_module(s, d);

	if (d->kind == PD_DSO_UNKNOWN)
		set_unnamed(s, first, n, unknown_row(s, intern(s, "[unknown]")));
	else if (s->options->rows == PD_ROWS_MODULE)
		set_rows(s, first, n, module_row(s, module));
	else if (s->options->rows == PD_ROWS_COMM)
		set_rows(s, first, n, 0);
	else if (d->kind == PD_DSO_NAMED && s->options->rows == PD_ROWS_FUNCTION)
		set_rows(s, first, n, pd_symbolizer_row(s, pd_strtab_intern(&s->profile->strings,
			pd_strtab_span(&s->recording->strings, d->path)), module, 0));
	else if (d->kind == PD_DSO_NAMED)
		set_rows(s, first, n, unknown_row(s, module));
	else
		return set_named(s, dso, first, n, module, err);
	return PD_OK;
}

static int set_all(struct pd_symbolizer *s, struct pd_error *err)
{
	const struct pd_recording *r = s->recording;
	int rc = PD_OK;

	for (uint32_t i = 0, end; i < r->n_sites && rc == PD_OK && s->failed == PD_OK; i = end) {
		for (end = i + 1; end < r->n_sites && r->sites[end].dso == r->sites[i].dso;)
			end++;
		rc = set_dso(s, r->sites[i].dso, i, end - i, err);
	}
	return rc;
}

static int run(struct pd_symbolizer *s, const struct pd_symbol_places *places,
	       struct pd_error *err)
{
	const struct pd_finder_options options = {
		.places = places,
		.limits = s->options->limits,
		.path = s->profile->path,
		.release = s->profile->kernel,
		.has_no_demangle = s->options->has_no_demangle,
		.wants_dwarf = wants_dwarf(s->options),
		.diags = s->diags,
	};
	size_t n = (size_t)s->recording->n_sites + 1;
	int rc;

	s->row_of = malloc(n * sizeof(*s->row_of));
	if (s->options->shows_inlined && s->options->rows == PD_ROWS_FUNCTION)
		s->outer_of = malloc(n * sizeof(*s->outer_of));
	if (!s->row_of || (s->options->shows_inlined && s->options->rows == PD_ROWS_FUNCTION &&
			   !s->outer_of))
		return pd_fail_nomem(err);
	memset(s->row_of, 0xff, n * sizeof(*s->row_of));
	if (s->outer_of)
		memset(s->outer_of, 0xff, n * sizeof(*s->outer_of));
	if (s->options->keeps_addresses) {
		struct pd_recording *r = s->profile->recording;

		r->file_addresses = pd_arena_array(&r->arena, n, sizeof(*r->file_addresses));
		if (!r->file_addresses)
			return pd_fail_nomem(err);
	}
	rc = pd_finder_new(s->recording, &options, &s->finder, err);
	if (rc == PD_OK)
		rc = set_all(s, err);
	if (rc == PD_OK)
		pd_symbolize_sum(s);
	if (rc == PD_OK && (s->failed == PD_ERR_NOMEM || s->profile->strings.failed))
		rc = pd_fail_nomem(err);
	else if (rc == PD_OK && s->failed != PD_OK)
		rc = pd_fail(err, PD_ERR_LIMIT, "more than %u functions; --max-functions raises "
			     "this limit", s->options->limits->n_functions);
	return rc == PD_OK ? pd_symbolize_finish(s, err) : rc;
}

int pd_symbolize(struct pd_profile *p, const struct pd_symbol_places *places,
		 const struct pd_symbolize_options *options, struct pd_diags *diags,
		 struct pd_error *err)
{
	static const char *const titles[] = {
		[PD_ROWS_MODULE] = "module", [PD_ROWS_COMM] = "command", [PD_ROWS_FILE] = "file",
		[PD_ROWS_LINE] = "line",     [PD_ROWS_DIR] = "folder",
	};
	struct pd_symbolizer s = {
		.profile = p, .recording = p->recording, .options = options, .diags = diags,
	};
	int rc;

	if (!p->recording)
		return PD_OK;
	p->rows = titles[options->rows];
	rc = run(&s, places, err);
	pd_finder_free(s.finder);
	free(s.rows);
	free(s.counts);
	free(s.inclusive);
	free(s.row_of);
	free(s.outer_of);
	free(s.outers);
	pd_map_done(&s.row_ids);
	return pd_wrap(err, rc, p->path);
}
