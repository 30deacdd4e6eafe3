/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which symbols of two builds are one row. Contract: sizes.h.
 *
 * Symbols of both sides are sorted by what tells functions apart: the module, the
 * base name of the family, the source file. Those that are equal in all of it are
 * one row. Without DWARF a file is a base name and a number, that of the file
 * symbol among those of its name: the first is paired with the first.
 */
#include "analysis/sizes.h"

#include <stdlib.h>

#include "analysis/names.h"
#include "base/map.h"
#include "base/num.h"

/* One symbol on its way to a row; there is one for each, so they are small. */
struct entry {
	uint64_t n_bytes;
	pd_str module, base, file, name, section;
	uint32_t file_no; /* which of the files of that name, in its order */
	uint32_t image, symbol;
	uint8_t side;
	bool is_object;
	bool is_variant; /* its name is not the base name */
};

struct pairing {
	struct pd_sizes *sizes;
	const struct pd_size_options *options;
	struct pd_arena scratch;
	pd_str *families; /* [string]: the base name of it as a function's, or 0: itself */
	uint32_t n_families;
	pd_str *modules[2];    /* [image of the side] */
	struct entry *entries; /* [n] */
	size_t n;
	struct pd_buf text;
};

pd_str pd_sizes_string(const struct pd_sizes *sizes, uint32_t side, uint32_t image, pd_str s)
{
	return sizes->strings_of[side][image][s.id];
}

/* All strings of an image, one after the other as they lie in memory. */
static void copy_strings(struct pd_sizes *sizes, const struct pd_strtab *from, pd_str *ret_ids)
{
	enum { STEP = 256 };
	struct pd_span strings[STEP];

	if (!sizes->strings.n && pd_strtab_copy(&sizes->strings, from)) {
		for (uint32_t i = 1; i <= from->n; i++)
			ret_ids[i].id = i;
		return;
	}
	for (uint32_t first = 1, n; first <= from->n; first += n) {
		n = from->n - first + 1 < STEP ? from->n - first + 1 : STEP;
		for (uint32_t i = 0; i < n; i++)
			strings[i] = pd_strtab_span(from, (pd_str){first + i});
		pd_strtab_intern_all(&sizes->strings, strings, n, &ret_ids[first]);
	}
}

/*
 * The families of all strings. Most are names of functions, and of both sides: one
 * walk as they lie in memory is less than a look at each where a symbol has it.
 */
static bool find_families(struct pairing *p)
{
	struct pd_strtab *strings = &p->sizes->strings;
	uint32_t n = strings->n + 1;

	if (p->options->suffix == PD_SUFFIX_EXACT)
		return true;
	p->families = pd_arena_array(&p->scratch, n, sizeof(*p->families));
	if (!p->families)
		return false;
	memset(p->families, 0, n * sizeof(*p->families));
	for (uint32_t id = 1; id < n; id++) {
		struct pd_span name = pd_strtab_span(strings, (pd_str){id});
		struct pd_span base = pd_name_family(name, &p->text);

		/* Most names have no suffix. */
		if (base.len != name.len)
			p->families[id] = pd_strtab_intern(strings, base);
	}
	p->n_families = n;
	return true;
}

/* "a/b/core.c" -> "core.c": files as images without DWARF know them. */
static pd_str base_name(struct pd_sizes *sizes, pd_str file)
{
	struct pd_span path = pd_strtab_span(&sizes->strings, file);

	if (sizes->has_files || !memchr(path.ptr, '/', path.len))
		return file;
	return pd_strtab_intern(&sizes->strings, pd_span_behind_last(path, '/'));
}

/* Where a symbol is, and on a walk, where the next one may be. */
struct place {
	uint32_t side, image, symbol;
};

