/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of sizes: the headline that bloat-o-meter has, what grew and shrank,
 * where each section's bytes went, and what was inlined where.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/kernel_config.h"
#include "base/num.h"
#include "base/text.h"
#include "report/headline.h"
#include "report/report.h"
#include "report/schema.h"
#include "report/sections.h"
#include "report/size_code.h"

enum { DEFAULT_TOP = 20, TOP_INLINES = 10 };

static double known(double x)
{
	return pd_is_known(x) ? x : 0;
}

/* "+1335" and "0.26": for texts. */
static const char *fixed(struct pd_document *d, double x, int decimals)
{
	char buf[PD_NUM_LEN];

	return pd_document_printf(d, "%s", pd_num_fixed(x, decimals, buf));
}

void pd_sizes_add_headline(struct pd_document *d, const struct pd_sizes *sizes)
{
	const struct pd_size_totals *t = &sizes->totals;
	double up = t->grown + known(t->added), down = t->shrunk + known(t->gone);
	double before = t->function_bytes[0], after = t->function_bytes[1];

	if (sizes->has_deltas_only) {
		pd_document_add_text(
			d, pd_document_printf(d, "grow/shrink: %s/%s up/down: %s/%s (%s)",
					      fixed(d, t->n_grown, 0), fixed(d, t->n_shrunk, 0),
					      fixed(d, up, 0), fixed(d, down, 0),
					      fixed(d, up + down, 0)));
		return;
	}
	pd_document_add_text(
		d, pd_document_printf(d, "add/remove: %s/%s grow/shrink: %s/%s up/down: %s/%s (%s)",
				      fixed(d, t->n_new, 0), fixed(d, t->n_gone, 0),
				      fixed(d, t->n_grown, 0), fixed(d, t->n_shrunk, 0),
				      fixed(d, up, 0), fixed(d, down, 0), fixed(d, up + down, 0)));
	if (!pd_is_known(before) || !pd_is_known(after))
		return;
	pd_document_add_text(
		d, pd_document_printf(d, "Total: Before=%s, After=%s, chg %s%%",
				      fixed(d, before, 0), fixed(d, after, 0),
				      before > 0 ? pd_signed_text(d, 100 * (after / before - 1), 2)
						 : "-"));
}

/* What tells the two sides apart but for their code. */
static void add_difference(struct pd_document *d, const struct pd_sizes *sizes, const char *what,
			   const char *base, const char *next)
{
	if (base && next && strcmp(base, next) != 0)
		pd_document_add_text(d, pd_document_printf(d, "%s differs: %s %s; %s %s.", what,
							   sizes->sides[0].label, base,
							   sizes->sides[1].label, next));
}

/* Options of the two kernels that differ, if both carry theirs. */
void pd_sizes_add_config(struct pd_document *d, const char *base, const char *next)
{
	enum { MAX_OPTIONS = 6 };
	struct pd_buf text = {0};
	uint32_t n;

	if (!base || !next)
		return;
	n = pd_kernel_config_diff(pd_span_of(base), pd_span_of(next), MAX_OPTIONS, &text);
	d->failed |= text.failed;
	if (n > MAX_OPTIONS)
		pd_buf_printf(&text, " and %u more", n - MAX_OPTIONS);
	if (n)
		pd_document_add_text(d, pd_document_printf(d, "configuration differs: %s.",
							   text.ptr));
	pd_buf_done(&text);
}

