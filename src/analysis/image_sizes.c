/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes beside ticks: the sizes of a comparison's functions in the images of its
 * sides.
 */
#include "analysis/image_sizes.h"

#include <string.h>

#include "analysis/names.h"
#include "base/map.h"
#include "base/num.h"

/* The module that an image is of, as rows call it. */
static pd_str module_of(struct pd_comparison *c, const struct pd_image *image)
{
	struct pd_span path = pd_span_of(image->path);

	if (image->release || !image->elf_machine)
		return pd_strtab_intern_str(&c->strings, "vmlinux");
	return pd_strtab_intern(&c->strings, pd_module_base_name(path));
}

static bool serves(const struct pd_comparison *c, const struct pd_row *row, pd_str module)
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

/* Bytes by name; a family's under its base name where families are rows. */
static bool map_sizes(struct pd_comparison *c, const struct pd_image *image,
		      enum pd_suffix_mode suffix, struct pd_map *ids, double *bytes)
{
	struct pd_buf text = {0};
	uint32_t n = 0;
	bool ok = true;

	for (uint32_t i = 0; i < image->n_symbols && ok; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		if (s->kind != PD_SYMBOL_FUNCTION)
			continue;
		for (uint32_t k = 0; k <= s->n_aliases && ok; k++) {
			pd_str name = k ? image->aliases[s->first_alias + k - 1] : s->name;
			struct pd_span span = pd_strtab_span(&image->strings, name);
			pd_str id;
			uint32_t at;

			if (suffix != PD_SUFFIX_EXACT)
				span = pd_name_family(span, &text);
			/* Names that no row has are no use. */
			id = pd_strtab_find(&c->strings, span);
			if (!id.id)
				continue;
			at = pd_map_find(ids, id.id);
			if (at == PD_MAP_NONE) {
				at = pd_map_insert(ids, id.id, n);
				ok = at != PD_MAP_NONE;
				if (ok)
					bytes[n++] = PD_UNKNOWN;
			}
			if (ok)
				add(&bytes[at], (double)s->n_bytes);
		}
	}
	pd_buf_done(&text);
	return ok;
}

static void set_side(struct pd_comparison *c, uint32_t side, pd_str module,
		     const struct pd_map *ids, const double *bytes)
{
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];
		uint32_t at = pd_map_find(ids, row->name.id);

		if (at != PD_MAP_NONE && serves(c, row, module))
			row->n_bytes[side] = bytes[at];
	}
	/* A sum of functions is as large as they are together. */
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];

		if (!row->n_members || row->paired != PD_PAIRED_GROUP)
			continue;
		for (uint32_t k = 0; k < row->n_members; k++)
			if (pd_is_known(c->rows[row->members[k]].n_bytes[side]))
				add(&row->n_bytes[side], c->rows[row->members[k]].n_bytes[side]);
	}
}

int pd_comparison_add_sizes(struct pd_comparison *c, struct pd_image *const *images,
			    enum pd_suffix_mode suffix, struct pd_error *err)
{
	for (uint32_t i = 0; i < c->n_rows; i++) {
		c->rows[i].n_bytes = pd_arena_array(&c->arena, c->n_sides,
						    sizeof(*c->rows[i].n_bytes));
		if (!c->rows[i].n_bytes)
			return pd_fail_nomem(err);
		for (uint32_t s = 0; s < c->n_sides; s++)
			c->rows[i].n_bytes[s] = PD_UNKNOWN;
	}
	for (uint32_t s = 0; s < c->n_sides; s++) {
		struct pd_map ids = {0};
		double *bytes;
		bool ok;

		if (!images[s])
			continue;
		bytes = pd_arena_array(&c->arena, c->strings.n + (size_t)1, sizeof(*bytes));
		ok = bytes && map_sizes(c, images[s], suffix, &ids, bytes);
		if (ok)
			set_side(c, s, module_of(c, images[s]), &ids, bytes);
		pd_map_done(&ids);
		if (!ok)
			return pd_fail_nomem(err);
	}
	c->has_sizes = true;
	return PD_OK;
}
