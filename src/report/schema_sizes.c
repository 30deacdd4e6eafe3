/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value tree of kind "size".
 */
#include "base/num.h"
#include "report/schema.h"

void pd_schema_add_pair(struct pd_document *d, struct pd_value *parent, const char *key,
			const double x[2])
{
	struct pd_value *list = pd_value_add_list(d, parent, key);

	pd_value_add_number(d, list, NULL, x[0]);
	pd_value_add_number(d, list, NULL, x[1]);
}

static void add_optional(struct pd_document *d, struct pd_value *parent, const char *key,
			 const struct pd_sizes *sizes, pd_str s)
{
	pd_value_add_text(d, parent, key, s.id ? pd_strtab_get(&sizes->strings, s) : NULL);
}

static void add_images(struct pd_document *d, const struct pd_sizes *sizes)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "images");

	for (int side = 0; side < 2; side++) {
		const struct pd_size_side *s = &sizes->sides[side];
		const struct pd_image *image = s->n_images ? s->images[0] : NULL;
		struct pd_value *v = pd_value_add_object(d, list, NULL), *sections;

		pd_value_add_text(d, v, "path", s->path);
		pd_value_add_text(d, v, "label", s->label);
		pd_value_add_text(d, v, "build_id",
				  image && s->n_images == 1 ? image->build_id : NULL);
		pd_value_add_number(d, v, "file_bytes", sizes->totals.file_bytes[side]);
		pd_value_add_text(d, v, "machine",
				  image && *image->machine ? image->machine : NULL);
		sections = pd_value_add_list(d, v, "sections");
		for (uint32_t i = 0; image && s->n_images == 1 && i < image->n_sections; i++) {
			struct pd_value *section;

			if (!image->sections[i].is_loaded)
				continue;
			section = pd_value_add_object(d, sections, NULL);
			pd_value_add_text(d, section, "name",
					  pd_strtab_get(&image->strings, image->sections[i].name));
			pd_value_add_number(d, section, "bytes",
					    (double)image->sections[i].n_bytes);
		}
		pd_value_add_number(d, v, "n_files", s->n_images);
		pd_value_add_text(d, v, "producer", image ? image->producer : NULL);
		pd_value_add_text(d, v, "release", image ? image->release : NULL);
	}
}

void pd_schema_add_size_row(struct pd_document *d, struct pd_value *parent, const char *key,
			    const struct pd_sizes *sizes, const struct pd_size_row *row)
{
	struct pd_value *v = pd_value_add_object(d, parent, key), *items;
	const char *paired = row->status == PD_SIZE_NEW	   ? "next-only"
			     : row->status == PD_SIZE_GONE ? "base-only"
			     : row->next_name.id	   ? "code"
			     : row->has_same_parts	   ? "exact"
							   : "suffix";

	add_optional(d, v, "name", sizes, row->name);
	add_optional(d, v, "demangled", sizes, row->demangled.id ? row->demangled : row->name);
	add_optional(d, v, "file", sizes, row->file);
	pd_value_add_text(d, v, "kind", pd_size_kind_name(row));
	add_optional(d, v, "section", sizes, row->section);
	pd_value_add_text(d, v, "paired", paired);
	pd_schema_add_pair(d, v, "size", row->n_bytes);
	pd_value_add_number(d, v, "delta", pd_size_row_delta(row));
	pd_value_add_text(d, v, "status", pd_size_status_name(row->status));
	if (sizes->has_code)
		pd_value_add_text(d, v, "code", pd_size_code_name(row->code));
	items = pd_value_add_list(d, v, "aliases");
	for (uint32_t i = 0; i < row->n_aliases; i++)
		pd_value_add_text(d, items, NULL,
				  pd_strtab_get(&sizes->strings,
						sizes->aliases[row->first_alias + i]));
	items = pd_value_add_list(d, v, "parts");
	for (uint32_t i = 0; i < row->n_parts && row->n_parts > 1; i++) {
		const struct pd_size_part *part = &sizes->parts[row->first_part + i];
		struct pd_value *p = pd_value_add_object(d, items, NULL);

		add_optional(d, p, "name", sizes, part->name);
		pd_schema_add_pair(d, p, "size", part->n_bytes);
	}
	add_optional(d, v, "module", sizes, row->module);
}

static void add_count(struct pd_document *d, struct pd_value *parent, const char *key, double n,
		      double bytes)
{
	struct pd_value *v = pd_value_add_object(d, parent, key);

	pd_value_add_number(d, v, "n", n);
	pd_value_add_number(d, v, "bytes", bytes);
}

static void add_rest(struct pd_document *d, const struct pd_sizes *sizes,
		     const struct pd_size_account *a, const char *what, const double n_bytes[2],
		     struct pd_value *list)
{
	struct pd_value *v;

	if (n_bytes[0] == 0 && n_bytes[1] == 0)
		return;
	v = pd_value_add_object(d, list, NULL);
	add_optional(d, v, "section", sizes, a->section);
	pd_value_add_text(d, v, "what", what);
	pd_schema_add_pair(d, v, "bytes", n_bytes);
}

