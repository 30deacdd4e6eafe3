/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes: what is done in which order. Contract: sizes.h.
 */
#include "analysis/sizes.h"

#include <regex.h>
#include <stdlib.h>

#include "analysis/code.h"
#include "base/num.h"
#include "base/suggest.h"
#include "image/demangle.h"

void pd_sizes_free(struct pd_sizes *sizes)
{
	if (!sizes)
		return;
	pd_strtab_done(&sizes->strings);
	pd_arena_done(&sizes->arena);
	free(sizes);
}

const char *pd_size_status_name(enum pd_size_status status)
{
	static const char *const names[] = {"same", "grown", "shrunk", "new", "gone", "moved"};

	return names[status];
}

const char *pd_size_kind_name(const struct pd_size_row *row)
{
	return row->is_sum ? "sum" : row->is_object ? "object" : "function";
}

/* A name without mangling; none if it has none. */
static pd_str demangle_name(struct pd_sizes *sizes, pd_str name, struct pd_buf *buf)
{
	struct pd_span s = pd_strtab_span(&sizes->strings, name);

	if (!pd_span_starts(s, "_Z") && !pd_span_starts(s, "_R") && !pd_span_starts(s, "__Z"))
		return (pd_str){0};
	return pd_strtab_intern(&sizes->strings, pd_demangle(s, buf));
}

/* The names that people see. */
static void demangle(struct pd_sizes *sizes)
{
	struct pd_buf buf = {0};

	for (uint32_t i = 0; i < sizes->n_rows; i++)
		sizes->rows[i].demangled = demangle_name(sizes, sizes->rows[i].name, &buf);
	for (uint32_t i = 0; i < sizes->n_parts; i++)
		sizes->parts[i].demangled = demangle_name(sizes, sizes->parts[i].name, &buf);
	for (uint32_t i = 0; i < sizes->n_inlines; i++)
		sizes->inlines[i].demangled =
			demangle_name(sizes, sizes->inlines[i].name, &buf);
	pd_buf_done(&buf);
}

int pd_sizes_fail_function(const struct pd_sizes *sizes, const char *option, const char *function,
			   struct pd_error *err)
{
	struct pd_suggestion near = pd_suggest_for(pd_span_of(function));
	struct pd_buf text = {0};
	int rc;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images; i++) {
			const struct pd_image *image = sizes->sides[side].images[i];

			for (uint32_t k = 0; k < image->n_symbols; k++)
				if (image->symbols[k].kind == PD_SYMBOL_FUNCTION)
					pd_suggest_offer(&near,
							 pd_strtab_span(&image->strings,
									image->symbols[k].name));
		}
	rc = pd_fail(err, PD_ERR_USAGE, "--%s: neither image has a function \"%s\"%s", option,
		     function, pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
	return rc;
}

static int check_images(const struct pd_size_side sides[2], struct pd_error *err)
{
	const struct pd_image *first = NULL;

	for (int side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sides[side].n_images; i++) {
			const struct pd_image *image = sides[side].images[i];

			if (!image->elf_machine)
				continue; /* a listing is of any */
			if (!first)
				first = image;
			if (image->elf_machine != first->elf_machine ||
			    image->is_64bit != first->is_64bit ||
			    image->is_big_endian != first->is_big_endian)
				return pd_fail(err, PD_ERR_MISMATCH,
					       "images of different machines: %s is %s %d-bit "
					       "%s-endian, %s is %s %d-bit %s-endian",
					       first->path, first->machine,
					       first->is_64bit ? 64 : 32,
					       first->is_big_endian ? "big" : "little",
					       image->path, image->machine,
					       image->is_64bit ? 64 : 32,
					       image->is_big_endian ? "big" : "little");
		}
	return PD_OK;
}

static void find_abilities(struct pd_sizes *sizes)
{
	sizes->has_files = sizes->has_inlines = true;
	for (int side = 0; side < 2; side++) {
		const struct pd_size_side *s = &sizes->sides[side];

		for (uint32_t i = 0; i < s->n_images; i++) {
			sizes->has_files &= s->images[i]->has_files;
			sizes->has_inlines &= s->images[i]->has_inlines;
			sizes->is_approximate |= s->images[i]->is_approximate;
			sizes->totals.file_bytes[side] += s->images[i]->file_bytes ?
				(double)s->images[i]->file_bytes : PD_UNKNOWN;
		}
	}
}

static void count(struct pd_size_totals *t, const struct pd_size_row *row)
{
	double delta = pd_size_row_delta(row);

	switch (row->status) {
	case PD_SIZE_NEW:
		t->n_new++;
		t->added += delta;
		break;
	case PD_SIZE_GONE:
		t->n_gone++;
		t->gone += delta;
		break;
	case PD_SIZE_SAME:
	case PD_SIZE_GROWN:
	case PD_SIZE_SHRUNK:
	case PD_SIZE_MOVED:
		t->n_grown += delta > 0;
		t->grown += delta > 0 ? delta : 0;
		t->n_shrunk += delta < 0;
		t->shrunk += delta < 0 ? delta : 0;
		break;
	}
}

