/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of kernel modules: from a file given, from the folder of modules, from the path
 * that the recording has, or from the kernel's list. Contract: lookup_state.h.
 */
#include <dirent.h>
#include <stdlib.h>

#include "image/lookup_state.h"

enum { MAX_DEPTH = 32, MAX_FILES = 1 << 20 };

/* "x-y.ko.xz" -> "x_y", in out; false: it is no module. */
static bool print_module_name(const char *file, struct pd_buf *out)
{
	static const char *const ends[] = {".ko", ".ko.xz", ".ko.gz", ".ko.zst", ".ko.debug"};
	struct pd_span s = pd_span_of(file);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (!pd_span_ends(s, ends[i]) || s.len == strlen(ends[i]))
			continue;
		out->len = 0;
		for (size_t at = 0; at < s.len - strlen(ends[i]); at++)
			pd_buf_add_char(out, file[at] == '-' ? '_' : file[at]);
		return !out->failed;
	}
	return false;
}

static void add_module(struct pd_finder *f, struct pd_span name, struct pd_span path)
{
	if (f->n_modules == f->cap_modules) {
		uint32_t cap = f->cap_modules ? 2 * f->cap_modules : 256;
		void *p = reallocarray(f->modules, cap, sizeof(*f->modules));

		if (!p)
			return;
		f->modules = p;
		f->cap_modules = cap;
	}
	f->modules[f->n_modules++] = (struct pd_str_pair){
		pd_strtab_intern(&f->module_strings, name),
		pd_strtab_intern(&f->module_strings, path),
	};
}

/* All modules below path, which grows and shrinks again. Links are not followed. */
static void walk_folder(struct pd_finder *f, struct pd_buf *path, int depth)
{
	DIR *dir = path->failed || depth > MAX_DEPTH ? NULL : opendir(path->ptr);
	size_t len = path->len;
	struct pd_buf name = {0};
	struct dirent *entry;

	while (dir && f->n_modules < MAX_FILES && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		pd_buf_printf(path, "/%s", entry->d_name);
		if (entry->d_type == DT_DIR)
			walk_folder(f, path, depth + 1);
		else if (print_module_name(entry->d_name, &name))
			add_module(f, pd_buf_span(&name), pd_buf_span(path));
		path->len = len;
		path->ptr[len] = '\0';
	}
	if (dir)
		(void)closedir(dir);
	pd_buf_done(&name);
}

/* Open the module of that name ("ext4") in the folder of modules; the first one by path. */
static bool open_from_folder(struct pd_finder *f, const struct pd_dso *dso, struct pd_span name)
{
	const char *build_id = pd_dso_build_id(f, dso), *stranger = NULL, *best = NULL;
	struct pd_buf path = {0};
	pd_str id;

	if (!f->has_walked_modules) {
		pd_buf_add_str(&path, f->options.places->modules);
		walk_folder(f, &path, 0);
		pd_buf_done(&path);
		f->has_walked_modules = true;
	}
	id = pd_strtab_find(&f->module_strings, name);
	for (uint32_t i = 0; i < f->n_modules && id.id; i++) {
		const char *at = pd_strtab_get(&f->module_strings, f->modules[i].path);
		struct pd_elf_file file = {0};

		if (f->modules[i].name.id != id.id || (best && strcmp(best, at) < 0) ||
		    !pd_elf_file_open(f, at, &file))
			continue;
		if (build_id && !pd_build_id_is(build_id, file.head.build_id)) {
			stranger = at;
			pd_elf_file_close(&file);
			continue;
		}
		best = at;
		pd_elf_file_close(&f->symbols);
		f->symbols = file;
	}
	if (!best && stranger)
		pd_tell_dso(f, "build-id", stranger, "expected build-id %s, found another: it is "
			    "another build, and names nothing", build_id);
	return best;
}

int pd_find_module(struct pd_finder *f, const struct pd_dso *dso, struct pd_names *ret_names,
		   struct pd_error *err)
{
	struct pd_span name = pd_strtab_span(&f->recording->strings, dso->module);
	struct pd_given *given = pd_find_given(f, dso);
	struct pd_kernel_list *list;

	if (name.len > 2 && name.ptr[0] == '[')
		name = pd_span_sub(name, 1, name.len - 1);
	if (given)
		return pd_read_given(f, given, dso, ret_names, err);
	if ((f->options.places->modules && open_from_folder(f, dso, name)) ||
	    pd_find_files(f, dso, false))
		return pd_read_files(f, PD_LOOKUP_MODULE, ret_names, err);
	list = pd_find_list(f);
	if (list) {
		ret_names->lookup = &list->lookup;
		ret_names->range = pd_lookup_range_of(&list->lookup, name);
		ret_names->shift = dso->address;
		ret_names->dwarf_problem = "its symbols are a list, which has no lines";
	}
	if (!list || !ret_names->range.n) {
		ret_names->lookup = NULL;
		pd_tell_dso(f, "no-symbols", pd_strtab_get(&f->recording->strings, dso->path),
			    "no symbols of this module were found; --modules gives the folder with "
			    "its file");
	}
	return PD_OK;
}
