/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which symbols a name is: the function that is called so, and the parts of its family.
 * Contract: annotate.h.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/annotate.h"
#include "analysis/names.h"
#include "image/demangle.h"

enum {
	MAX_PARTS = 1000,  /* no family has as many */
	MAX_LISTED = 20,   /* of several functions of one name */
};

/* The name as it is given: "FILE:NAME". */
struct wanted {
	struct pd_span name, file; /* no file: {0} */
	bool is_family;            /* a base name that no function has itself */
	struct pd_buf text;
};

/* The symbols of one side. */
struct found {
	const struct pd_image *image;
	uint32_t symbols[MAX_PARTS];
	uint32_t n;
};

static bool has_name(struct wanted *w, const struct pd_image *image, const struct pd_symbol *s)
{
	for (uint32_t i = 0; i <= s->n_aliases; i++) {
		pd_str name = i ? image->aliases[s->first_alias + i - 1] : s->name;
		struct pd_span own = pd_strtab_span(&image->strings, name), other;

		other = w->is_family ? pd_name_family(own, &w->text) : pd_demangle(own, &w->text);
		if ((own.len == w->name.len && !memcmp(own.ptr, w->name.ptr, own.len)) ||
		    (other.len == w->name.len && !memcmp(other.ptr, w->name.ptr, other.len)))
			return true;
	}
	return false;
}

/* "memory.c" is in "mm/memory.c", and that is "mm/memory.c" of an image without DWARF. */
static bool has_file(const struct wanted *w, const struct pd_image *image,
		     const struct pd_symbol *s)
{
	struct pd_span own = pd_strtab_span(&image->strings, s->file), file = w->file;

	if (!memchr(own.ptr, '/', own.len))
		file = pd_span_behind_last(file, '/');
	return own.len >= file.len &&
	       !memcmp(own.ptr + own.len - file.len, file.ptr, file.len) &&
	       (own.len == file.len || own.ptr[own.len - file.len - 1] == '/');
}

static void find_in(struct wanted *w, const struct pd_image *image, struct found *f)
{
	f->image = image;
	f->n = 0;
	for (uint32_t i = 0; i < image->n_symbols && f->n < MAX_PARTS; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		if (s->kind == PD_SYMBOL_FUNCTION && s->n_bytes && has_name(w, image, s) &&
		    (!w->file.len || has_file(w, image, s)))
			f->symbols[f->n++] = i;
	}
}

/* The first image of a side that has it; none: f->n is 0. */
static void find_on(struct wanted *w, const struct pd_size_side *side, struct found *f)
{
	f->n = 0;
	for (uint32_t i = 0; i < side->n_images && !f->n; i++)
		find_in(w, side->images[i], f);
}

static int fail_ambiguous(const struct pd_annotation *a, const struct found *f,
			  struct pd_error *err)
{
	struct pd_buf text = {0};
	int rc;

	for (uint32_t i = 0; i < f->n && i < MAX_LISTED; i++) {
		const struct pd_symbol *s = &f->image->symbols[f->symbols[i]];

		pd_buf_printf(&text, "%s%s (%" PRIu64 " bytes)", i ? ", " : "",
			      s->file.id ? pd_strtab_get(&f->image->strings, s->file) : "?",
			      s->n_bytes);
	}
	if (f->n > MAX_LISTED)
		pd_buf_add_str(&text, ", ...");
	rc = pd_fail(err, PD_ERR_USAGE, "--annotate: %u functions are called \"%s\", in %s; "
		     "FILE:NAME tells which", f->n, a->function, text.ptr ? text.ptr : "");
	pd_buf_done(&text);
	return pd_wrap(err, rc, f->image->path);
}

/*
 * Add the rest of the family of the one function that was found: variants of the same
 * file, where that is known of both.
 */
static void add_family(struct wanted *w, struct found *f)
{
	const struct pd_symbol *hot = &f->image->symbols[f->symbols[0]];
	struct pd_span name = pd_strtab_span(&f->image->strings, hot->name), base;
	struct wanted family = {.is_family = true};

	base = pd_name_family(name, &w->text);
	if (base.len != name.len)
		return; /* a variant alone was asked for */
	family.name = name;
	for (uint32_t i = 0; i < f->image->n_symbols && f->n < MAX_PARTS; i++) {
		const struct pd_symbol *s = &f->image->symbols[i];

		if (s == hot || s->kind != PD_SYMBOL_FUNCTION || !s->n_bytes ||
		    s->name.id == hot->name.id || !has_name(&family, f->image, s))
			continue;
		if (hot->file.id && s->file.id &&
		    (hot->file.id != s->file.id || hot->file_no != s->file_no))
			continue;
		f->symbols[f->n++] = i;
	}
	pd_buf_done(&family.text);
}

static int compare_parts(const void *a, const void *b, void *context)
{
	const struct pd_image *image = context;
	const struct pd_symbol *x = &image->symbols[*(const uint32_t *)a];
	const struct pd_symbol *y = &image->symbols[*(const uint32_t *)b];
	int d = strcmp(pd_strtab_get(&image->strings, x->name),
		       pd_strtab_get(&image->strings, y->name));

	return d ? d : x < y ? -1 : x > y;
}