static void add_totals(struct pd_document *d, const struct pd_sizes *sizes)
{
	const struct pd_size_totals *t = &sizes->totals;
	struct pd_value *totals = pd_value_add_object(d, d->root, "totals"), *v;

	pd_schema_add_pair(d, totals, "file_bytes", t->file_bytes);
	v = pd_value_add_object(d, totals, "functions");
	pd_schema_add_pair(d, v, "n", t->n_functions);
	pd_schema_add_pair(d, v, "bytes", t->function_bytes);
	add_count(d, totals, "grown", t->n_grown, t->grown);
	add_count(d, totals, "shrunk", t->n_shrunk, t->shrunk);
	add_count(d, totals, "new", t->n_new, t->added);
	add_count(d, totals, "gone", t->n_gone, t->gone);
	v = pd_value_add_list(d, totals, "sections");
	for (uint32_t i = 0; i < sizes->n_accounts; i++) {
		struct pd_value *section = pd_value_add_object(d, v, NULL);

		add_optional(d, section, "name", sizes, sizes->accounts[i].section);
		pd_schema_add_pair(d, section, "bytes", sizes->accounts[i].n_bytes);
	}
	v = pd_value_add_list(d, totals, "unattributed");
	for (uint32_t i = 0; i < sizes->n_accounts; i++) {
		const struct pd_size_account *a = &sizes->accounts[i];
		const double rest[2] = {a->unnamed_bytes[0] - a->marker_bytes[0],
					a->unnamed_bytes[1] - a->marker_bytes[1]};

		add_rest(d, sizes, a, "padding", a->padding_bytes, v);
		add_rest(d, sizes, a, "unnamed", rest, v);
		add_rest(d, sizes, a, "markers", a->marker_bytes, v);
	}
	v = pd_value_add_object(d, totals, "inlined");
	pd_schema_add_pair(d, v, "instances", t->n_inlines);
	pd_schema_add_pair(d, v, "without_code", t->n_inlines_without_code);
	pd_schema_add_pair(d, v, "bytes", t->inline_bytes);
	pd_schema_add_pair(d, v, "outermost_bytes", t->outermost_bytes);
}

static void add_accounts(struct pd_document *d, const struct pd_sizes *sizes)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "accounts");

	for (uint32_t i = 0; i < sizes->n_accounts; i++) {
		const struct pd_size_account *a = &sizes->accounts[i];
		struct pd_value *v = pd_value_add_object(d, list, NULL);

		add_optional(d, v, "section", sizes, a->section);
		pd_value_add_number(d, v, "delta", a->n_bytes[1] - a->n_bytes[0]);
		pd_value_add_number(d, v, "grown", a->grown);
		pd_value_add_number(d, v, "shrunk", a->shrunk);
		pd_value_add_number(d, v, "new", a->added);
		pd_value_add_number(d, v, "gone", a->gone);
		pd_value_add_number(d, v, "objects", a->objects);
		pd_value_add_number(d, v, "padding", a->padding);
		pd_value_add_number(d, v, "unnamed", a->unnamed);
		if (a->module.id)
			add_optional(d, v, "module", sizes, a->module);
	}
}

struct pd_value *pd_schema_add_inline(struct pd_document *d, struct pd_value *list,
				      const struct pd_sizes *sizes,
				      const struct pd_inline_row *row)
{
	struct pd_value *v = pd_value_add_object(d, list, NULL);

	add_optional(d, v, "name", sizes, row->name);
	add_optional(d, v, "file", sizes, row->file);
	pd_schema_add_pair(d, v, "instances", row->n_instances);
	pd_schema_add_pair(d, v, "callers", row->n_callers);
	pd_schema_add_pair(d, v, "bytes", row->n_bytes);
	pd_schema_add_pair(d, v, "out_of_line", row->body_bytes);
	pd_value_add_text(d, v, "became", row->has_become_body	   ? "out-of-line"
					  : row->has_become_inline ? "inlined"
								   : NULL);
	pd_value_add_number(d, v, "callers_delta", row->callers_delta);
	pd_value_add_number(d, v, "net", row->net);
	return v;
}

static void add_inlines(struct pd_document *d, const struct pd_sizes *sizes)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "inline");

	for (uint32_t i = 0; i < sizes->n_inlines; i++)
		(void)pd_schema_add_inline(d, list, sizes, &sizes->inlines[i]);
}

void pd_schema_add_sizes(struct pd_document *d, const struct pd_sizes *sizes)
{
	static const char *const by[] = {"function", "file", "dir", "section",
					  "maintainer"};
	struct pd_value *rows;

	add_images(d, sizes);
	pd_value_add_text(d, d->root, "by", by[sizes->by]);
	rows = pd_value_add_list(d, d->root, "rows");
	for (uint32_t i = 0; rows && i < sizes->n_rows; i++)
		pd_schema_add_size_row(d, rows, NULL, sizes, &sizes->rows[i]);
	add_totals(d, sizes);
	add_accounts(d, sizes);
	add_inlines(d, sizes);
}
