/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places that code refers to. Contract: refs.h.
 *
 * Names tell a place best; but compilers number some names anew in each build, and
 * texts have none at all: these are told by what they say.
 */
#include "image/refs.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
	MIN_TEXT = 3, /* of a text that tells what it is */
	MAX_TEXT = 200,
	MAX_TEXT_SHOWN = 24,
	TOC_OFFSET = 0x8000, /* into the table of contents, to have all of it in reach */
	LEAST_ADDRESS = 0x10000, /* below it numbers are more often no addresses */
};

static int compare_sections(const void *a, const void *b, void *context)
{
	const struct pd_section *sections = context;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (sections[i].address != sections[k].address)
		return sections[i].address < sections[k].address ? -1 : 1;
	return i < k ? -1 : i > k;
}

/* Not what each thread has its own of: its addresses are others' as well. */
static bool has_addresses(const struct pd_image *image, uint32_t section)
{
	const struct pd_section *s = &image->sections[section];
	struct pd_span name = pd_strtab_span(&image->strings, s->name);

	return s->is_loaded && s->n_bytes && !pd_span_eq(name, ".tbss");
}

int pd_refs_open(const struct pd_image *image, struct pd_refs *ret_refs, struct pd_error *err)
{
	struct pd_refs refs = {.image = image, .lowest = UINT64_MAX};

	refs.sections = calloc(image->n_sections + (size_t)1, sizeof(*refs.sections));
	if (!refs.sections)
		return pd_fail_nomem(err);
	for (uint32_t i = 1; i < image->n_sections && !image->is_relocatable; i++) {
		struct pd_span name = pd_strtab_span(&image->strings, image->sections[i].name);

		if (!has_addresses(image, i))
			continue;
		if (pd_span_eq(name, ".data..percpu") && !image->sections[i].address) {
			refs.percpu = i;
			continue;
		}
		refs.sections[refs.n++] = i;
		if (image->elf_machine == EM_PPC64 && pd_span_eq(name, ".got"))
			refs.toc = image->sections[i].address + TOC_OFFSET;
		if (image->sections[i].address < refs.lowest)
			refs.lowest = image->sections[i].address;
	}
	qsort_r(refs.sections, refs.n, sizeof(*refs.sections), compare_sections, image->sections);
	*ret_refs = refs;
	return PD_OK;
}

void pd_refs_done(struct pd_refs *refs)
{
	free(refs->sections);
	*refs = (struct pd_refs){0};
}

