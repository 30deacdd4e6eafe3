/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the bytes of sections went, in the view of sizes.
 */
#include <stddef.h>

#include "base/num.h"
#include "report/headline.h"
#include "report/sections.h"

static const char *whole(struct pd_document *d, double x)
{
	char buf[PD_NUM_LEN];

	return pd_document_printf(d, "%s", pd_num_fixed(x, 0, buf));
}

static bool is_moving(const struct pd_size_account *a)
{
	return a->n_bytes[0] != a->n_bytes[1] || a->grown != 0 || a->shrunk != 0 ||
	       a->added != 0 || a->gone != 0 || a->objects != 0 || a->padding != 0 ||
	       a->unnamed != 0;
}

static bool has_functions(const struct pd_size_account *a)
{
	return a->grown != 0 || a->shrunk != 0 || a->added != 0 || a->gone != 0;
}

/* The terms of an account that a table of sections has as columns. */
struct term {
	const char *title;
	size_t at; /* offset of the number */
	bool is_of_functions;
};

static const struct term terms[] = {
	{"grown", offsetof(struct pd_size_account, grown), true},
	{"shrunk", offsetof(struct pd_size_account, shrunk), true},
	{"new", offsetof(struct pd_size_account, added), true},
	{"gone", offsetof(struct pd_size_account, gone), true},
	{"objects", offsetof(struct pd_size_account, objects), false},
	{"padding", offsetof(struct pd_size_account, padding), false},
	{"unnamed", offsetof(struct pd_size_account, unnamed), false},
};

enum { N_TERMS = sizeof(terms) / sizeof(terms[0]) };

static double term_of(const struct pd_size_account *a, const struct term *term)
{
	return *(const double *)(const void *)((const char *)a + term->at);
}

static void fill_account(const struct pd_size_account *a, bool wants_functions, const char *name,
			 struct pd_cell *cells)
{
	(cells++)->number = a->n_bytes[1] - a->n_bytes[0];
	for (int i = 0; i < N_TERMS; i++)
		if (wants_functions || !terms[i].is_of_functions)
			(cells++)->number = term_of(a, &terms[i]);
	cells->text = name;
}

static void add_to_sum(const struct pd_size_account *a, struct pd_size_account *sum)
{
	for (int side = 0; side < 2; side++)
		sum->n_bytes[side] += a->n_bytes[side];
	sum->grown += a->grown;
	sum->shrunk += a->shrunk;
	sum->added += a->added;
	sum->gone += a->gone;
	sum->objects += a->objects;
	sum->padding += a->padding;
	sum->unnamed += a->unnamed;
}

/* Sections with functions that changed, or the others that did. */
static void add_account_table(struct pd_document *d, const struct pd_sizes *sizes,
			      bool wants_functions)
{
	struct pd_size_account sum = {0};
	struct pd_table *t = NULL;
	struct pd_table_row *row;

	for (uint32_t i = 0; i < sizes->n_accounts; i++) {
		const struct pd_size_account *a = &sizes->accounts[i];
		const char *module = pd_strtab_get(&sizes->strings, a->module);

		if (!is_moving(a) || has_functions(a) != wants_functions)
			continue;
		if (!t) {
			t = pd_document_add_table(d, wants_functions ? "sections with functions:"
								     : "other sections:");
			pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
			for (int k = 0; k < N_TERMS; k++)
				if (wants_functions || !terms[k].is_of_functions)
					pd_table_add_column(d, t, terms[k].title, terms[k].title,
							    PD_STYLE_DELTA, 0);
			pd_table_add_column(d, t, "section", "section", PD_STYLE_TEXT, 0);
		}
		row = t ? pd_table_add_row(d, t, PD_ROW_NORMAL) : NULL;
		if (!row)
			return;
		fill_account(a, wants_functions,
			     pd_document_printf(d, "%s%s%s%s",
						pd_strtab_get(&sizes->strings, a->section),
						*module ? " [" : "", module, *module ? "]" : ""),
			     row->cells);
		add_to_sum(a, &sum);
	}
	row = t ? pd_table_add_row(d, t, PD_ROW_REST) : NULL;
	if (row)
		fill_account(&sum, wants_functions, "together", row->cells);
}

/* Each line adds up: the section's difference is what its terms are together. */
void pd_sizes_add_accounts(struct pd_document *d, const struct pd_sizes *sizes)
{
	const double *files = sizes->totals.file_bytes;
	struct pd_size_account sum = {0};
	const char *of_files = "";

	add_account_table(d, sizes, true);
	add_account_table(d, sizes, false);
	for (uint32_t i = 0; i < sizes->n_accounts; i++)
		add_to_sum(&sizes->accounts[i], &sum);
	if (pd_is_known(files[1] - files[0]))
		of_files = pd_document_printf(d, "; files: %s -> %s bytes, %s", whole(d, files[0]),
					      whole(d, files[1]),
					      pd_signed_text(d, files[1] - files[0], 0));
	pd_document_add_text(
		d, pd_document_printf(d, "loaded: %s -> %s bytes, %s%s.", whole(d, sum.n_bytes[0]),
				      whole(d, sum.n_bytes[1]),
				      pd_signed_text(d, sum.n_bytes[1] - sum.n_bytes[0], 0),
				      of_files));
}
