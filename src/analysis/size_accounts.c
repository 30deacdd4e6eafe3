/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the bytes of each section went. Contract: sizes.h.
 *
 * On each side a section is functions, objects, markers, padding, and bytes that
 * no symbol names; where symbols overlap, the unnamed bytes are less by as much,
 * so that the sum is the section's size whatever the symbol table says.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sizes.h"
#include "base/map.h"
#include "base/num.h"
#include "image/padding.h"

/* A section of the two sides, found by module and name. */
struct accounts {
	struct pd_sizes *sizes;
	struct pd_map ids; /* (module, name) -> index */
	uint32_t **of[2];  /* [image of the side][its section]: index, once it is known */
	uint32_t n, cap;
	/* Of the row at hand: */
	double (*shares)[2]; /* [cap] its bytes in each section; 0 between rows */
	uint32_t *touched;   /* [cap] the first n_touched: which sections those are */
	uint32_t n_touched;
};

static struct pd_size_account *find_account(struct accounts *a, pd_str module, pd_str section)
{
	struct pd_sizes *sizes = a->sizes;
	uint64_t key = pd_map_key(module.id, section.id);
	uint32_t i = pd_map_find(&a->ids, key);

	if (i != PD_MAP_NONE)
		return &sizes->accounts[i];
	if (a->n == a->cap || pd_map_insert(&a->ids, key, a->n) == PD_MAP_NONE)
		return NULL;
	sizes->accounts[a->n] = (struct pd_size_account){.section = section, .module = module};
	return &sizes->accounts[a->n++];
}

static void add_hole(struct pd_hole_reader *holes, const struct pd_section *s, uint64_t from,
		     uint64_t to, uint32_t side, struct pd_size_account *a)
{
	if (pd_hole_is_padding(holes, s, from, to))
		a->padding_bytes[side] += (double)(to - from);
	else
		a->unnamed_bytes[side] += (double)(to - from);
}

/* Symbols that are no functions. */
static void add_other(const struct pd_symbol *symbol, uint32_t side, struct pd_size_account *a)
{
	if (symbol->kind == PD_SYMBOL_OBJECT)
		a->object_bytes[side] += (double)symbol->n_bytes;
	if (symbol->kind == PD_SYMBOL_MARKER)
		a->marker_bytes[side] += (double)symbol->n_bytes;
	if (symbol->kind == PD_SYMBOL_PADDING)
		a->padding_bytes[side] += (double)symbol->n_bytes;
}

/*
 * The symbols [from, to) of the image are those of the section, by address. A
 * section of a listing is what its symbols are together, without holes.
 */
static void add_section(const struct pd_image *image, struct pd_hole_reader *holes,
			const struct pd_section *s, uint32_t from, uint32_t to, uint32_t side,
			struct pd_size_account *a)
{
	uint64_t end = 0; /* of what was seen of the section */
	bool has_places = image->elf_machine && !image->is_approximate;

	a->n_bytes[side] += (double)s->n_bytes;
	for (uint32_t i = from; i < to; i++)
		add_other(&image->symbols[i], side, a);
	for (uint32_t i = from; i < to && has_places; i++) {
		const struct pd_symbol *symbol = &image->symbols[i];
		uint64_t at = symbol->address - s->address, next;

		if (symbol->address < s->address || at > s->n_bytes)
			at = s->n_bytes; /* it lies: all of it is overlap */
		if (at > end)
			add_hole(holes, s, end, at, side, a);
		next = symbol->n_bytes < s->n_bytes - at ? at + symbol->n_bytes : s->n_bytes;
		/* What others cover already, or no section has, is taken back. */
		a->unnamed_bytes[side] -= (double)symbol->n_bytes -
					  (double)(next > end ? next - (at > end ? at : end) : 0);
		if (next > end)
			end = next;
		else if (at > end)
			end = at;
	}
	if (end < s->n_bytes && has_places)
		add_hole(holes, s, end, s->n_bytes, side, a);
}

