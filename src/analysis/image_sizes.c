/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes beside ticks: the sizes of a comparison's functions in the images of its
 * sides.
 */
#include "analysis/image_sizes.h"

#include <string.h>

#include "analysis/image_files.h"
#include "analysis/names.h"
#include "base/num.h"

const char *pd_image_module_name(const struct pd_image *image)
{
	if (image->release || !image->elf_machine)
		return "vmlinux";
	return pd_module_base_name(pd_span_of(image->path)).ptr;
}

pd_str pd_module_of_image(struct pd_comparison *c, const struct pd_image *image)
{
	return pd_strtab_intern_str(&c->strings, pd_image_module_name(image));
}

bool pd_module_serves(const struct pd_comparison *c, const struct pd_row *row, pd_str module)
{
	struct pd_span own = pd_strtab_span(&c->strings, row->module);
	struct pd_span wanted = pd_strtab_span(&c->strings, module);
	struct pd_span base = pd_module_base_name(own);

	return !own.len || row->module.id == module.id ||
	       (base.len == wanted.len && !memcmp(base.ptr, wanted.ptr, base.len));
}

static void add(double *sum, double x)
{
	*sum = pd_is_known(*sum) ? *sum + x : x;
}

/* Bytes by name; where variants are one function, by the base name of these. */
struct name_sizes {
	struct pd_strtab names;
	double *bytes; /* [id of the name] */
	enum pd_suffix_mode suffix;
	struct pd_buf text;
};

static struct pd_span key_of(struct name_sizes *sizes, struct pd_span name)
{
	return sizes->suffix == PD_SUFFIX_EXACT ? name : pd_name_family(name, &sizes->text);
}

static bool read_sizes(const struct pd_image *image, struct pd_arena *arena,
		       struct name_sizes *sizes)
{
	size_t n = (size_t)image->n_symbols + image->n_aliases + 1;

	sizes->bytes = pd_arena_array(arena, n + 1, sizeof(*sizes->bytes));
	for (uint32_t i = 0; i < image->n_symbols && sizes->bytes; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		if (s->kind != PD_SYMBOL_FUNCTION)
			continue;
		for (uint32_t k = 0; k <= s->n_aliases; k++) {
			pd_str name = k ? image->aliases[s->first_alias + k - 1] : s->name;
			struct pd_span span = pd_strtab_span(&image->strings, name);

			sizes->bytes[pd_strtab_intern(&sizes->names, key_of(sizes, span)).id] +=
				(double)s->n_bytes;
		}
	}
	return sizes->bytes && !sizes->names.failed;
}

/* A sum of functions is as large as they are together. */
static void add_members(const struct pd_comparison *c, struct pd_row *row, uint32_t side)
{
	for (uint32_t k = 0; k < row->n_members; k++)
		if (pd_is_known(c->rows[row->members[k]].n_bytes[side]))
			add(&row->n_bytes[side], c->rows[row->members[k]].n_bytes[side]);
}

/* Source files, where DWARF tells them and the input does not. */
static int set_files(struct pd_comparison *c, const struct pd_image *image, struct pd_error *err)
{
	pd_str module = pd_module_of_image(c, image);
	struct pd_image_files files = {0};
	int rc = image->has_files ? pd_image_files_read(image, &files, err) : PD_OK;

	for (uint32_t i = 0; i < c->n_rows && image->has_files && rc == PD_OK; i++) {
		struct pd_row *row = &c->rows[i];
		struct pd_span name = pd_strtab_span(&c->strings, row->name);

		if (!row->file.id && pd_module_serves(c, row, module))
			row->file = pd_strtab_intern(&c->strings,
						     pd_image_files_find(&files, name));
	}
	pd_image_files_done(&files);
	return rc;
}

static void set_side(struct pd_comparison *c, uint32_t side, const struct pd_image *image,
		     struct name_sizes *sizes)
{
	pd_str module = pd_module_of_image(c, image);

	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];
		struct pd_span name = pd_strtab_span(&c->strings, row->name);
		pd_str key = pd_strtab_find(&sizes->names, key_of(sizes, name));

		if (key.id && pd_module_serves(c, row, module))
			row->n_bytes[side] = sizes->bytes[key.id];
	}
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].paired == PD_PAIRED_GROUP)
			add_members(c, &c->rows[i], side);
	for (uint32_t i = 0; i < c->n_beside; i++)
		add_members(c, &c->beside[i], side);
}

int pd_comparison_add_sizes(struct pd_comparison *c, struct pd_image *const *images,
			    enum pd_suffix_mode suffix, struct pd_error *err)
{
	for (uint32_t i = 0; i < c->n_rows + c->n_beside; i++) {
		struct pd_row *row = i < c->n_rows ? &c->rows[i] : &c->beside[i - c->n_rows];

		row->n_bytes = pd_arena_array(&c->arena, c->n_sides, sizeof(*row->n_bytes));
		if (!row->n_bytes)
			return pd_fail_nomem(err);
		for (uint32_t s = 0; s < c->n_sides; s++)
			row->n_bytes[s] = PD_UNKNOWN;
	}
	for (uint32_t s = 0; s < c->n_sides; s++) {
		struct name_sizes sizes = {.suffix = suffix};
		int rc;
		bool ok;

		if (!images[s])
			continue;
		ok = read_sizes(images[s], &c->arena, &sizes);
		if (ok)
			set_side(c, s, images[s], &sizes);
		pd_strtab_done(&sizes.names);
		pd_buf_done(&sizes.text);
		if (!ok)
			return pd_fail_nomem(err);
		rc = set_files(c, images[s], err);
		if (rc != PD_OK)
			return rc;
	}
	c->has_sizes = true;
	return PD_OK;
}