/* The next symbol that is to be in a row, and where it is; false: there are no more. */
static bool next_wanted(const struct pairing *p, struct place *next_io, struct place *ret_place)
{
	for (; next_io->side < 2; next_io->side++, next_io->image = 0) {
		const struct pd_size_side *side = &p->sizes->sides[next_io->side];

		for (; next_io->image < side->n_images; next_io->image++, next_io->symbol = 0) {
			const struct pd_image *image = side->images[next_io->image];

			while (next_io->symbol < image->n_symbols) {
				enum pd_symbol_kind kind = image->symbols[next_io->symbol].kind;

				*ret_place = *next_io;
				next_io->symbol++;
				if (kind == PD_SYMBOL_FUNCTION ||
				    (kind == PD_SYMBOL_OBJECT && p->options->wants_objects))
					return true;
			}
		}
	}
	return false;
}

static pd_str base_of(const struct pairing *p, const struct place *at)
{
	const struct pd_image *image = p->sizes->sides[at->side].images[at->image];
	pd_str name = pd_sizes_string(p->sizes, at->side, at->image,
				      image->symbols[at->symbol].name);

	return name.id < p->n_families && p->families[name.id].id ? p->families[name.id] : name;
}

static void set_entry(struct pairing *p, const struct place *at, pd_str base, struct entry *e)
{
	struct pd_sizes *sizes = p->sizes;
	const struct pd_image *image = sizes->sides[at->side].images[at->image];
	const struct pd_symbol *s = &image->symbols[at->symbol];
	pd_str name = pd_sizes_string(sizes, at->side, at->image, s->name);
	bool has_file = s->file.id && !p->sizes->has_listing;

	*e = (struct entry){
		.n_bytes = s->n_bytes,
		.module = p->modules[at->side][at->image],
		.base = base,
		.file = has_file ? base_name(sizes, pd_sizes_string(sizes, at->side, at->image,
								    s->file))
				 : (pd_str){0},
		.name = name,
		.section = pd_sizes_string(sizes, at->side, at->image,
					   image->sections[s->section].name),
		.file_no = has_file ? s->file_no : 0,
		.image = at->image,
		.symbol = at->symbol,
		.side = (uint8_t)at->side,
		.is_object = s->kind == PD_SYMBOL_OBJECT,
		.is_variant = base.id != name.id,
	};
}

