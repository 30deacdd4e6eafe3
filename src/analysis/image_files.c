/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of functions. Contract: image_files.h.
 */
#include "analysis/image_files.h"

#include "analysis/names.h"
#include "image/demangle.h"

/* A file that is none: functions of equal names are in several. */
#define SEVERAL UINT32_MAX

static void add_name(struct pd_image_files *f, struct pd_span name, pd_str file)
{
	uint32_t id = pd_strtab_intern(&f->names, name).id;

	if (!f->files[id].id)
		f->files[id] = file;
	else if (file.id && f->files[id].id != file.id)
		f->files[id].id = SEVERAL;
}

int pd_image_files_read(const struct pd_image *image, struct pd_image_files *ret_files,
			struct pd_error *err)
{
	struct pd_image_files f = {.image = image};
	/* Each name as it is, demangled, and of its family. */
	size_t n = 3 * ((size_t)image->n_symbols + image->n_aliases) + 1;

	f.files = pd_arena_array(&f.arena, n, sizeof(*f.files));
	for (uint32_t i = 0; i < image->n_symbols && f.files; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		for (uint32_t k = 0; k <= s->n_aliases && s->kind == PD_SYMBOL_FUNCTION; k++) {
			pd_str own = k ? image->aliases[s->first_alias + k - 1] : s->name;
			struct pd_span name = pd_strtab_span(&image->strings, own);

			add_name(&f, name, s->file);
			add_name(&f, pd_demangle(name, &f.text), s->file);
			add_name(&f, pd_name_family(name, &f.text), s->file);
		}
	}
	if (!f.files || f.names.failed) {
		pd_image_files_done(&f);
		return pd_fail_nomem(err);
	}
	*ret_files = f;
	return PD_OK;
}

void pd_image_files_done(struct pd_image_files *files)
{
	pd_strtab_done(&files->names);
	pd_arena_done(&files->arena);
	pd_buf_done(&files->text);
	*files = (struct pd_image_files){0};
}

struct pd_span pd_image_files_find(struct pd_image_files *files, struct pd_span name)
{
	pd_str id = pd_strtab_find(&files->names, name), file;

	if (!id.id)
		id = pd_strtab_find(&files->names, pd_name_family(name, &files->text));
	file = files->files[id.id];
	if (!id.id || file.id == SEVERAL)
		return pd_span_of("");
	return pd_strtab_span(&files->image->strings, file);
}