static void add_notes(struct pd_document *d, const struct pd_sizes *sizes)
{
	const struct pd_size_side *sides = sizes->sides;

	if (sizes->is_text) {
		pd_document_add_text(
			d, sizes->has_deltas_only
				   ? "note: the text tells differences alone: no sizes, and not "
				     "which functions are new or gone."
				   : "note: the text lists what differs, as it names functions: "
				     "nothing is known of sections and files.");
		return;
	}
	if (sides[0].n_images && sides[1].n_images) {
		const struct pd_image *a = sides[0].images[0], *b = sides[1].images[0];

		add_difference(d, sizes, "compiler", a->producer, b->producer);
		add_difference(d, sizes, "kernel", a->release, b->release);
		pd_sizes_add_config(d, a->config, b->config);
		if (sides[0].n_images == 1 && sides[1].n_images == 1)
			add_difference(d, sizes, "build-id", a->build_id, b->build_id);
		if (a->build_id && b->build_id && !strcmp(a->build_id, b->build_id) &&
		    sides[0].n_images == 1)
			pd_document_add_text(d, "note: both images have the same build-id.");
	}
	if (sizes->has_listing)
		pd_document_add_text(d, "note: a listing tells no files, so that functions of one "
					"name are one row.");
	else if (!sizes->has_files)
		pd_document_add_text(d, "note: without DWARF on both sides, functions of equal "
					"names are told apart by the base names of their files "
					"and the order of these.");
	if (sizes->is_approximate)
		pd_document_add_text(d, "note: a listing tells no sizes; they are the distances to "
					"the next symbols, padding included.");
}

/* A row of the table, or where rows were left out. */
struct order {
	uint32_t *rows;
	uint32_t n, n_hidden, break_at; /* before which place; n: nowhere */
};

enum sort_key { SORT_DELTA, SORT_DELTA_ABS, SORT_BASE, SORT_NEXT, SORT_NAME };

static const struct {
	const char *name;
	enum sort_key key;
} sort_keys[] = {
	{"delta", SORT_DELTA}, {"delta-abs", SORT_DELTA_ABS}, {"base", SORT_BASE},
	{"next", SORT_NEXT},   {"size", SORT_NEXT},	      {"name", SORT_NAME},
	{"function", SORT_NAME},
};

static int find_sort_key(const char *name, enum sort_key *ret_key, struct pd_error *err)
{
	*ret_key = SORT_DELTA;
	if (!name)
		return PD_OK;
	for (size_t i = 0; i < sizeof(sort_keys) / sizeof(sort_keys[0]); i++)
		if (!strcmp(sort_keys[i].name, name)) {
			*ret_key = sort_keys[i].key;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "--sort: expected delta, delta-abs, base, next or name, "
		       "found \"%s\"", name);
}

struct sorting {
	const struct pd_sizes *sizes;
	enum sort_key key;
};

static double sort_number(const struct pd_size_row *row, enum sort_key key)
{
	switch (key) {
	case SORT_DELTA:
		return pd_size_row_delta(row);
	case SORT_DELTA_ABS:
		return fabs(pd_size_row_delta(row));
	case SORT_BASE:
		return known(row->n_bytes[0]);
	case SORT_NEXT:
		return known(row->n_bytes[1]);
	case SORT_NAME:
		break;
	}
	return 0;
}

/* Rows are by name already, so that ties are, too. */
static int compare_rows(const void *a, const void *b, void *context)
{
	const struct sorting *s = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double dx = sort_number(&s->sizes->rows[x], s->key);
	double dy = sort_number(&s->sizes->rows[y], s->key);

	if (dx > dy || dx < dy)
		return dx > dy ? -1 : 1;
	return x < y ? -1 : x > y;
}

static bool is_changed(const struct pd_size_row *row)
{
	return row->status != PD_SIZE_SAME;
}

/* The rows of functions or of objects that people see. */
static int make_order(struct pd_document *d, const struct pd_sizes *sizes, bool wants_objects,
		      const struct pd_view_options *options, struct order *ret_order,
		      struct pd_error *err)
{
	struct sorting sorting = {.sizes = sizes};
	struct order o = {.rows = pd_arena_array(&d->arena, (size_t)sizes->n_rows + 1,
						 sizeof(*o.rows))};
	uint32_t n_top = options->has_top ? options->n_top : DEFAULT_TOP;
	int rc = find_sort_key(options->sort, &sorting.key, err);