/* In an order that all entries of one row are neighbours in. */
static int compare_keys(const struct entry *x, const struct entry *y)
{
	if (x->base.id != y->base.id)
		return x->base.id < y->base.id ? -1 : 1;
	if (x->module.id != y->module.id)
		return x->module.id < y->module.id ? -1 : 1;
	if (x->is_object != y->is_object)
		return x->is_object ? 1 : -1;
	if (x->file.id != y->file.id)
		return x->file.id < y->file.id ? -1 : 1;
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int d = compare_keys(x, y);

	if (d)
		return d;
	if (x->file_no != y->file_no)
		return x->file_no < y->file_no ? -1 : 1;
	if (x->name.id != y->name.id)
		return x->name.id < y->name.id ? -1 : 1;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	return x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

static bool is_sorted(const struct entry *entries, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (compare_entries(&entries[i - 1], &entries[i]) > 0)
			return false;
	return true;
}

/* Sort entries of one base name, most of them two, one a side. */
static void sort_group(struct entry *entries, size_t n)
{
	if (n > 1 && !is_sorted(entries, n))
		qsort(entries, n, sizeof(*entries), compare_entries);
}

/* A listing of names and sizes, of which no file is known. */
static bool is_listing(const struct pd_image *image)
{
	uint32_t i = 0;

	if (image->elf_machine)
		return false;
	while (i < image->n_symbols && !image->symbols[i].file.id)
		i++;
	return i == image->n_symbols;
}

static bool look_at_images(struct pairing *p)
{
	for (uint32_t side = 0; side < 2; side++) {
		const struct pd_size_side *s = &p->sizes->sides[side];

		for (uint32_t i = 0; i < s->n_images; i++)
			p->sizes->has_listing |= is_listing(s->images[i]);
		p->modules[side] = pd_arena_array(&p->scratch, s->n_images, sizeof(pd_str));
		for (uint32_t i = 0; i < s->n_images && p->modules[side]; i++)
			p->modules[side][i] = pd_strtab_intern_str(&p->sizes->strings,
								   s->modules[i]);
	}
	return p->modules[0] && p->modules[1];
}

/* The symbols that have a base name. */
struct bearers {
	uint32_t n;
	uint32_t last[2]; /* of each side, or PD_NO_INDEX */
	uint32_t begin;   /* the first of their entries, or PD_NO_INDEX: they are to have none */
};

static bool is_same_string(const struct pairing *p, pd_str base, pd_str next)
{
	return pd_sizes_string(p->sizes, 0, 0, base).id == pd_sizes_string(p->sizes, 1, 0, next).id;
}

/* One function a side, and they differ in nothing that a table of changes shows. */
static bool is_plain(const struct pairing *p, const struct bearers *b)
{
	const struct pd_image *base = p->sizes->sides[0].images[0];
	const struct pd_image *next = p->sizes->sides[1].images[0];
	const struct pd_symbol *s, *t;

	if (b->n != 2 || b->last[0] == PD_NO_INDEX || b->last[1] == PD_NO_INDEX)
		return false;
	s = &base->symbols[b->last[0]];
	t = &next->symbols[b->last[1]];
	return s->n_bytes == t->n_bytes && s->kind == PD_SYMBOL_FUNCTION && s->kind == t->kind &&
	       is_same_string(p, s->name, t->name) && is_same_string(p, s->file, t->file) &&
	       is_same_string(p, base->sections[s->section].name, next->sections[t->section].name);
}

/*
 * Where a table shows changes alone, nearly all functions are plain: they are counted,
 * and become no rows, which would only be dropped. For one image a side.
 */
static void drop_plain(struct pairing *p, struct bearers *bearers, const pd_str *bases, size_t n)
{
	struct pd_size_totals *t = &p->sizes->totals;

	for (size_t i = 0; i < n; i++) {
		struct bearers *b = &bearers[bases[i].id];

		if (!is_plain(p, b))
			continue;
		for (int side = 0; side < 2; side++) {
			const struct pd_image *image = p->sizes->sides[side].images[0];

			t->n_functions[side]++;
			t->function_bytes[side] += (double)image->symbols[b->last[side]].n_bytes;
		}
		b->n = 0;
	}
}

static bool may_drop_plain(const struct pairing *p)
{
	const struct pd_size_options *o = p->options;
	const struct pd_size_side *sides = p->sizes->sides;

	return o->wants_only_changes && !o->wants_code && !o->filter && !o->exclude &&
	       o->by == PD_SIZE_BY_FUNCTION && !p->sizes->has_inlines && sides[0].n_images == 1 &&
	       sides[1].n_images == 1 && p->modules[0][0].id == p->modules[1][0].id;
}

/* Which symbols each base name has, and the base names in the order of the walk; their number. */
static size_t find_bearers(const struct pairing *p, struct bearers *bearers, pd_str *bases)
{
	struct place next = {0}, at;
	size_t n = 0;

	for (; next_wanted(p, &next, &at); n++) {
		struct bearers *b;

		bases[n] = base_of(p, &at);
		b = &bearers[bases[n].id];
		if (!b->n++)
			b->last[0] = b->last[1] = PD_NO_INDEX;
		b->last[at.side] = at.symbol;
	}
	return n;
}

/* The entries in the order of their base names. */
static bool make_entries(struct pairing *p, struct bearers *bearers, uint32_t n_names,
			 const pd_str *bases)
{
	struct place next = {0}, at;

	for (uint32_t id = 0; id < n_names; id++) {
		struct bearers *b = &bearers[id];

		b->begin = b->n ? (uint32_t)p->n : PD_NO_INDEX;
		p->n += b->n;
		b->n = 0; /* from here on: that are there */
	}
	p->entries = pd_arena_array(&p->scratch, p->n, sizeof(*p->entries));
	if (!p->entries)
		return false;
	for (size_t i = 0; next_wanted(p, &next, &at); i++) {
		struct bearers *b = &bearers[bases[i].id];

		if (b->begin != PD_NO_INDEX)
			set_entry(p, &at, bases[i], &p->entries[b->begin + b->n++]);
	}
	for (uint32_t id = 0; id < n_names; id++)
		if (bearers[id].n > 1)
			sort_group(&p->entries[bearers[id].begin], bearers[id].n);
	return true;
}

static bool collect(struct pairing *p)
{
	uint32_t n_names = p->sizes->strings.n + 1;
	size_t n_symbols = 0, n;
	struct bearers *bearers;
	pd_str *bases;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < p->sizes->sides[side].n_images; i++)
			n_symbols += p->sizes->sides[side].images[i]->n_symbols;
	bases = pd_arena_array(&p->scratch, n_symbols, sizeof(*bases));
	bearers = pd_arena_array(&p->scratch, n_names, sizeof(*bearers));
	if (!bases || !bearers || n_symbols >= PD_NO_INDEX || !look_at_images(p))
		return false;
	memset(bearers, 0, n_names * sizeof(*bearers));
	n = find_bearers(p, bearers, bases);
	if (may_drop_plain(p))
		drop_plain(p, bearers, bases, n);
	return make_entries(p, bearers, n_names, bases);
}