bool pd_refs_find(const struct pd_refs *refs, uint64_t address, struct pd_ref *ret_ref)
{
	const struct pd_section *sections = refs->image->sections, *s;
	uint32_t low = 0, high = refs->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (sections[refs->sections[middle]].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	s = low ? &sections[refs->sections[low - 1]] : NULL;
	/* The end of a section is a place that code asks for, too. */
	if (!s || address - s->address > s->n_bytes)
		return false;
	*ret_ref = (struct pd_ref){.section = refs->sections[low - 1], .address = address};
	return true;
}

bool pd_refs_guess(const struct pd_refs *refs, uint64_t number, struct pd_ref *ret_ref)
{
	return refs->lowest >= LEAST_ADDRESS && number >= refs->lowest &&
	       pd_refs_find(refs, number, ret_ref);
}

bool pd_refs_find_percpu(const struct pd_refs *refs, uint64_t offset, struct pd_ref *ret_ref)
{
	if (!refs->percpu || offset >= refs->image->sections[refs->percpu].n_bytes)
		return false;
	*ret_ref = (struct pd_ref){.section = refs->percpu, .address = offset};
	return true;
}

struct pd_ref pd_ref_of_reloc(const struct pd_reloc *reloc)
{
	return (struct pd_ref){reloc->target_section, reloc->target_address, reloc->name};
}

/* ---- how it is written ---- */

static void add_offset(struct pd_buf *b, uint64_t offset)
{
	if (offset)
		pd_buf_printf(b, "%s0x%" PRIx64, (int64_t)offset < 0 ? "-" : "+",
			      (int64_t)offset < 0 ? -offset : offset);
}

/* The name without what a compiler makes up: __func__.1234, __UNIQUE_ID_x567, foo.isra.0. */
static struct pd_span plain_name(struct pd_span name, bool is_function, enum pd_ref_form form)
{
	size_t n = name.len, dot;

	if (form == PD_REF_SHOWN || !n)
		return name;
	if (form == PD_REF_KEY && is_function) {
		const char *p = memchr(name.ptr + 1, '.', n - 1);

		return pd_span_sub(name, 0, p ? (size_t)(p - name.ptr) : n);
	}
	if (is_function)
		return name;
	while (n && pd_is_digit(name.ptr[n - 1]))
		n--;
	dot = n && n < name.len && name.ptr[n - 1] == '.' ? n - 1 : name.len;
	if (!pd_span_starts(name, "__UNIQUE_ID_"))
		return pd_span_sub(name, 0, dot);
	while (n && (pd_is_digit(name.ptr[n - 1]) || name.ptr[n - 1] == '.'))
		n--;
	return pd_span_sub(name, 0, n);
}

static bool is_printable(char c)
{
	return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}

/*
 * The printable text at a place of data that nobody writes to; empty: there is none, or
 * it is so short that it may be anything. A kernel's .rodata may be written to as it
 * boots, and is marked so. The \001 that its log levels begin with is part of a text.
 */
static struct pd_span text_at(const struct pd_image *image, const struct pd_section *s,
			      uint64_t at)
{
	struct pd_span text = {0}, name = pd_strtab_span(&image->strings, s->name);

	if (!s->bytes || (s->is_writable && !pd_span_starts(name, ".rodata")) || s->is_code ||
	    at >= s->n_bytes)
		return text;
	text.ptr = (const char *)s->bytes + at;
	if (at && text.ptr[-1] && !is_printable(text.ptr[-1]))
		return (struct pd_span){0};
	for (; at + text.len < s->n_bytes && text.len < MAX_TEXT; text.len++) {
		char c = text.ptr[text.len];

		if (!c && text.len >= MIN_TEXT)
			return text;
		if (!is_printable(c) && (c != 1 || text.len))
			break;
	}
	return text.len == MAX_TEXT ? text : (struct pd_span){0};
}

static void add_text(struct pd_buf *b, struct pd_span text, enum pd_ref_form form)
{
	size_t n = form == PD_REF_SHOWN && text.len > MAX_TEXT_SHOWN ? MAX_TEXT_SHOWN : text.len;

	pd_buf_add_char(b, '"');
	for (size_t i = 0; i < n; i++) {
		if (text.ptr[i] == '\n')
			pd_buf_add_str(b, "\\n");
		else
			pd_buf_add_char(b, text.ptr[i]);
	}
	pd_buf_add_str(b, n < text.len ? "...\"" : "\"");
}

/* Up to the first dot, which compilers put behind a name. */
static struct pd_span family_of(const struct pd_image *image, const struct pd_symbol *s)
{
	struct pd_span name = pd_strtab_span(&image->strings, s->name);
	const char *dot = name.len ? memchr(name.ptr + 1, '.', name.len - 1) : NULL;

	return pd_span_sub(name, 0, dot ? (size_t)(dot - name.ptr) : name.len);
}

/* Whether a symbol is another part of the function at hand: foo.cold of foo, and back. */
static bool is_own_part(const struct pd_image *image, const struct pd_symbol *s, uint32_t own)
{
	struct pd_span a = family_of(image, s), b = family_of(image, &image->symbols[own]);

	return s->kind == PD_SYMBOL_FUNCTION && a.len == b.len && !memcmp(a.ptr, b.ptr, a.len);
}

static void add_named(const struct pd_refs *refs, const struct pd_ref *ref, uint32_t symbol,
		      uint32_t own, enum pd_ref_form form, struct pd_buf *b)
{
	const struct pd_symbol *s = &refs->image->symbols[symbol];
	struct pd_span name = pd_strtab_span(&refs->image->strings, s->name);
	uint64_t offset = ref->address - s->address;

	/* PowerPC64's second entry is the same to those who read. */
	if (offset == 8 && refs->image->elf_machine == EM_PPC64 && symbol != own &&
	    s->kind == PD_SYMBOL_FUNCTION)
		offset = 0;
	if (symbol == own && form == PD_REF_KEY) {
		pd_buf_add_char(b, '.');
	} else if (symbol == own && form == PD_REF_EXACT) {
		pd_buf_printf(b, ".+%" PRIx64, offset);
	} else if (symbol == own && offset) {
		pd_buf_printf(b, "%" PRIx64, offset);
	} else if (form != PD_REF_SHOWN && is_own_part(refs->image, s, own)) {
		/* Whatever the function is called. */
		name = pd_span_sub(name, family_of(refs->image, s).len, name.len);
		pd_buf_add_char(b, '@');
		if (form == PD_REF_EXACT) {
			pd_buf_add(b, name.ptr, name.len);
			add_offset(b, offset);
		}
	} else {
		name = plain_name(name, s->kind == PD_SYMBOL_FUNCTION, form);
		pd_buf_add(b, name.ptr, name.len);
		/* Where in another function it is, as cold parts go back, moves with that. */
		if (form != PD_REF_KEY || s->kind != PD_SYMBOL_FUNCTION)
			add_offset(b, offset);
	}
}

/* Code that no symbol covers, labels without a size: the symbol before it, or PD_NO_INDEX. */
static uint32_t find_before(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t low = 0, high = image->n_symbols;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct pd_symbol *s = &image->symbols[middle];

		if (s->section < section || (s->section == section && s->address <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low && image->symbols[low - 1].section == section ? low - 1 : PD_NO_INDEX;
}

void pd_ref_add(const struct pd_refs *refs, const struct pd_ref *ref, uint32_t own,
		enum pd_ref_form form, struct pd_buf *b)
{
	const struct pd_image *image = refs->image;
	uint32_t symbol = PD_NO_INDEX;
	const struct pd_section *s;
	struct pd_span text;

	if (!ref->section || ref->section >= image->n_sections) {
		text = plain_name(pd_strtab_span(&image->strings, ref->name), false, form);
		pd_buf_add(b, text.ptr, text.len);
		add_offset(b, ref->address);
		return;
	}
	s = &image->sections[ref->section];
	symbol = pd_image_find(image, ref->section, ref->address);
	if (symbol == PD_NO_INDEX && s->is_code)
		symbol = find_before(image, ref->section, ref->address);
	if (symbol != PD_NO_INDEX && image->symbols[symbol].kind != PD_SYMBOL_PADDING) {
		add_named(refs, ref, symbol, own, form, b);
		return;
	}
	text = text_at(image, s, ref->address - (image->is_relocatable ? 0 : s->address));
	if (text.len) {
		add_text(b, text, form);
		return;
	}
	text = pd_strtab_span(&image->strings, s->name);
	pd_buf_add(b, text.ptr, text.len);
	/* Nothing tells what it is: to people, one is as good as another. */
	if (form != PD_REF_KEY)
		add_offset(b, ref->address - (image->is_relocatable ? 0 : s->address));
}
