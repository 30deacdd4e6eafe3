/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings of symbols. Contract: listing.h; rows: listing_rows.h.
 */
#include "image/listing.h"

#include <stdlib.h>

#include "base/num.h"
#include "image/listing_rows.h"
#include "io/lines.h"

/* A longer way to the next symbol leads out of the section. */
static const uint64_t max_distance = 64u << 20;

/* ---- types and sections ---- */

enum base { BASE_TEXT, BASE_DATA, BASE_RODATA, BASE_BSS, N_BASES };

static const char *const base_names[N_BASES] = {".text", ".data", ".rodata", ".bss"};

struct pd_listing_section {
	pd_str place;
	enum base base;
};

/* What a type of nm says; false: nothing that has a size here. */
static bool read_type(char type, struct pd_raw_symbol *s, enum base *ret_base)
{
	/* Lower case is local, but where there is no such pair of types. */
	static const char types[] = "tTwWidDgGuvVrRbBsS";
	static const char bases[] = "tttttdddddddrrbbbb";
	const char *found = type ? strchr(types, type) : NULL;
	char base;

	if (!found)
		return false;
	/* Weak symbols that are not defined are listed in lower case, and have no address. */
	if ((type == 'w' || type == 'v') && !s->address)
		return false;
	base = bases[found - types];
	*ret_base = base == 't' ? BASE_TEXT : base == 'd' ? BASE_DATA :
		base == 'r' ? BASE_RODATA : BASE_BSS;
	s->kind = *ret_base == BASE_TEXT ? PD_SYMBOL_FUNCTION : PD_SYMBOL_OBJECT;
	s->is_weak = strchr("wWvV", type);
	s->is_global = !s->is_weak && (strchr("iu", type) || !(type >= 'a' && type <= 'z'));
	return true;
}

/* Room for one more element of that size; false if there is no memory. */
static bool grow(void **array, uint32_t n, uint32_t *cap, size_t size)
{
	uint32_t wanted = *cap ? *cap * 2 : 64;
	void *bigger;

	if (n < *cap)
		return true;
	bigger = wanted > *cap ? reallocarray(*array, wanted, size) : NULL;
	if (!bigger)
		return false;
	*array = bigger;
	*cap = wanted;
	return true;
}

/* The index of a section, which is made if it is new; false if there is no memory. */
static bool find_section(struct pd_listing *l, pd_str place, enum base base, uint32_t *ret_i)
{
	void *sections = l->sections;
	bool has_room = grow(&sections, l->n_sections, &l->cap_sections, sizeof(*l->sections));

	l->sections = sections;
	if (!has_room)
		return false;
	*ret_i = pd_map_insert(&l->section_of, pd_map_key(place.id, base), l->n_sections);
	if (*ret_i == l->n_sections)
		l->sections[l->n_sections++] = (struct pd_listing_section){place, base};
	return *ret_i != PD_MAP_NONE;
}

int pd_listing_add(struct pd_listing *l, const struct pd_listed_symbol *s, struct pd_error *err)
{
	struct pd_raw_symbol raw = {.address = s->address, .n_bytes = s->n_bytes, .file = s->file};
	void *array = l->raw;
	enum base base;

	if (!read_type(s->type, &raw, &base) || !s->name.len || pd_symbol_is_mapping(s->name))
		return PD_OK;
	if (l->n >= l->limits->n_functions)
		return pd_fail(err, PD_ERR_LIMIT,
			       "more than %u symbols; --max-functions raises this limit",
			       l->limits->n_functions);
	if (!grow(&array, l->n, &l->cap, sizeof(raw)))
		return pd_fail_nomem(err);
	l->raw = array;
	raw.name = pd_strtab_intern(&l->image->strings, s->name);
	raw.kind = pd_symbol_kind_of_name(s->name, raw.kind);
	if (l->image->strings.failed || !find_section(l, s->place, base, &raw.section))
		return pd_fail_nomem(err);
	l->has_sizes |= raw.n_bytes != 0;
	l->raw[l->n++] = raw;
	return PD_OK;
}