	if (rc != PD_OK || !o.rows)
		return rc != PD_OK ? rc : pd_fail_nomem(err);
	for (uint32_t i = 0; i < sizes->n_rows; i++)
		if (is_changed(&sizes->rows[i]) && sizes->rows[i].is_object == wants_objects)
			o.rows[o.n++] = i;
	qsort_r(o.rows, o.n, sizeof(*o.rows), compare_rows, &sorting);
	o.break_at = o.n;
	if (n_top && o.n > 2 * n_top) {
		/* The largest increases and the largest decreases; else the first ones. */
		uint32_t n_tail = sorting.key == SORT_DELTA ? n_top : 0;

		o.n_hidden = o.n - 2 * n_top;
		o.break_at = 2 * n_top - n_tail;
		memmove(o.rows + o.break_at, o.rows + o.n - n_tail, n_tail * sizeof(*o.rows));
		o.n = 2 * n_top;
	}
	*ret_order = o;
	return PD_OK;
}

static bool is_same_name(const struct pd_sizes *sizes, uint32_t a, uint32_t b)
{
	return a < sizes->n_rows && b < sizes->n_rows &&
	       sizes->rows[a].name.id == sizes->rows[b].name.id;
}

static const char *shown_name(const struct pd_sizes *sizes, pd_str name, pd_str demangled,
			      const struct pd_view_options *options)
{
	return pd_strtab_get(&sizes->strings,
			     demangled.id && !options->keeps_mangling ? demangled : name);
}

/* The name, with the file where several have it, and the module where there are some. */
static const char *name_of(struct pd_document *d, const struct pd_sizes *sizes, uint32_t i,
			   const struct pd_view_options *options)
{
	const struct pd_size_row *row = &sizes->rows[i];
	const char *name = shown_name(sizes, row->name, row->demangled, options);
	const char *file = pd_strtab_get(&sizes->strings, row->file);
	const char *module = pd_strtab_get(&sizes->strings, row->module);

	/* Rows are by name: those of one name are neighbours. */
	if (*file && (is_same_name(sizes, i, i + 1) || (i && is_same_name(sizes, i - 1, i))))
		name = pd_document_printf(d, "%s (%s)", name, file);
	if (row->next_name.id)
		name = pd_document_printf(d, "%s -> %s", name,
					  pd_strtab_get(&sizes->strings, row->next_name));
	return *module ? pd_document_printf(d, "%s [%s]", name, module)
		       : pd_document_text(d, name);
}

/* Of a text that tells the difference alone. */
static void fill_delta(double delta, struct pd_cell *cells)
{
	cells[0] = cells[1] = cells[3] = (struct pd_cell){PD_UNKNOWN, "?"};
	cells[2].number = delta;
}

static void fill_numbers(const double n_bytes[2], struct pd_cell *cells)
{
	double delta = pd_size_delta(n_bytes);

	cells[0].number = n_bytes[0];
	cells[1].number = n_bytes[1];
	cells[2].number = delta;
	if (!pd_is_known(n_bytes[0]) || !pd_is_known(n_bytes[1]))
		cells[3].text = pd_is_known(n_bytes[1]) ? "new" : "gone";
	else if (n_bytes[0] > 0)
		cells[3].number = 100 * delta / n_bytes[0];
}

/* "(.text -> .init.text)" behind the name of what moved. */
static const char *moved_text(struct pd_document *d, const struct pd_sizes *sizes,
			      const struct pd_size_row *row)
{
	const struct pd_size_part *hot = &sizes->parts[row->first_part];
	const struct pd_image *image = sizes->sides[0].images[row->images[0]];
	pd_str from = image->sections[image->symbols[hot->symbols[0]].section].name;

	return pd_document_printf(d, " (%s -> %s%s)", pd_strtab_get(&image->strings, from),
				  pd_strtab_get(&sizes->strings, row->section),
				  row->code == PD_SIZE_CODE_SAME ? ", same code" : "");
}