/* The entries from there on that have its base name end there. */
static size_t group_end(const struct pairing *p, size_t from)
{
	size_t end = from + 1;

	while (end < p->n && p->entries[end].base.id == p->entries[from].base.id)
		end++;
	return end;
}

/*
 * Number the files of equal keys anew on each side, so that the first is paired
 * with the first, whatever stands between them.
 */
static void number_files(struct entry *entries, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t next[2] = {0, 0}, last[2] = {PD_NO_INDEX, PD_NO_INDEX};

		for (end = i; end < n && !compare_keys(&entries[i], &entries[end]); end++) {
			struct entry *e = &entries[end];

			if (last[e->side] != PD_NO_INDEX && last[e->side] != e->file_no)
				next[e->side]++;
			last[e->side] = e->file_no;
			e->file_no = next[e->side];
		}
	}
}

/*
 * A cold part is local even where its function is global, and then only the part
 * has a file: a variant without a function of its own in that file is of the
 * global function of the name, if one of the sides has such.
 */
static void join_global_variants(struct entry *entries, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		const struct entry *first = &entries[i];
		bool has_global = false;

		for (end = i; end < n && entries[end].module.id == first->module.id &&
		     entries[end].is_object == first->is_object; end++)
			has_global |= !entries[end].file.id && !entries[end].is_variant;
		for (size_t k = i, next; k < end && has_global && !first->is_object; k = next) {
			bool has_own = false;

			for (next = k; next < end && entries[next].file.id == entries[k].file.id;
			     next++)
				has_own |= !entries[next].is_variant;
			for (size_t m = k; m < next && !has_own; m++) {
				entries[m].file = (pd_str){0};
				entries[m].file_no = 0;
			}
		}
	}
}

/* Bring together what is one function, base name by base name. */
static void settle_groups(struct pairing *p)
{
	for (size_t i = 0, end; i < p->n; i = end) {
		struct entry *group = &p->entries[i];

		end = group_end(p, i);
		if (!p->sizes->has_files) {
			join_global_variants(group, end - i);
			sort_group(group, end - i);
		}
		number_files(group, end - i);
		sort_group(group, end - i);
	}
}

/* A new piece of the row at hand. */
static struct pd_size_part *new_part(struct pd_sizes *sizes, struct pd_size_row *row, pd_str name)
{
	struct pd_size_part *part = &sizes->parts[sizes->n_parts++];

	*part = (struct pd_size_part){
		.name = name,
		.n_bytes = {PD_UNKNOWN, PD_UNKNOWN},
		.symbols = {PD_NO_INDEX, PD_NO_INDEX},
	};
	row->n_parts++;
	return part;
}

static void set_part(struct pairing *p, struct pd_size_row *row, struct pd_size_part *part,
		     const struct entry *e)
{
	struct pd_sizes *sizes = p->sizes;

	part->symbols[e->side] = e->symbol;
	part->n_bytes[e->side] = (double)e->n_bytes;
	part->section = e->section;
	row->images[e->side] = e->image;
	row->n_bytes[e->side] = (pd_is_known(row->n_bytes[e->side]) ? row->n_bytes[e->side] : 0) +
				(double)e->n_bytes;
	sizes->rows_of[e->side][e->image][e->symbol] = (uint32_t)(row - sizes->rows);
}

