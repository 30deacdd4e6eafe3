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

/* What assemblers fill holes between functions with. */
enum filler {
	FILLER_UNKNOWN, /* only zeros are told from code */
	FILLER_X86,
	FILLER_ARM64,
};

static enum filler filler_of(const struct pd_image *image)
{
	if (!strcmp(image->machine, "AArch64"))
		return FILLER_ARM64;
	if (!strcmp(image->machine, "x86-64") || !strcmp(image->machine, "i386"))
		return FILLER_X86;
	return FILLER_UNKNOWN;
}

/*
 * Length of an instruction that does nothing at p, as assemblers fill holes with;
 * 0 if it is something else.
 */
static size_t nop_len(enum filler filler, const uint8_t *p, size_t n)
{
	static const uint8_t arm64_nop[] = {0x1f, 0x20, 0x03, 0xd5};
	size_t n_prefixes = 0;

	if (filler == FILLER_ARM64)
		return n >= 4 && !memcmp(p, arm64_nop, 4) ? 4 : 0;
	if (filler != FILLER_X86)
		return 0;
	if (*p == 0xcc || *p == 0x90)
		return 1;
	while (n_prefixes < n && (p[n_prefixes] == 0x66 || p[n_prefixes] == 0x2e))
		n_prefixes++;
	if (n_prefixes + 1 <= n && n_prefixes && p[n_prefixes] == 0x90)
		return n_prefixes + 1;
	if (n_prefixes + 3 > n || p[n_prefixes] != 0x0f || p[n_prefixes + 1] != 0x1f)
		return 0;
	/* The operand: none, of 1 byte or of 4, with or without a scaled index. */
	switch (p[n_prefixes + 2]) {
	case 0x00:
		return n_prefixes + 3;
	case 0x40:
		return n_prefixes + 4;
	case 0x44:
		return n_prefixes + 5;
	case 0x80:
		return n_prefixes + 7;
	case 0x84:
		return n_prefixes + 8;
	default:
		return 0;
	}
}

/* Whether eight bytes are the same filler. */
static bool is_filled(const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x == 0 || x == 0xccccccccccccccccu;
}

/* Whether nothing but what linkers and assemblers fill holes with is there. */
static bool is_padding(enum filler filler, const struct pd_section *s, uint64_t from,
		       uint64_t to)
{
	const uint8_t *p;

	if (!s->bytes)
		return true;
	for (p = s->bytes + from; p < s->bytes + to;) {
		size_t n = (size_t)(s->bytes + to - p), len;

		if (n >= 8 && is_filled(p)) { /* as most of most holes is */
			p += 8;
			continue;
		}
		len = *p ? nop_len(filler, p, n) : 1;
		if (!len)
			return false;
		p += len < n ? len : n;
	}
	return true;
}

static void add_hole(enum filler filler, const struct pd_section *s, uint64_t from,
		     uint64_t to, uint32_t side, struct pd_size_account *a)
{
	if (is_padding(filler, s, from, to))
		a->padding_bytes[side] += (double)(to - from);
	else
		a->unnamed_bytes[side] += (double)(to - from);
}

/* The bytes behind a symbol are looked at soon: only to save the wait for memory. */
static void expect_hole(const struct pd_section *s, const struct pd_symbol *symbol)
{
	uint64_t end = symbol->address - s->address + symbol->n_bytes;

	if (s->bytes && end < s->n_bytes)
		__builtin_prefetch(s->bytes + end);
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
static void add_section(const struct pd_image *image, const struct pd_section *s, uint32_t from,
			uint32_t to, uint32_t side, struct pd_size_account *a)
{
	enum { AHEAD = 16 };
	uint64_t end = 0; /* of what was seen of the section */
	bool has_places = image->elf_machine && !image->is_approximate;
	enum filler filler = filler_of(image);

	a->n_bytes[side] += (double)s->n_bytes;
	for (uint32_t i = from; i < to; i++)
		add_other(&image->symbols[i], side, a);
	for (uint32_t i = from; i < to && has_places; i++) {
		const struct pd_symbol *symbol = &image->symbols[i];
		uint64_t at = symbol->address - s->address, next;

		if (to - i > AHEAD)
			expect_hole(s, symbol + AHEAD);
		if (symbol->address < s->address || at > s->n_bytes)
			at = s->n_bytes; /* it lies: all of it is overlap */
		if (at > end)
			add_hole(filler, s, end, at, side, a);
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
		add_hole(filler, s, end, s->n_bytes, side, a);
}

static bool add_image(struct accounts *a, uint32_t side, uint32_t no)
{
	struct pd_sizes *sizes = a->sizes;
	const struct pd_image *image = sizes->sides[side].images[no];
	pd_str module = pd_strtab_intern_str(&sizes->strings, sizes->sides[side].modules[no]);
	uint32_t *of = calloc((size_t)image->n_sections + 1, sizeof(*of));

	if (!of)
		return false;
	a->of[side][no] = of;
	for (uint32_t i = 0, from = 0, to; i < image->n_sections; i++, from = to) {
		const struct pd_section *s = &image->sections[i];
		struct pd_size_account *account;

		for (to = from; to < image->n_symbols && image->symbols[to].section == i;)
			to++;
		/* Symbols of a section that lies of its size are to be accounted for, too. */
		if (from == to && (!s->is_loaded || !s->n_bytes))
			continue;
		account = find_account(a, module, pd_sizes_string(sizes, side, no, s->name));
		if (!account)
			return false;
		of[i] = (uint32_t)(account - sizes->accounts);
		add_section(image, s, from, to, side, account);
	}
	return true;
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