static const char *name_of(const struct found *f, uint32_t i)
{
	return pd_strtab_get(&f->image->strings, f->image->symbols[f->symbols[i]].name);
}

static void set_part(struct pd_annotated_part *part, uint32_t side, const struct found *f,
		     uint32_t i)
{
	part->names[side] = name_of(f, i);
	part->symbols[side] = f->symbols[i];
}

static bool is_cold(const char *name)
{
	return strstr(name, ".cold");
}

/* Parts that are on one side only, if there is one such of a kind on each. */
static void join_rest(struct pd_annotation *a, bool wants_cold)
{
	struct pd_annotated_part *lone[2] = {NULL, NULL};

	for (uint32_t i = 0; i < a->n_parts; i++) {
		struct pd_annotated_part *part = &a->parts[i];
		uint32_t side = !part->names[0];

		if (part->names[!side] || is_cold(part->names[side]) != wants_cold)
			continue;
		if (lone[side])
			return;
		lone[side] = part;
	}
	if (!lone[0] || !lone[1])
		return;
	lone[0]->names[1] = lone[1]->names[1];
	lone[0]->symbols[1] = lone[1]->symbols[1];
	memmove(lone[1], lone[1] + 1, (size_t)(a->parts + a->n_parts - (lone[1] + 1)) *
		sizeof(*lone[1]));
	a->n_parts--;
}

/* Parts of both sides: by their names, which are sorted, the function itself first. */
static int make_parts(struct pd_annotation *a, struct found *found, struct pd_error *err)
{
	uint32_t i = 0, k = 0, n = found[0].n, m = a->n_sides > 1 ? found[1].n : 0;

	a->parts = pd_arena_array(&a->arena, (size_t)n + m + 1, sizeof(*a->parts));
	if (!a->parts)
		return pd_fail_nomem(err);
	while (i < n || k < m) {
		int d = i == n ? 1 : k == m ? -1 : strcmp(name_of(&found[0], i),
							  name_of(&found[1], k));
		struct pd_annotated_part *part = &a->parts[a->n_parts++];

		part->symbols[0] = part->symbols[1] = PD_NO_INDEX;
		if (d <= 0)
			set_part(part, 0, &found[0], i++);
		if (d >= 0)
			set_part(part, 1, &found[1], k++);
	}
	join_rest(a, false);
	join_rest(a, true);
	return PD_OK;
}

/* A side's function and its family; several of one name are an error. */
static int complete(struct pd_annotation *a, struct wanted *w, struct found *f,
		    struct pd_error *err)
{
	if (!f->n)
		return PD_OK;
	if (f->n > 1 && !w->is_family)
		return fail_ambiguous(a, f, err);
	if (!w->is_family)
		add_family(w, f);
	qsort_r(f->symbols, f->n, sizeof(*f->symbols), compare_parts,
		(void *)(uintptr_t)f->image);
	return PD_OK;
}

/* "mm/memory.c:foo"; "ns::foo" has no file. */
static bool split(struct wanted *w, const char *function)
{
	struct pd_span s = pd_span_of(function);
	size_t colon = pd_span_find_last(s, ':');

	if (colon == SIZE_MAX || !colon || colon + 1 == s.len || s.ptr[colon - 1] == ':')
		return false;
	w->file = pd_span_sub(s, 0, colon);
	w->name = pd_span_sub(s, colon + 1, s.len);
	return true;
}

int pd_annotate_find(struct pd_annotation *a, struct pd_error *err)
{
	struct wanted w = {.name = pd_span_of(a->function)};
	struct found *found = calloc(2, sizeof(*found));
	uint32_t n = 0;
	int rc = found ? PD_OK : pd_fail_nomem(err);

	for (int attempt = 0; attempt < 3 && rc == PD_OK && !n; attempt++) {
		if (attempt == 1 && !split(&w, a->function))
			continue;
		w.is_family = attempt == 2;
		for (uint32_t s = 0; s < a->n_sides; s++) {
			find_on(&w, &a->sides[s], &found[s]);
			n += found[s].n;
		}
	}
	if (rc == PD_OK && !n)
		rc = pd_fail(err, PD_ERR_USAGE, "--annotate: %s function \"%s\"",
			     a->n_sides > 1 ? "neither image has a" : "the image has no",
			     a->function);
	/* A variant of one side may be the function's only body there. */
	for (uint32_t s = 0; s < a->n_sides && rc == PD_OK; s++) {
		bool was_family = w.is_family;

		if (!found[s].n && !w.is_family) {
			w.is_family = true;
			find_on(&w, &a->sides[s], &found[s]);
		}
		rc = complete(a, &w, &found[s], err);
		w.is_family = was_family;
		a->images[s] = found[s].n ? found[s].image : NULL;
	}
	if (rc == PD_OK)
		rc = make_parts(a, found, err);
	pd_buf_done(&w.text);
	free(found);
	return rc;
}
