/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What -k names: an image serves the DSO of its build-id, else the kernel if it looks
 * like one, else the module or file of its base name; a list of symbols serves the
 * kernel and its modules. Contract: lookup_state.h.
 */
#include <stdlib.h>

#include "image/lookup_state.h"

/* What a file is, that is no ELF file. */
static int open_list(struct pd_finder *f, struct pd_given *g, struct pd_error *err)
{
	const struct pd_image_options options = {
		.limits = f->options.limits, .wants_objects = true,
	};
	char head[256];
	struct pd_lookup probe = {0};
	struct pd_span bytes;
	size_t n;
	int rc = pd_source_open(g->path, f->options.limits, &g->list, err);

	if (rc != PD_OK)
		return rc;
	/* A few of its lines tell whether it is one of kallsyms. */
	bytes = g->list.bytes;
	n = bytes.len < sizeof(head) ? bytes.len : sizeof(head);
	memcpy(head, bytes.ptr, n);
	g->kind = pd_lookup_read_kallsyms(&probe, (struct pd_span){head, n}, NULL) == PD_ERR_FORMAT
		  ? PD_GIVEN_IMAGE : PD_GIVEN_LIST;
	pd_lookup_done(&probe);
	return g->kind == PD_GIVEN_LIST ? PD_OK :
		pd_image_open(g->path, &options, f->options.diags, &g->image, err);
}

int pd_open_given(struct pd_finder *f, struct pd_error *err)
{
	const struct pd_symbol_places *places = f->options.places;
	int rc = PD_OK;

	f->given = calloc(places->n_images + 1, sizeof(*f->given));
	if (!f->given)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < places->n_images && rc == PD_OK; i++) {
		struct pd_given *g = &f->given[f->n_given++];

		g->path = places->images[i];
		if (!pd_elf_file_open(f, g->path, &g->elf))
			rc = open_list(f, g, err);
	}
	return rc;
}

void pd_close_given(struct pd_finder *f)
{
	for (uint32_t i = 0; i < f->n_given; i++) {
		pd_elf_file_close(&f->given[i].elf);
		pd_source_close(&f->given[i].list);
		pd_image_free(f->given[i].image);
	}
	free(f->given);
}

static const char *given_build_id(const struct pd_given *g)
{
	if (g->kind == PD_GIVEN_ELF)
		return g->elf.head.build_id;
	return g->image ? g->image->build_id : NULL;
}

/* "x-y.ko.xz" and "[x_y]" are the same: compares without these. */
static bool is_same_module(struct pd_span file, struct pd_span module)
{
	size_t n = pd_span_find(file, ".ko");

	if (module.len < 3 || n != module.len - 2)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((file.ptr[i] == '-' ? '_' : file.ptr[i]) != module.ptr[i + 1])
			return false;
	return true;
}

/* Whether the image is one of the DSO, going by what it looks like and is called. */
static bool looks_like(const struct pd_finder *f, const struct pd_given *g,
		       const struct pd_dso *dso)
{
	const struct pd_strtab *strings = &f->recording->strings;
	struct pd_span base = pd_span_behind_last(pd_span_of(g->path), '/');
	struct pd_span own = pd_span_behind_last(pd_strtab_span(strings, dso->path), '/');

	if (dso->kind == PD_DSO_KERNEL)
		return g->kind == PD_GIVEN_IMAGE || g->elf.is_kernel;
	if (g->kind != PD_GIVEN_ELF || g->elf.is_kernel)
		return false;
	if (dso->kind == PD_DSO_MODULE)
		return is_same_module(base, pd_strtab_span(strings, dso->module));
	return base.len == own.len && !memcmp(base.ptr, own.ptr, own.len);
}

struct pd_given *pd_find_given(struct pd_finder *f, const struct pd_dso *dso)
{
	const char *build_id = pd_dso_build_id(f, dso);

	for (uint32_t i = 0; i < f->n_given; i++)
		if (f->given[i].kind != PD_GIVEN_LIST &&
		    pd_build_id_is(build_id, given_build_id(&f->given[i])))
			return &f->given[i];
	for (uint32_t i = 0; i < f->n_given; i++) {
		struct pd_given *g = &f->given[i];

		if (g->kind == PD_GIVEN_LIST || !looks_like(f, g, dso))
			continue;
		if (!build_id || !given_build_id(g))
			return g;
		pd_tell_dso(f, "build-id", g->path, "expected build-id %s, found %s: it is another "
			    "build, and names nothing", build_id, given_build_id(g));
	}
	return NULL;
}

struct pd_given *pd_find_given_list(struct pd_finder *f)
{
	for (uint32_t i = 0; i < f->n_given; i++)
		if (f->given[i].kind == PD_GIVEN_LIST)
			return &f->given[i];
	return NULL;
}

/* The symbols of an image: their ends and names are chosen already. */
static int read_image(struct pd_finder *f, const struct pd_image *image, struct pd_error *err)
{
	struct pd_lookup *l = &f->lookup;

	l->budget = UINT64_MAX; /* names are interned */
	for (uint32_t i = 0; i < image->n_symbols; i++) {
		const struct pd_symbol *from = &image->symbols[i];
		struct pd_span name = pd_strtab_span(&image->strings, from->name);
		struct pd_lookup_symbol s = {
			.start = from->address,
			.end = from->address + from->n_bytes,
			.name = name.ptr,
			.n_name = (uint32_t)name.len,
			.flags = from->kind == PD_SYMBOL_FUNCTION ? PD_LOOKUP_CODE : 0,
		};

		if (name.len && s.end > s.start)
			pd_lookup_add(l, &s);
	}
	return pd_lookup_sort(l, err);
}

int pd_read_given(struct pd_finder *f, struct pd_given *g, const struct pd_dso *dso,
		  struct pd_names *ret_names, struct pd_error *err)
{
	enum pd_lookup_role role = dso->kind == PD_DSO_KERNEL ? PD_LOOKUP_KERNEL :
		dso->kind == PD_DSO_MODULE ? PD_LOOKUP_MODULE : PD_LOOKUP_FILE;
	struct pd_error own = {0};
	int rc;

	f->lookup.demangles = role == PD_LOOKUP_FILE && !f->options.has_no_demangle;
	rc = g->kind == PD_GIVEN_IMAGE ? read_image(f, g->image, &own) :
		pd_lookup_read_elf(&f->lookup, g->elf.bytes, g->elf.bytes, role, &own);
	if (rc == PD_ERR_NOMEM)
		return pd_fail_nomem(err);
	if (rc == PD_OK && !f->lookup.n)
		rc = pd_fail(&own, PD_ERR_EMPTY, "expected a symbol table, found none (stripped)");
	if (rc != PD_OK)
		return pd_wrap(err, pd_fail(err, rc, "%s", own.msg), g->path);
	ret_names->lookup = &f->lookup;
	ret_names->range = pd_lookup_all(&f->lookup);
	ret_names->role = role;
	if (g->elf.parts.has_dwarf)
		ret_names->dwarf_path = g->elf.path;
	return PD_OK;
}