void pd_listing_done(struct pd_listing *l)
{
	free(l->raw);
	free(l->sections);
	pd_map_done(&l->section_of);
	*l = (struct pd_listing){0};
}

/* ---- sizes ---- */

static uint32_t place_of(const struct pd_listing *l, uint32_t i)
{
	return l->sections[l->raw[i].section].place.id;
}

/* Addresses of one module or file are one row of numbers, whatever the section. */
static int compare_places(const void *pa, const void *pb, void *listing)
{
	const struct pd_raw_symbol *a = pa, *b = pb;
	const struct pd_listing *l = listing;
	uint32_t place_a = l->sections[a->section].place.id;
	uint32_t place_b = l->sections[b->section].place.id;

	if (place_a != place_b)
		return place_a < place_b ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static uint32_t same_address_end(const struct pd_listing *l, uint32_t from)
{
	uint32_t end = from + 1;

	while (end < l->n && l->raw[end].address == l->raw[from].address &&
	       place_of(l, end) == place_of(l, from))
		end++;
	return end;
}

/* Which base sections the symbols from..end are of, as bits; markers count if asked for. */
static uint32_t bases_of(const struct pd_listing *l, uint32_t from, uint32_t end, bool with_markers)
{
	uint32_t bases = 0;

	for (uint32_t i = from; i < end; i++)
		if (with_markers || l->raw[i].kind != PD_SYMBOL_MARKER)
			bases |= 1u << l->sections[l->raw[i].section].base;
	return bases;
}

/*
 * The bytes up to the next address belong to one section, though the end of one is
 * the beginning of another:
 *
 *	1000 t exit_foo
 *	1040 D __table_end       where .data would end if it were not empty,
 *	1040 t exit_bar          and these bytes are of .text, as at 1000 and 1080
 *	1080 t exit_baz
 *
 * Markers have bytes only where nothing else begins.
 */
static void measure_address(struct pd_listing *l, uint32_t from, uint32_t end, uint32_t next_bases,
			    uint64_t distance)
{
	uint32_t bases = bases_of(l, from, end, false);
	bool is_of_markers = !bases;

	if (is_of_markers)
		bases = bases_of(l, from, end, true);
	if (bases & next_bases)
		bases &= next_bases;
	bases &= -bases; /* the first one */
	for (uint32_t i = from; i < end; i++) {
		struct pd_raw_symbol *s = &l->raw[i];
		bool has_bytes = (bases >> l->sections[s->section].base & 1) &&
				 (is_of_markers || s->kind != PD_SYMBOL_MARKER);

		s->n_bytes = has_bytes ? distance : 0;
	}
}

/* Sizes as distances. Each symbol is looked at a fixed number of times. */
static void measure(struct pd_listing *l)
{
	if (l->n > 1)
		qsort_r(l->raw, l->n, sizeof(*l->raw), compare_places, l);
	for (uint32_t i = 0, end; i < l->n; i = end) {
		uint64_t distance = 0;
		uint32_t next_bases = 0;

		end = same_address_end(l, i);
		if (end < l->n && place_of(l, end) == place_of(l, i)) {
			distance = l->raw[end].address - l->raw[i].address;
			next_bases = bases_of(l, end, same_address_end(l, end), true);
		}
		measure_address(l, i, end, next_bases, distance > max_distance ? 0 : distance);
	}
}

/* ---- the image ---- */

static int fill_sections(struct pd_listing *l, struct pd_error *err)
{
	struct pd_image *image = l->image;
	struct pd_section *sections =
		pd_arena_array(&image->arena, l->n_sections, sizeof(*sections));

	if (!sections)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < l->n_sections; i++) {
		const struct pd_listing_section *s = &l->sections[i];
		const char *place = pd_strtab_get(&image->strings, s->place);
		const char *name = pd_arena_printf(&image->arena, "%s%s%s", place,
						   s->place.id ? " " : "", base_names[s->base]);

		if (!name)
			return pd_fail_nomem(err);
		sections[i] = (struct pd_section){
			.name = pd_strtab_intern_str(&image->strings, name),
			.is_loaded = true,
			.is_code = s->base == BASE_TEXT,
			.is_writable = s->base == BASE_DATA || s->base == BASE_BSS,
		};
	}
	if (image->strings.failed)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < image->n_symbols; i++)
		sections[image->symbols[i].section].n_bytes += image->symbols[i].n_bytes;
	image->sections = sections;
	image->n_sections = l->n_sections;
	return PD_OK;
}

