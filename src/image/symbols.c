/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols of an image. Contract: symbols.h, and image.h for pd_image_find().
 */
#include "image/symbols.h"

#include <stdlib.h>

/* ---- what a name says ---- */

/* Room that compilers leave before functions, for call depth tracking and CFI hashes. */
static const char *const padding_prefixes[] = {"__pfx_", "__cfi_"};

/*
 * What macros of the kernel generate, with a counter or a hash in its name that
 * differs from build to build; and the tables of exported symbols.
 */
static const char *const generated_prefixes[] = {
	"__UNIQUE_ID_", "__BTF_ID__", "__addressable_", "__ksymtab_", "__kstrtab_",
	"__kstrtabns_", "__kcrctab_", "__crc_", "__export_symbol_",
};

/*
 * Ends of sections and of tables, by linker scripts (include/asm-generic/vmlinux.lds.h)
 * and by ld for sections named like C identifiers. They have no size in symbol
 * tables of ELF, but a distance to the next symbol.
 */
static const char *const marker_names[] = {
	"_text", "_stext", "_etext", "_sinittext", "_einittext", "_sdata", "_edata", "_end",
	"__bss_start", "__bss_stop", "_sbss", "_ebss", "_srodata", "_erodata", "_sinitdata",
	"_einitdata", "__init_begin", "__init_end", "__inittext_begin", "__inittext_end",
	"__initdata_begin", "__initdata_end", "__nosave_begin", "__nosave_end",
	"__init_scratch_begin", "__init_scratch_end", "__per_cpu_start", "__per_cpu_end",
	"__per_cpu_load", "__brk_base", "__brk_limit", "__rodata_start", "__rodata_end",
	"__data_start", "__indirect_thunk_start", "__indirect_thunk_end", "__initcall_start",
	"__initcall_end", "__con_initcall_start", "__con_initcall_end", "__setup_start",
	"__setup_end", "__initramfs_start", "vermagic",
};

/* Of data alone: __start_tty() and __stop_tty() are functions. */
static const char *const marker_data_prefixes[] = {"__start_", "__stop_", "__end_"};
static const char *const marker_suffixes[] = {"_text_start", "_text_end"};

static bool starts_with_one_of(struct pd_span name, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (pd_span_starts(name, prefixes[i]))
			return true;
	return false;
}

#define STARTS_WITH_ONE_OF(name, list) \
	starts_with_one_of((name), (list), sizeof(list) / sizeof((list)[0]))

static bool is_marker(struct pd_span name, enum pd_symbol_kind kind)
{
	if (STARTS_WITH_ONE_OF(name, generated_prefixes))
		return true;
	if (kind == PD_SYMBOL_OBJECT && STARTS_WITH_ONE_OF(name, marker_data_prefixes))
		return true;
	for (size_t i = 0; i < sizeof(marker_names) / sizeof(marker_names[0]); i++)
		if (pd_span_eq(name, marker_names[i]))
			return true;
	for (size_t i = 0; i < sizeof(marker_suffixes) / sizeof(marker_suffixes[0]); i++)
		if (pd_span_starts(name, "__") && pd_span_ends(name, marker_suffixes[i]))
			return true;
	return false;
}

enum pd_symbol_kind pd_symbol_kind_of_name(struct pd_span name, enum pd_symbol_kind kind)
{
	if (kind == PD_SYMBOL_FUNCTION && STARTS_WITH_ONE_OF(name, padding_prefixes))
		return PD_SYMBOL_PADDING;
	/* Most names end here. */
	if (!name.len || (name.ptr[0] != '_' && name.ptr[0] != 'v'))
		return kind;
	if ((kind == PD_SYMBOL_FUNCTION || kind == PD_SYMBOL_OBJECT) && is_marker(name, kind))
		return PD_SYMBOL_MARKER;
	return kind;
}