/* Pieces of one name, those of the base first: each is paired with the next one's equal. */
static void add_parts(struct pairing *p, struct pd_size_row *row, const struct entry *entries,
		      size_t n)
{
	uint32_t first = p->sizes->n_parts;
	size_t n_base = 0;

	for (size_t i = 0; i < n; i++) {
		struct pd_size_part *part;

		n_base += !entries[i].side;
		if (!entries[i].side || i - n_base >= n_base)
			part = new_part(p->sizes, row, entries[i].name);
		else
			part = &p->sizes->parts[first + (i - n_base)];
		set_part(p, row, part, &entries[i]);
	}
}

/* The entries from there on that are one row end there. */
static size_t row_end(const struct pairing *p, size_t from)
{
	size_t end = from + 1;

	while (end < p->n && !compare_keys(&p->entries[from], &p->entries[end]) &&
	       p->entries[end].file_no == p->entries[from].file_no)
		end++;
	return end;
}

static bool make_rows(struct pairing *p)
{
	struct pd_sizes *sizes = p->sizes;

	sizes->rows = pd_arena_array(&sizes->arena, p->n + 1, sizeof(*sizes->rows));
	/* Some rows are joined afterwards, and their pieces copied. */
	sizes->parts = pd_arena_array(&sizes->arena, 2 * p->n + 1, sizeof(*sizes->parts));
	if (!sizes->rows || !sizes->parts)
		return false;
	for (size_t i = 0, end; i < p->n; i = end) {
		const struct entry *first = &p->entries[i];
		struct pd_size_row *row;

		end = row_end(p, i);
		row = &sizes->rows[sizes->n_rows++];
		*row = (struct pd_size_row){
			.name = first->base,
			.file = first->file,
			.module = first->module,
			.is_object = first->is_object,
			.n_bytes = {PD_UNKNOWN, PD_UNKNOWN},
			.images = {PD_NO_INDEX, PD_NO_INDEX},
			.first_part = sizes->n_parts,
		};
		for (size_t from = i, to; from < end; from = to) {
			for (to = from; to < end &&
			     p->entries[to].name.id == p->entries[from].name.id;)
				to++;
			add_parts(p, row, &p->entries[from], to - from);
		}
	}
	return true;
}

static bool make_maps(struct pd_sizes *sizes)
{
	for (uint32_t side = 0; side < 2; side++) {
		const struct pd_size_side *s = &sizes->sides[side];
		uint32_t **rows = pd_arena_array(&sizes->arena, s->n_images + 1, sizeof(*rows));
		pd_str **strings = pd_arena_array(&sizes->arena, s->n_images + 1,
						  sizeof(*strings));

		if (!rows || !strings)
			return false;
		sizes->rows_of[side] = rows;
		sizes->strings_of[side] = strings;
		for (uint32_t i = 0; i < s->n_images; i++) {
			size_t n = s->images[i]->n_symbols + (size_t)1;

			rows[i] = pd_arena_array(&sizes->arena, n, sizeof(*rows[i]));
			strings[i] = pd_arena_array(&sizes->arena,
						    s->images[i]->strings.n + (size_t)1,
						    sizeof(*strings[i]));
			if (!rows[i] || !strings[i])
				return false;
			memset(rows[i], 0xff, n * sizeof(*rows[i]));
			copy_strings(sizes, &s->images[i]->strings, strings[i]);
		}
	}
	return true;
}

int pd_sizes_pair(struct pd_sizes *sizes, const struct pd_size_options *options,
		  struct pd_error *err)
{
	struct pairing p = {.sizes = sizes, .options = options};
	bool ok = make_maps(sizes) && find_families(&p) && collect(&p);

	if (ok)
		settle_groups(&p);
	ok = ok && make_rows(&p) && !sizes->strings.failed;
	pd_arena_done(&p.scratch);
	pd_buf_done(&p.text);
	return ok ? PD_OK : pd_fail_nomem(err);
}