static bool is_hidden(const struct pd_listing *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->raw[i].address)
			return false;
	return l->n > 1;
}

int pd_listing_finish(struct pd_listing *l, struct pd_error *err)
{
	int rc;

	if (!l->has_sizes && is_hidden(l))
		return pd_fail(err, PD_ERR_EMPTY,
			       "all addresses are 0, as /proc/kallsyms has them for users without "
			       "privileges: read it as root, and see kernel.kptr_restrict");
	if (!l->has_sizes)
		measure(l);
	rc = pd_symbols_settle(l->image, l->raw, l->n, err);
	if (rc == PD_OK && !l->image->n_symbols)
		rc = pd_fail(err, PD_ERR_EMPTY,
			     "a listing of symbols, %u of them defined, and none has a size", l->n);
	if (rc == PD_OK)
		rc = fill_sections(l, err);
	if (rc == PD_OK)
		l->image->is_approximate = !l->has_sizes;
	return rc;
}

/* ---- reading ---- */

struct reader {
	struct pd_listing listing;
	pd_str file; /* of the last heading */
	uint32_t n_headings;
	bool has_rows_before; /* any heading */
	bool is_mail;         /* what is no row is text */
	/* What tells sizes in the place of addresses. */
	bool is_descending_somewhere, has_undefined;
	uint64_t first, last;
};

static void note_value(struct reader *r, const struct pd_listed_row *row)
{
	bool is_first = !r->listing.n;

	r->is_descending_somewhere |= !is_first && row->address < r->last;
	r->first = is_first ? row->address : r->first;
	r->last = row->address;
}

/*
 * Whether the values are sizes: they ascend from a small one that is not 0. So do
 * addresses of a small program, but these have all code in one place.
 */
static bool has_sizes_for_addresses(const struct reader *r)
{
	enum { SMALL = 4096, MIN_PLACES = 3 };
	const struct pd_listing *l = &r->listing;
	uint32_t n_code = 0, n_places = 0;

	if (l->has_sizes || r->is_descending_somewhere || r->has_undefined || r->n_headings ||
	    !r->first || r->first >= SMALL)
		return false;
	for (uint32_t i = 0; i < l->n; i++) {
		bool is_code = l->sections[l->raw[i].section].base == BASE_TEXT;

		n_code += is_code;
		n_places += is_code && (!i || l->sections[l->raw[i - 1].section].base != BASE_TEXT);
	}
	return n_code == l->n || !n_code || n_places >= MIN_PLACES;
}

/* Each symbol has a place of its own then. */
static void take_sizes(struct reader *r, struct pd_diags *diags)
{
	struct pd_listing *l = &r->listing;
	uint64_t address = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		l->raw[i].n_bytes = l->raw[i].address;
		l->raw[i].address = address;
		address += l->raw[i].n_bytes;
	}
	l->has_sizes = true;
	pd_diags_add(diags, PD_NOTE, "size-sort", l->image->path, 0,
		     "its values ascend from a small one: taken for sizes, as nm --size-sort "
		     "prints them");
}

/* "inode.o:", "fs/lib.a[inode.o]:" -> "inode.o" */
static struct pd_span file_of_heading(struct pd_span line)
{
	struct pd_span file = pd_span_sub(line, 0, line.len - 1);
	size_t bracket = pd_span_find_last(file, '[');

	if (pd_span_starts(file, "Symbols from ")) /* of sysv */
		file = pd_span_sub(file, strlen("Symbols from "), file.len);
	if (bracket != SIZE_MAX && bracket + 2 < file.len && file.ptr[file.len - 1] == ']')
		return pd_span_sub(file, bracket + 1, file.len - 1);
	return file;
}