bool pd_symbol_is_mapping(struct pd_span name)
{
	/* The hypervisor's code of arm64 is an object of its own, with this before all names. */
	static const char nvhe[] = "__kvm_nvhe_";

	if (pd_span_starts(name, nvhe))
		name = pd_span_sub(name, sizeof(nvhe) - 1, name.len);
	if (pd_span_starts(name, ".L") || pd_span_starts(name, "L0\001"))
		return true;
	if (name.len < 2 || name.ptr[0] != '$' || !memchr("xdat", name.ptr[1], 4))
		return false;
	/* "$x", "$x.3"; and of RISC-V "$xrv64i2p1_m2p0", with the instruction set. */
	return name.len == 2 || name.ptr[2] == '.' ||
	       (name.ptr[1] == 'x' && pd_span_starts(pd_span_sub(name, 2, name.len), "rv"));
}

/* ---- one symbol for each place ---- */

/* Less than, equal, greater: -1, 0, 1. */
#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int compare_bytes(struct pd_span a, struct pd_span b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n ? memcmp(a.ptr, b.ptr, n) : 0;

	return order ? order : COMPARE(a.len, b.len);
}

static int rank_of_binding(const struct pd_raw_symbol *s)
{
	return s->is_global ? 0 : s->is_weak ? 1 : 2;
}

/* By place, and at one place so that the first one gives the name. */
static int compare_raw(const void *pa, const void *pb, void *strings)
{
	const struct pd_raw_symbol *a = pa, *b = pb;
	struct pd_span name_a, name_b;
	int order = COMPARE(a->section, b->section);

	if (!order)
		order = COMPARE(a->address, b->address);
	if (!order)
		order = COMPARE(a->kind, b->kind);
	if (!order)
		order = COMPARE(!a->n_bytes, !b->n_bytes);
	if (!order)
		order = COMPARE(rank_of_binding(a), rank_of_binding(b));
	if (order)
		return order;
	name_a = pd_strtab_span(strings, a->name);
	name_b = pd_strtab_span(strings, b->name);
	order = COMPARE(name_a.len, name_b.len);
	if (!order && a->name.id != b->name.id)
		order = compare_bytes(name_a, name_b);
	/* One name from two files: the same whatever the order of the table. */
	if (!order && a->file.id != b->file.id)
		order = compare_bytes(pd_strtab_span(strings, a->file),
				      pd_strtab_span(strings, b->file));
	if (!order)
		order = COMPARE(a->file_no, b->file_no);
	return order;
}

static int compare_names(const void *pa, const void *pb, void *strings)
{
	const pd_str *a = pa, *b = pb;

	if (a->id == b->id)
		return 0;
	return compare_bytes(pd_strtab_span(strings, *a), pd_strtab_span(strings, *b));
}

/* The end of the raw symbols that are one with that at from. */
static size_t group_end(const struct pd_raw_symbol *raw, size_t n, size_t from)
{
	size_t end = from + 1;

	while (end < n && raw[end].section == raw[from].section &&
	       raw[end].address == raw[from].address && raw[end].kind == raw[from].kind)
		end++;
	return end;
}

/* raw[from..end) become *symbol; its aliases are put behind the n_aliases that are there. */
static void merge_group(struct pd_image *image, const struct pd_raw_symbol *raw, size_t from,
			size_t end, struct pd_symbol *symbol)
{
	pd_str *aliases = image->aliases + image->n_aliases;
	uint32_t n = 0, n_kept = 0;

	*symbol = (struct pd_symbol){
		.name = raw[from].name,
		.file = raw[from].file,
		.file_no = raw[from].file_no,
		.section = raw[from].section,
		.address = raw[from].address,
		.kind = raw[from].kind,
		.is_global = raw[from].is_global || raw[from].is_weak,
		.first_alias = image->n_aliases,
	};
	for (size_t i = from; i < end; i++) {
		if (raw[i].n_bytes > symbol->n_bytes)
			symbol->n_bytes = raw[i].n_bytes;
		if (raw[i].name.id != symbol->name.id)
			aliases[n++] = raw[i].name;
	}
	if (n > 1)
		qsort_r(aliases, n, sizeof(*aliases), compare_names, &image->strings);
	for (uint32_t i = 0; i < n; i++)
		if (!n_kept || aliases[n_kept - 1].id != aliases[i].id)
			aliases[n_kept++] = aliases[i];
	symbol->n_aliases = n_kept;
	image->n_aliases += n_kept;
}