static void count_functions(struct pd_sizes *sizes)
{
	struct pd_size_totals *t = &sizes->totals;

	for (uint32_t i = 0; i < sizes->n_rows; i++) {
		const struct pd_size_row *row = &sizes->rows[i];

		if (row->is_object)
			continue;
		count(t, row);
		if (sizes->is_text)
			continue; /* what did not change is not there */
		for (int side = 0; side < 2; side++) {
			t->n_functions[side] += pd_is_known(row->n_bytes[side]);
			t->function_bytes[side] +=
				pd_is_known(row->n_bytes[side]) ? row->n_bytes[side] : 0;
		}
	}
}

static int compile(const char *text, const char *option, regex_t *ret_re, struct pd_error *err)
{
	char message[200];
	int rc = text ? regcomp(ret_re, text, REG_EXTENDED | REG_NOSUB) : 0;

	if (!rc)
		return PD_OK;
	(void)regerror(rc, ret_re, message, sizeof(message));
	return pd_fail(err, PD_ERR_USAGE, "%s: %s", option, message);
}

/* Rows that the user's expressions leave; sections keep what is in them. */
static int filter(struct pd_sizes *sizes, const struct pd_size_options *o, struct pd_error *err)
{
	regex_t keep, drop;
	uint32_t n = 0;
	int rc = compile(o->filter, "--filter", &keep, err);

	if (rc != PD_OK)
		return rc;
	rc = compile(o->exclude, "--exclude", &drop, err);
	for (uint32_t i = 0; i < sizes->n_rows && rc == PD_OK; i++) {
		const char *name = pd_strtab_get(&sizes->strings, sizes->rows[i].name);

		if ((!o->filter || !regexec(&keep, name, 0, NULL, 0)) &&
		    (!o->exclude || regexec(&drop, name, 0, NULL, 0)))
			sizes->rows[n++] = sizes->rows[i];
	}
	if (rc == PD_OK)
		sizes->n_rows = n;
	if (o->filter)
		regfree(&keep);
	if (o->exclude && rc == PD_OK)
		regfree(&drop);
	return rc;
}

int pd_sizes_compare(const struct pd_size_side sides[2], const struct pd_size_options *options,
		     struct pd_sizes **ret_sizes, struct pd_error *err)
{
	struct pd_sizes *sizes = calloc(1, sizeof(*sizes));
	int rc = sizes ? check_images(sides, err) : pd_fail_nomem(err);

	if (rc == PD_OK) {
		sizes->sides = sides;
		sizes->by = options->by;
		sizes->pairs_code = options->pairs_code;
		find_abilities(sizes);
		rc = pd_sizes_pair(sizes, options, err);
	}
	if (rc == PD_OK)
		rc = pd_sizes_settle(sizes, err);
	if (rc == PD_OK && options->wants_code)
		rc = pd_sizes_compare_code(sizes, err);
	if (rc == PD_OK)
		rc = pd_sizes_account(sizes, err);
	if (rc == PD_OK && sizes->has_inlines)
		rc = pd_sizes_tell_inlines(sizes, err);
	if (rc == PD_OK)
		demangle(sizes);
	if (rc == PD_OK && (options->filter || options->exclude))
		rc = filter(sizes, options, err);
	if (rc == PD_OK) {
		count_functions(sizes);
		if (options->by != PD_SIZE_BY_FUNCTION)
			rc = pd_sizes_sum(sizes, options, err);
	}
	if (rc != PD_OK) {
		pd_sizes_free(sizes);
		return rc;
	}
	*ret_sizes = sizes;
	return PD_OK;
}

int pd_sizes_of_text(const struct pd_size_side sides[2], const struct pd_size_text *texts,
		     uint32_t n_texts, const struct pd_size_options *options,
		     struct pd_sizes **ret_sizes, struct pd_error *err)
{
	struct pd_sizes *sizes;
	int rc;

	if (options->by != PD_SIZE_BY_FUNCTION)
		return pd_fail(err, PD_ERR_USAGE, "--by: this text tells of functions alone");
	sizes = calloc(1, sizeof(*sizes));
	if (!sizes)
		return pd_fail_nomem(err);
	sizes->sides = sides;
	rc = pd_sizes_take_text(sizes, texts, n_texts, err);
	if (rc == PD_OK)
		demangle(sizes);
	if (rc == PD_OK && (options->filter || options->exclude))
		rc = filter(sizes, options, err);
	if (rc == PD_OK && sizes->strings.failed)
		rc = pd_fail_nomem(err);
	if (rc != PD_OK) {
		pd_sizes_free(sizes);
		return rc;
	}
	count_functions(sizes);
	if (sizes->has_deltas_only)
		sizes->totals.n_new = sizes->totals.n_gone = sizes->totals.added =
			sizes->totals.gone = PD_UNKNOWN;
	*ret_sizes = sizes;
	return PD_OK;
}