static int read_line(struct reader *r, struct pd_span line, struct pd_lines *lines,
		     struct pd_error *err)
{
	struct pd_image *image = r->listing.image;
	struct pd_listed_symbol s;
	struct pd_listed_row row;

	if (r->is_mail && !pd_listing_parse_in_mail(line, &row))
		return PD_OK;
	switch (pd_listing_parse_line(line, &row)) {
	case PD_LISTED_ROW:
		note_value(r, &row);
		r->has_rows_before |= !r->n_headings;
		s = (struct pd_listed_symbol){
			.address = row.address, .n_bytes = row.n_bytes, .name = row.name,
			.place = r->file, .file = r->file, .type = row.type};
		if (row.module.len)
			s.place = pd_strtab_intern(&image->strings, row.module);
		return pd_listing_add(&r->listing, &s, err);
	case PD_LISTED_HEADING:
		r->n_headings++;
		r->file = pd_strtab_intern(&image->strings, file_of_heading(line));
		break;
	case PD_LISTED_ODD:
		pd_diags_add(lines->diags, PD_WARNING, "bad-line", image->path, lines->no,
			     "expected an address, a type and a name, found \"%.*s\"; "
			     "line skipped", PD_SPAN_ARG(line));
		break;
	case PD_LISTED_UNDEFINED:
		r->has_undefined = true;
		break;
	}
	return PD_OK;
}

/* One file under its heading is not told from others: another listing may call it otherwise. */
static void forget_only_heading(struct reader *r)
{
	struct pd_listing *l = &r->listing;

	if (r->n_headings != 1 || r->has_rows_before)
		return;
	for (uint32_t i = 0; i < l->n_sections; i++)
		if (l->sections[i].place.id == r->file.id)
			l->sections[i].place = (pd_str){0};
	for (uint32_t i = 0; i < l->n; i++)
		l->raw[i].file = (pd_str){0};
}

/*
 * Names at one address with different sizes are not one piece of code: sections of
 * a relocatable file all begin at 0, and a listing does not tell them apart.
 * raw is sorted.
 */
static void warn_of_overlaps(const struct pd_listing *l, struct pd_diags *diags)
{
	const struct pd_raw_symbol *raw = l->raw;
	uint32_t n_odd = 0;

	for (uint32_t i = 1; i < l->n && l->has_sizes; i++)
		n_odd += raw[i].n_bytes && raw[i].section == raw[i - 1].section &&
			 raw[i].address == raw[i - 1].address && raw[i].kind == raw[i - 1].kind &&
			 raw[i].n_bytes != raw[i - 1].n_bytes;
	if (n_odd > l->image->n_symbols / 100)
		pd_diags_add(diags, PD_WARNING, "overlap", l->image->path, 0,
			     "names with the address of another one, but not its size, taken as "
			     "one symbol with it: %u; if the listing is of a relocatable file, "
			     "give the file itself", n_odd);
}

int pd_listing_read(struct pd_span bytes, const struct pd_limits *limits, struct pd_image *image,
		    struct pd_diags *diags, struct pd_error *err)
{
	struct reader r = {.listing = {.image = image, .limits = limits},
			   .is_mail = !pd_listing_begins_with_rows(bytes) &&
				      pd_listing_is_in_mail(bytes)};
	struct pd_lines lines;
	struct pd_span line;
	int rc = PD_OK;

	pd_lines_init(&lines, bytes, limits, image->path, diags);
	while (rc == PD_OK && pd_lines_next(&lines, &line))
		if (line.len)
			rc = read_line(&r, line, &lines, err);
	pd_lines_done(&lines);
	if (rc == PD_OK && has_sizes_for_addresses(&r))
		take_sizes(&r, diags);
	if (rc == PD_OK) {
		forget_only_heading(&r);
		rc = pd_listing_finish(&r.listing, err);
	}
	if (rc == PD_OK)
		warn_of_overlaps(&r.listing, diags);
	pd_listing_done(&r.listing);
	return rc;
}
