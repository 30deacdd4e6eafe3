/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's names. What ran stood elsewhere than what was linked, and than what
 * runs now (KASLR): a recording has the address of one symbol, and what this is off
 * from the file's own shifts all others. Contract: lookup_state.h.
 */
#include <stdlib.h>

#include "image/lookup_state.h"

/* ---- lists ---- */

/* What the kernel DSO says of a symbol whose address is known, for who reads symbols. */
static const char *reference_of(const struct pd_finder *f)
{
	const struct pd_recording *r = f->recording;

	if (f->kernel == PD_LOOKUP_NONE || !r->dsos[f->kernel].reference.id)
		return NULL;
	return pd_strtab_get(&r->strings, r->dsos[f->kernel].reference);
}

static int read_list(struct pd_finder *f, const char *path, struct pd_span text,
		     struct pd_error *err)
{
	int rc;

	f->list.lookup.reference = reference_of(f);
	rc = pd_lookup_read_kallsyms(&f->list.lookup, text, err);
	if (rc == PD_OK)
		f->list.path = path;
	else
		pd_lookup_done(&f->list.lookup);
	return rc == PD_OK ? PD_OK : pd_wrap(err, rc, path);
}

/* Where a list of the recording's own kernel may be; false: there is none. */
static bool print_list_place(struct pd_finder *f, int place)
{
	const struct pd_symbol_places *places = f->options.places;
	const struct pd_recording *r = f->recording;
	const char *id = f->kernel == PD_LOOKUP_NONE ? NULL :
		pd_dso_build_id(f, &r->dsos[f->kernel]);

	f->path.len = 0;
	if (place == 0 && r->kcore_dir)
		pd_buf_printf(&f->path, "%s/kallsyms", r->kcore_dir);
	else if (place == 1 && places->cache_dir && !places->symfs && id && strlen(id) > 2)
		pd_buf_printf(&f->path, "%s/.build-id/%.2s/%s/kallsyms", places->cache_dir, id,
			      id + 2);
	else if (place == 2 && !places->symfs && pd_build_id_is(id, places->running_build_id))
		pd_buf_add_str(&f->path, "/proc/kallsyms");
	return f->path.len && !f->path.failed && pd_is_regular(f->path.ptr);
}

struct pd_kernel_list *pd_find_list(struct pd_finder *f)
{
	for (int place = 0; place < 3 && !f->has_sought_list && !f->list.path; place++) {
		struct pd_error own = {0};
		char *path;

		if (!print_list_place(f, place))
			continue;
		path = pd_arena_strndup(&f->arena, f->path.ptr, f->path.len);
		if (!path || pd_source_open(path, f->options.limits, &f->list.source,
					    &own) != PD_OK)
			continue;
		if (read_list(f, path, f->list.source.bytes, &own) != PD_OK) {
			pd_tell_dso(f, "bad-symbols", path, "%s", own.msg);
			pd_source_close(&f->list.source);
		}
	}
	f->has_sought_list = true;
	return f->list.path ? &f->list : NULL;
}

int pd_open_kernel(struct pd_finder *f, struct pd_error *err)
{
	const struct pd_recording *r = f->recording;
	const char *path = f->options.places->kallsyms;
	struct pd_given *given = pd_find_given_list(f);
	bool is_wanted = false;
	int rc;

	f->kernel = PD_LOOKUP_NONE;
	for (uint32_t i = 0; i < r->n_dsos; i++) {
		if (r->dsos[i].kind == PD_DSO_KERNEL && f->kernel == PD_LOOKUP_NONE)
			f->kernel = i;
		is_wanted |= r->dsos[i].kind == PD_DSO_KERNEL || r->dsos[i].kind == PD_DSO_MODULE;
	}
	if (!is_wanted || (!path && !given))
		return PD_OK;
	if (!path)
		return read_list(f, given->path, given->list.bytes, err);
	rc = pd_source_open(path, f->options.limits, &f->list.source, err);
	return rc == PD_OK ? read_list(f, path, f->list.source.bytes, err) : rc;
}

/* ---- images ---- */

/* A vmlinux of the recording's release; those of other builds are passed over. */
static bool find_vmlinux(struct pd_finder *f, const struct pd_dso *dso)
{
	static const char *const formats[] = {
		"/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	const char *release = f->options.release, *id = pd_dso_build_id(f, dso);

	if (!id || !release || strchr(release, '/'))
		return false;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		const char *word = strchr(formats[i], '%');
		struct pd_elf_file file = {0};

		f->path.len = 0;
		pd_buf_printf(&f->path, "%s%.*s%s%s",
			      f->options.places->symfs ? f->options.places->symfs : "",
			      (int)(word - formats[i]), formats[i], release, word + 2);
		if (f->path.failed || !pd_elf_file_open(f, f->path.ptr, &file))
			continue;
		if (file.parts.has_symtab && pd_build_id_is(id, file.head.build_id)) {
			f->symbols = file;
			return true;
		}
		pd_elf_file_close(&file);
	}
	return false;
}