/* The end of a symbol, within the range of addresses. */
static uint64_t end_of(const struct pd_symbol *s)
{
	uint64_t end = s->address + s->n_bytes;

	return end < s->address ? UINT64_MAX : end;
}

/*
 * reach of the i-th symbol, counted from 1, is the furthest end of as many
 * symbols up to it as the lowest bit of i says (P. Fenwick, "A new data
 * structure for cumulative frequency tables", 1994): 1, 1-2, 3, 1-4, 5, 5-6, ...
 */
static void fill_reach(struct pd_symbol *symbols, uint32_t n)
{
	for (uint64_t i = 1; i <= n; i++) {
		struct pd_symbol *s = &symbols[i - 1];
		uint64_t above = i + (i & -i);

		if (s->reach < end_of(s))
			s->reach = end_of(s);
		if (above <= n && symbols[above - 1].reach < s->reach)
			symbols[above - 1].reach = s->reach;
	}
}

int pd_symbols_settle(struct pd_image *image, struct pd_raw_symbol *raw, size_t n,
		      struct pd_error *err)
{
	size_t n_symbols = 0, n_aliases = 0;

	if (n >= PD_NO_INDEX)
		return pd_fail(err, PD_ERR_LIMIT, "%zu symbols, at most %u are handled", n,
			       PD_NO_INDEX - 1);
	if (n > 1)
		qsort_r(raw, n, sizeof(*raw), compare_raw, &image->strings);
	for (size_t i = 0, end; i < n; i = end) {
		end = group_end(raw, n, i);
		if (!raw[i].n_bytes)
			continue;
		n_symbols++;
		n_aliases += end - i - 1;
	}
	image->symbols = pd_arena_array(&image->arena, n_symbols, sizeof(*image->symbols));
	image->aliases = pd_arena_array(&image->arena, n_aliases, sizeof(*image->aliases));
	if (!image->symbols || !image->aliases)
		return pd_fail_nomem(err);
	image->n_symbols = 0;
	image->n_aliases = 0;
	for (size_t i = 0, end; i < n; i = end) {
		end = group_end(raw, n, i);
		if (raw[i].n_bytes)
			merge_group(image, raw, i, end, &image->symbols[image->n_symbols++]);
	}
	fill_reach(image->symbols, image->n_symbols);
	return PD_OK;
}

/* How many symbols begin at that place or before it. */
static uint32_t count_up_to(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t low = 0, high = image->n_symbols;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct pd_symbol *s = &image->symbols[mid];

		if (s->section < section || (s->section == section && s->address <= address))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/*
 * Symbols may lie within others to any depth, so that the one before the place
 * need not be the one that covers it: reach leaps over those that all end too
 * early, and tells where a step back will find one. O(log(n)^2).
 */
uint32_t pd_image_find(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t found = PD_NO_INDEX, i = count_up_to(image, section, address);

	while (i > 0) {
		const struct pd_symbol *s = &image->symbols[i - 1];

		if (s->reach <= address) {
			i -= i & -i;
			continue;
		}
		/* What reaches so far in a section before is not about this address. */
		if (s->section != section)
			break;
		if (end_of(s) > address) {
			found = i - 1;
			break;
		}
		i--;
	}
	/* A function and a marker at one place: the function, which comes first. Few steps. */
	while (found != PD_NO_INDEX && found > 0 &&
	       image->symbols[found - 1].section == section &&
	       image->symbols[found - 1].address == image->symbols[found].address &&
	       end_of(&image->symbols[found - 1]) > address)
		found--;
	return found;
}