static void add_children(struct pd_document *d, const struct pd_sizes *sizes,
			 const struct pd_size_row *row, const struct pd_view_options *options,
			 struct pd_table *t)
{
	for (uint32_t i = 0; i < row->n_parts && row->n_parts > 1; i++) {
		const struct pd_size_part *part = &sizes->parts[row->first_part + i];
		struct pd_table_row *child;

		if (pd_size_delta(part->n_bytes) == 0)
			continue;
		child = pd_table_add_row(d, t, PD_ROW_CHILD);
		if (!child)
			return;
		fill_numbers(part->n_bytes, child->cells);
		child->cells[4].text = pd_document_text(
			d, shown_name(sizes, part->name, part->demangled, options));
	}
}

static const char *title_of_rows(const struct pd_sizes *sizes, bool objects)
{
	static const char *const titles[] = {"function", "file", "folder", "section",
					      "MAINTAINERS section"};

	return objects ? "object" : titles[sizes->by];
}

int pd_sizes_add_rows(struct pd_document *d, const struct pd_sizes *sizes, bool objects,
		      const struct pd_view_options *options, struct pd_error *err)
{
	struct order o = {0};
	struct pd_table *t;
	int rc = make_order(d, sizes, objects, options, &o, err);
	const char *title = title_of_rows(sizes, objects);

	if (rc != PD_OK || !o.n)
		return rc;
	t = pd_document_add_table(d, objects ? "objects:" : NULL);
	pd_table_add_column(d, t, "base", pd_document_text(d, sizes->sides[0].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", pd_document_text(d, sizes->sides[1].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "change", "change", PD_STYLE_PERCENT, 1);
	pd_table_add_column(d, t, title, title, PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < o.n && t; i++) {
		const struct pd_size_row *from = &sizes->rows[o.rows[i]];
		struct pd_table_row *row;

		if (i == o.break_at)
			(void)pd_table_add_row(d, t, PD_ROW_BREAK);
		row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		if (!row)
			break;
		if (sizes->has_deltas_only)
			fill_delta(from->told_delta, row->cells);
		else
			fill_numbers(from->n_bytes, row->cells);
		row->cells[4].text = name_of(d, sizes, o.rows[i], options);
		if (from->status == PD_SIZE_MOVED)
			row->cells[4].text = pd_document_printf(d, "%s%s", row->cells[4].text,
								moved_text(d, sizes, from));
		add_children(d, sizes, from, options, t);
	}
	if (o.n_hidden)
		pd_document_add_text(d, pd_document_printf(d, "%u changed %ss not shown; --top=N "
							   "shows N in each direction.",
							   o.n_hidden, title));
	return PD_OK;
}

/* "2->0" */
static const char *pair_text(struct pd_document *d, const double x[2])
{
	return pd_document_printf(d, "%s->%s", pd_is_known(x[0]) ? fixed(d, x[0], 0) : "-",
				  pd_is_known(x[1]) ? fixed(d, x[1], 0) : "-");
}

/* Which bytes are printed: those of nested instances are in all around them, too. */
static void add_inline_totals(struct pd_document *d, const struct pd_size_totals *t)
{
	pd_document_add_text(
		d, pd_document_printf(d, "instances %s, of which %s have no code; their bytes, "
				      "what was inlined into them included, %s; of outermost ones "
				      "%s. callers: what functions with other instances than "
				      "before grew by.",
				      pair_text(d, t->n_inlines),
				      pair_text(d, t->n_inlines_without_code),
				      pair_text(d, t->inline_bytes),
				      pair_text(d, t->outermost_bytes)));
}

void pd_sizes_add_inlines(struct pd_document *d, const struct pd_sizes *sizes,
			const struct pd_view_options *options)
{
	uint32_t n = options->has_top ? options->n_top : TOP_INLINES, n_shown = 0;
	struct pd_table *t;

	if (!sizes->n_inlines)
		return;
	t = pd_document_add_table(d, "inlined functions whose instances or bodies changed:");
	pd_table_add_column(d, t, "instances", "instances", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "callers", "callers", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "inlined", "inlined", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "body", "body", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "callers-delta", "callers", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "net", "net", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "function", "function", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < sizes->n_inlines && t; i++) {
		const struct pd_inline_row *from = &sizes->inlines[i];
		struct pd_table_row *row;

		/* A change of place alone is no story. */
		if (from->n_instances[0] == from->n_instances[1] && !from->has_become_body &&
		    !from->has_become_inline)
			continue;
		if (n && n_shown++ >= n)
			continue;
		row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		if (!row)
			break;
		row->cells[0].text = pair_text(d, from->n_instances);
		row->cells[1].text = pair_text(d, from->n_callers);
		row->cells[2].text = pair_text(d, from->n_bytes);
		row->cells[3].text = pair_text(d, from->body_bytes);
		row->cells[4].number = from->callers_delta;
		row->cells[5].number = from->net;
		row->cells[6].text = pd_document_printf(
			d, "%s%s", shown_name(sizes, from->name, from->demangled, options),
			from->has_become_body	   ? " (became out of line)"
			: from->has_become_inline ? " (inlined everywhere)"
						   : "");
	}
	if (n && n_shown > n)
		pd_document_add_text(d, pd_document_printf(d, "%u more inlined functions are not "
							   "shown.", n_shown - n));
	add_inline_totals(d, &sizes->totals);
}

/* All rows, for programs. */
static void add_data(struct pd_document *d, const struct pd_sizes *sizes)
{
	static const char *const texts[] = {"kind", "status", "section", "module", "file", "name"};
	struct pd_table *t = pd_document_add_data(d);

	pd_table_add_column(d, t, "base", "base", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", "next", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		pd_table_add_column(d, t, texts[i], texts[i], PD_STYLE_TEXT, 0);
	if (sizes->has_code)
		pd_table_add_column(d, t, "code", "code", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < sizes->n_rows && t; i++) {
		const struct pd_size_row *from = &sizes->rows[i];
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		const pd_str names[] = {from->section, from->module, from->file, from->name};

		if (!row)
			return;
		row->cells[0].number = from->n_bytes[0];
		row->cells[1].number = from->n_bytes[1];
		row->cells[2].number = pd_size_row_delta(from);
		row->cells[3].text = pd_size_kind_name(from);
		row->cells[4].text = pd_size_status_name(from->status);
		for (int k = 0; k < 4; k++)
			row->cells[5 + k].text =
				pd_document_text(d, pd_strtab_get(&sizes->strings, names[k]));
		if (sizes->has_code)
			row->cells[9].text = pd_size_code_name(from->code);
	}
}

int pd_report_sizes(const struct pd_sizes *sizes, const struct pd_view_options *options,
		    const struct pd_diags *diags, struct pd_document **ret_document,
		    struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);
	int rc = d ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK) {
		pd_sizes_add_headline(d, sizes);
		add_notes(d, sizes);
		rc = pd_sizes_add_rows(d, sizes, false, options, err);
	}
	if (rc == PD_OK && options->has_data)
		rc = pd_sizes_add_rows(d, sizes, true, options, err);
	if (rc == PD_OK) {
		if (!sizes->is_text)
			pd_sizes_add_accounts(d, sizes);
		pd_sizes_add_inlines(d, sizes, options);
		pd_size_code_add(d, sizes);
		add_data(d, sizes);
		pd_schema_add_head(d, "size", diags);
		pd_schema_add_sizes(d, sizes);
		rc = d->failed ? pd_fail_nomem(err) : PD_OK;
	}
	if (rc != PD_OK) {
		pd_document_free(d);
		return rc;
	}
	*ret_document = d;
	return PD_OK;
}
