/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows by DWARF: files, lines and folders; and functions that were inlined, each with
 * those around it. Contract: symbolize_state.h.
 */
#include <stdlib.h>

#include "analysis/symbolize_state.h"
#include "image/dwarf_lines.h"

/* The sites of a DSO on their way to rows. */
struct run {
	struct pd_symbolizer *s;
	pd_str module;
	uint32_t first;
	struct pd_code_place *places;
	struct pd_code_frame *frames;
	uint32_t n_frames;
	struct pd_map outer_ids; /* of outers, by (frame, row of the function) */
	struct pd_buf text;
};

static pd_str unknown(struct pd_symbolizer *s)
{
	return pd_strtab_intern_str(&s->profile->strings, "[unknown]");
}

static struct pd_span folder_of(struct pd_span file)
{
	size_t slash = pd_span_find_last(file, '/');

	return slash == SIZE_MAX ? pd_span_of(".") : pd_span_sub(file, 0, slash ? slash : 1);
}

/* The row of a place as the options want it. */
static uint32_t row_of_place(struct run *run, const struct pd_code_place *p)
{
	struct pd_strtab *strings = &run->s->profile->strings;
	struct pd_span file = pd_strtab_span(strings, p->file);
	pd_str name = p->file;

	if (run->s->options->rows == PD_ROWS_DIR) {
		name = pd_strtab_intern(strings, folder_of(file));
	} else if (run->s->options->rows == PD_ROWS_LINE) {
		run->text.len = 0;
		pd_buf_printf(&run->text, "%s:%u", file.ptr, p->line);
		name = pd_strtab_intern(strings, pd_buf_span(&run->text));
	}
	return pd_symbolizer_row(run->s, name, run->module, 0);
}

static void set_places(struct run *run, uint32_t n)
{
	struct pd_symbolizer *s = run->s;
	uint32_t none = pd_symbolizer_row(s, unknown(s), run->module, PD_FUNC_LEFTOVER);
	const struct pd_code_place *last = NULL;

	for (uint32_t i = 0; i < n && s->failed == PD_OK; i++) {
		const struct pd_code_place *p = &run->places[i];
		uint32_t *row = &s->row_of[run->first + i];

		if (!p->file.id)
			*row = none;
		else if (last && last->file.id == p->file.id && last->line == p->line)
			*row = row[-1];
		else
			*row = row_of_place(run, p);
		last = p->file.id ? p : NULL;
	}
}

/* ---- inlined functions ---- */

static uint32_t row_of_frame(struct run *run, uint32_t frame)
{
	return pd_symbolizer_row(run->s, run->frames[frame].name, run->module, 0);
}

static uint32_t add_outer(struct pd_symbolizer *s, uint32_t row, uint32_t next)
{
	if (s->n_outers == s->cap_outers) {
		uint32_t cap = s->cap_outers ? 2 * s->cap_outers : 256;
		void *p = reallocarray(s->outers, cap, sizeof(*s->outers));

		if (!p) {
			s->failed = PD_ERR_NOMEM;
			return PD_NO_ROW;
		}
		s->outers = p;
		s->cap_outers = cap;
	}
	s->outers[s->n_outers] = (struct pd_outer){row, next};
	return s->n_outers++;
}

/* What is around an instance in a function: outer instances, and then the function. */
static uint32_t outer_of(struct run *run, uint32_t frame, uint32_t host)
{
	uint64_t key = pd_map_key(frame, host);
	uint32_t id = pd_map_find(&run->outer_ids, key), outer = run->frames[frame].outer;

	if (id != PD_MAP_NONE)
		return id;
	/* Instances are nested no deeper than their DIEs, which are no deeper than a limit. */
	if (outer == PD_NO_FRAME)
		id = add_outer(run->s, host, PD_NO_ROW);
	else
		id = add_outer(run->s, row_of_frame(run, outer), outer_of(run, outer, host));
	if (id != PD_NO_ROW && pd_map_insert(&run->outer_ids, key, id) == PD_MAP_NONE)
		run->s->failed = PD_ERR_NOMEM;
	return id;
}

/* The function of each site, which is there already, becomes what is around. */
static void set_inlined(struct run *run, uint32_t n)
{
	struct pd_symbolizer *s = run->s;

	for (uint32_t i = 0; i < n && s->failed == PD_OK; i++) {
		uint32_t site = run->first + i, frame = run->places[i].frame;

		if (frame == PD_NO_FRAME)
			continue;
		s->outer_of[site] = outer_of(run, frame, s->row_of[site]);
		s->row_of[site] = row_of_frame(run, frame);
	}
}

/* Without DWARF nothing is inlined, and no line is known. */
static void tell_missing(struct pd_symbolizer *s, const struct pd_names *names, const char *why,
			 pd_str module)
{
	pd_diags_add(s->diags, PD_WARNING, "no-dwarf", s->profile->path, 0, "%s: no DWARF: %s; %s",
		     pd_strtab_get(&s->profile->strings, module),
		     why ? why : names->dwarf_problem ? names->dwarf_problem
			 : "no file of its build has any",
		     s->options->rows == PD_ROWS_FUNCTION ? "inlined functions count as those "
			     "around them" : "its files and lines are not known");
}

void pd_symbolize_lines(struct pd_symbolizer *s, const struct pd_names *names, uint32_t first,
			uint32_t n, pd_str module)
{
	struct run run = {.s = s, .module = module, .first = first};
	const bool is_function = s->options->rows == PD_ROWS_FUNCTION;
	const struct pd_code_options options = {
		.wants_lines = !is_function,
		.wants_inlines = is_function,
		.has_no_demangle = s->options->has_no_demangle || names->role != PD_LOOKUP_FILE,
	};
	struct pd_error err = {0};
	int rc;

	run.places = calloc((size_t)n + 1, sizeof(*run.places));
	if (!run.places) {
		s->failed = PD_ERR_NOMEM;
		return;
	}
	if (names->lookup && names->dwarf_path) {
		rc = pd_code_places(names, s->recording->sites + first, n, &options,
				    &s->profile->strings, run.places, &run.frames, &run.n_frames,
				    &err);
		if (rc == PD_ERR_NOMEM)
			s->failed = PD_ERR_NOMEM;
		else if (rc != PD_OK)
			tell_missing(s, names, err.msg, module);
	} else {
		rc = PD_ERR_EMPTY;
		if (names->lookup)
			tell_missing(s, names, NULL, module);
	}
	/* Without any, all places are 0. */
	if (!is_function)
		set_places(&run, n);
	else if (rc == PD_OK)
		set_inlined(&run, n);
	free(run.places);
	free(run.frames);
	pd_map_done(&run.outer_ids);
	pd_buf_done(&run.text);
}