/* ---- where it stood ---- */

/* How many sites are in code of the lookup, so shifted. */
static bool count_hits(const struct pd_names *names, const struct pd_site *sites, size_t n,
		       uint64_t shift, uint32_t *found, size_t *ret_n_hits)
{
	size_t n_hits = 0;

	if (!pd_lookup_find(names->lookup, names->range, sites, n, shift, found))
		return false;
	for (size_t i = 0; i < n; i++)
		n_hits += found[i] != PD_LOOKUP_NONE &&
			  names->lookup->symbols[found[i]].flags & PD_LOOKUP_CODE;
	*ret_n_hits = n_hits;
	return true;
}

static int choose_shift(struct pd_finder *f, const struct pd_dso *dso, const char *path,
			const struct pd_site *sites, size_t n, struct pd_names *names,
			struct pd_error *err)
{
	const struct pd_lookup *l = names->lookup;
	size_t n_with = 0, n_without = 0;
	uint32_t *found;

	if (!dso->reference.id)
		return PD_OK;
	if (!l->has_reference && dso->is_relative) {
		pd_tell_dso(f, "no-reference", path, "expected the symbol %s, which all addresses "
			    "are counted from, found none: nothing has a name", reference_of(f));
		names->lookup = NULL;
		return PD_OK;
	}
	if (!l->has_reference) {
		pd_tell_dso(f, "no-reference", path, "expected the symbol %s, whose address is "
			    "recorded, found none: names are right only if it was linked or loaded "
			    "to where the kernel ran", reference_of(f));
		return PD_OK;
	}
	names->shift = l->reference_start - dso->reference_address;
	if (!names->shift || dso->is_relative)
		return PD_OK;
	found = malloc((n + 1) * sizeof(*found));
	if (!found || !count_hits(names, sites, n, names->shift, found, &n_with) ||
	    !count_hits(names, sites, n, 0, found, &n_without)) {
		free(found);
		return pd_fail_nomem(err);
	}
	free(found);
	if (n_without > n_with) {
		pd_tell_dso(f, "bad-reference", path, "where it has %s, %zu of %zu addresses are "
			    "functions, but %zu as they are: taken so", l->reference, n_with, n,
			    n_without);
		names->shift = 0;
	}
	return PD_OK;
}

static void use_list(struct pd_kernel_list *list, struct pd_names *ret_names)
{
	ret_names->lookup = &list->lookup;
	ret_names->range = pd_lookup_range_of(&list->lookup, pd_span_of(""));
	ret_names->role = PD_LOOKUP_KERNEL;
	ret_names->dwarf_problem = "its symbols are a list, which has no lines";
}

int pd_find_kernel(struct pd_finder *f, const struct pd_dso *dso, const struct pd_site *sites,
		   size_t n, struct pd_names *ret_names, struct pd_error *err)
{
	/* --kallsyms is before -k, and -k before what is found by itself. */
	struct pd_given *given = f->options.places->kallsyms ? NULL : pd_find_given(f, dso);
	struct pd_kernel_list *list;
	const char *path = NULL;
	int rc = PD_OK;

	f->lookup.reference = reference_of(f);
	if (given) {
		path = given->path;
		rc = pd_read_given(f, given, dso, ret_names, err);
	} else if (f->list.path || f->recording->kcore_dir) {
		list = pd_find_list(f);
		path = list ? list->path : NULL;
		if (list)
			use_list(list, ret_names);
	}
	if (rc == PD_OK && !path && (pd_find_files(f, dso, false) || find_vmlinux(f, dso))) {
		path = f->symbols.path ? f->symbols.path : f->runtime.path;
		rc = pd_read_files(f, PD_LOOKUP_KERNEL, ret_names, err);
	}
	if (rc == PD_OK && !ret_names->lookup && (list = pd_find_list(f))) {
		path = list->path;
		use_list(list, ret_names);
	}
	if (rc == PD_OK && ret_names->lookup)
		rc = choose_shift(f, dso, path, sites, n, ret_names, err);
	else if (rc == PD_OK)
		pd_tell_dso(f, "no-symbols", "[kernel.kallsyms]", "no symbols of the kernel that "
			    "ran were found; give its vmlinux, System.map or kallsyms with -k");
	return rc;
}