static bool add_image(struct accounts *a, uint32_t side, uint32_t no)
{
	struct pd_sizes *sizes = a->sizes;
	const struct pd_image *image = sizes->sides[side].images[no];
	pd_str module = pd_strtab_intern_str(&sizes->strings, sizes->sides[side].modules[no]);
	uint32_t *of = calloc((size_t)image->n_sections + 1, sizeof(*of));
	struct pd_hole_reader *holes = pd_hole_reader_new(image);
	bool ok = of && holes;

	a->of[side][no] = of;
	for (uint32_t i = 0, from = 0, to; ok && i < image->n_sections; i++, from = to) {
		const struct pd_section *s = &image->sections[i];
		struct pd_size_account *account;

		for (to = from; to < image->n_symbols && image->symbols[to].section == i;)
			to++;
		/* Symbols of a section that lies of its size are to be accounted for, too. */
		if (from == to && (!s->is_loaded || !s->n_bytes))
			continue;
		account = find_account(a, module, pd_sizes_string(sizes, side, no, s->name));
		ok = account;
		if (!ok)
			break;
		of[i] = (uint32_t)(account - sizes->accounts);
		add_section(image, holes, s, from, to, side, account);
	}
	pd_hole_reader_free(holes);
	return ok;
}

/* What a row has in one section, on both sides. */
static void book(struct pd_size_account *a, const double n_bytes[2])
{
	double delta = n_bytes[1] - n_bytes[0];

	if (n_bytes[0] == 0)
		a->added += delta;
	else if (n_bytes[1] == 0)
		a->gone += delta;
	else if (delta > 0)
		a->grown += delta;
	else
		a->shrunk += delta;
}

/* A piece of the row at hand, on one side. */
static void add_part(struct accounts *a, const struct pd_size_row *row,
		     const struct pd_size_part *part, uint32_t side)
{
	uint32_t no = row->images[side];
	const struct pd_image *image = a->sizes->sides[side].images[no];
	uint32_t i = a->of[side][no][image->symbols[part->symbols[side]].section];

	/* Symbols have bytes, so that 0 is a section that was not touched yet. */
	if (a->shares[i][0] == 0 && a->shares[i][1] == 0)
		a->touched[a->n_touched++] = i;
	a->shares[i][side] += part->n_bytes[side];
}

/* The pieces of a row, each in its own section. */
static void add_row(struct accounts *a, const struct pd_size_row *row)
{
	a->n_touched = 0;
	for (uint32_t i = 0; i < row->n_parts; i++)
		for (uint32_t side = 0; side < 2; side++) {
			const struct pd_size_part *part = &a->sizes->parts[row->first_part + i];

			if (part->symbols[side] != PD_NO_INDEX)
				add_part(a, row, part, side);
		}
	for (uint32_t k = 0; k < a->n_touched; k++) {
		double *share = a->shares[a->touched[k]];

		book(&a->sizes->accounts[a->touched[k]], share);
		share[0] = share[1] = 0;
	}
}

int pd_sizes_account(struct pd_sizes *sizes, struct pd_error *err)
{
	struct accounts a = {.sizes = sizes};
	bool ok;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images; i++)
			a.cap += sizes->sides[side].images[i]->n_sections;
	sizes->accounts = pd_arena_array(&sizes->arena, (size_t)a.cap + 1,
					 sizeof(*sizes->accounts));
	a.shares = calloc((size_t)a.cap + 1, sizeof(*a.shares));
	a.touched = calloc((size_t)a.cap + 1, sizeof(*a.touched));
	for (uint32_t side = 0; side < 2; side++)
		a.of[side] = calloc((size_t)sizes->sides[side].n_images + 1, sizeof(*a.of[side]));
	ok = sizes->accounts && a.shares && a.touched && a.of[0] && a.of[1];
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images && ok; i++)
			ok = add_image(&a, side, i);
	for (uint32_t i = 0; i < sizes->n_rows && ok; i++)
		if (!sizes->rows[i].is_object)
			add_row(&a, &sizes->rows[i]);
	for (uint32_t side = 0; side < 2; side++) {
		for (uint32_t i = 0; i < sizes->sides[side].n_images && a.of[side]; i++)
			free(a.of[side][i]);
		free(a.of[side]);
	}
	pd_map_done(&a.ids);
	free(a.shares);
	free(a.touched);
	for (uint32_t i = 0; i < a.n; i++) {
		struct pd_size_account *account = &sizes->accounts[i];

		account->objects = account->object_bytes[1] - account->object_bytes[0];
		account->padding = account->padding_bytes[1] - account->padding_bytes[0];
		for (int side = 0; side < 2; side++)
			account->unnamed_bytes[side] += account->marker_bytes[side];
		account->unnamed = account->unnamed_bytes[1] - account->unnamed_bytes[0];
	}
	sizes->n_accounts = a.n;
	return ok && !sizes->strings.failed ? PD_OK : pd_fail_nomem(err);
}
