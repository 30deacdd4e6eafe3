/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols of an image. Contract: symbols.h, and image.h for pd_image_find().
 */
#include "image/symbols.h"

#include <stdlib.h>

#include "base/sort.h"

/* ---- what a name says ---- */

/* A name, or what one begins or ends with. */
struct affix {
	const char *text;
	size_t len;
};

#define AFFIX(s) {s, sizeof(s) - 1}

/* Room that compilers leave before functions, for call depth tracking and CFI hashes. */
static const struct affix padding_prefixes[] = {AFFIX("__pfx_"), AFFIX("__cfi_")};

/*
 * What macros of the kernel generate, with a counter or a hash in its name that
 * differs from build to build; and the tables of exported symbols.
 */
static const struct affix generated_prefixes[] = {
	AFFIX("__UNIQUE_ID_"), AFFIX("__BTF_ID__"), AFFIX("__addressable_"), AFFIX("__ksymtab_"),
	AFFIX("__kstrtab_"), AFFIX("__kstrtabns_"), AFFIX("__kcrctab_"), AFFIX("__crc_"),
	AFFIX("__export_symbol_"),
};

/*
 * Ends of sections and of tables, by linker scripts (include/asm-generic/vmlinux.lds.h)
 * and by ld for sections named like C identifiers. They have no size in symbol
 * tables of ELF, but a distance to the next symbol.
 */
static const struct affix marker_names[] = {
	AFFIX("_text"), AFFIX("_stext"), AFFIX("_etext"), AFFIX("_sinittext"),
	AFFIX("_einittext"), AFFIX("_sdata"), AFFIX("_edata"), AFFIX("_end"),
	AFFIX("__bss_start"), AFFIX("__bss_stop"), AFFIX("_sbss"), AFFIX("_ebss"),
	AFFIX("_srodata"), AFFIX("_erodata"), AFFIX("_sinitdata"), AFFIX("_einitdata"),
	AFFIX("__init_begin"), AFFIX("__init_end"), AFFIX("__inittext_begin"),
	AFFIX("__inittext_end"), AFFIX("__initdata_begin"), AFFIX("__initdata_end"),
	AFFIX("__nosave_begin"), AFFIX("__nosave_end"), AFFIX("__init_scratch_begin"),
	AFFIX("__init_scratch_end"), AFFIX("__per_cpu_start"), AFFIX("__per_cpu_end"),
	AFFIX("__per_cpu_load"), AFFIX("__brk_base"), AFFIX("__brk_limit"),
	AFFIX("__rodata_start"), AFFIX("__rodata_end"), AFFIX("__data_start"),
	AFFIX("__indirect_thunk_start"), AFFIX("__indirect_thunk_end"),
	AFFIX("__initcall_start"), AFFIX("__initcall_end"), AFFIX("__con_initcall_start"),
	AFFIX("__con_initcall_end"), AFFIX("__setup_start"), AFFIX("__setup_end"),
	AFFIX("__initramfs_start"), AFFIX("vermagic"),
};

/* Of data alone: __start_tty() and __stop_tty() are functions. */
static const struct affix marker_data_prefixes[] = {AFFIX("__start_"), AFFIX("__stop_"),
						    AFFIX("__end_")};
static const struct affix marker_suffixes[] = {AFFIX("_text_start"), AFFIX("_text_end")};

static bool is_at(const char *p, const struct affix *a)
{
	return !memcmp(p, a->text, a->len);
}

static bool starts_with_one_of(struct pd_span name, const struct affix *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name.len >= prefixes[i].len && is_at(name.ptr, &prefixes[i]))
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
		if (name.len == marker_names[i].len && is_at(name.ptr, &marker_names[i]))
			return true;
	for (size_t i = 0; i < sizeof(marker_suffixes) / sizeof(marker_suffixes[0]); i++) {
		const struct affix *suffix = &marker_suffixes[i];

		if (pd_span_starts(name, "__") && name.len >= suffix->len + 2 &&
		    is_at(name.ptr + name.len - suffix->len, suffix))
			return true;
	}
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

/* At one place: by kind, and so that the first one gives the name. */
static int compare_raw(const void *pa, const void *pb, void *strings)
{
	const struct pd_raw_symbol *a = pa, *b = pb;
	struct pd_span name_a, name_b;
	int order = COMPARE(a->kind, b->kind);

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

/* How far the symbol is behind the beginning of its section; in listings, its address. */
static uint64_t offset_of(const struct pd_image *image, const struct pd_raw_symbol *s)
{
	uint64_t begin = s->section < image->n_sections ? image->sections[s->section].address : 0;

	return s->address - begin;
}

/* How many bits a number takes. */
static unsigned n_bits(uint64_t x)
{
	return x ? 64 - (unsigned)__builtin_clzll(x) : 0;
}

/*
 * The order of the symbols by place, in items[0..n), of which 2 * n are there. The
 * section's number and the offset in it are one number where they fit: the fewer
 * bits it has, the less there is to sort by.
 */
static void sort_places(const struct pd_image *image, const struct pd_raw_symbol *raw, size_t n,
			struct pd_sort_item *items)
{
	uint64_t offsets = 0;
	uint32_t sections = 0;
	unsigned shift;

	for (size_t i = 0; i < n; i++) {
		items[i] = (struct pd_sort_item){offset_of(image, &raw[i]), (uint32_t)i};
		offsets |= items[i].key;
		sections |= raw[i].section;
	}
	shift = n_bits(offsets);
	if (shift + n_bits(sections) <= 64) {
		for (size_t i = 0; i < n && sections; i++)
			items[i].key |= (uint64_t)raw[i].section << shift;
		pd_sort_items(items, items + n, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		items[i].key = raw[i].address;
	pd_sort_items(items, items + n, n);
	for (size_t i = 0; i < n; i++)
		items[i].key = raw[items[i].index].section;
	pd_sort_items(items, items + n, n);
}

/* group[0..n) become *symbol; its aliases are put behind the n_aliases that are there. */
static void merge_group(struct pd_image *image, const struct pd_raw_symbol *group, size_t n_group,
			struct pd_symbol *symbol)
{
	pd_str *aliases = image->aliases + image->n_aliases;
	uint32_t n = 0, n_kept = 0;

	*symbol = (struct pd_symbol){
		.name = group->name,
		.file = group->file,
		.file_no = group->file_no,
		.section = group->section,
		.address = group->address,
		.kind = group->kind,
		.is_global = group->is_global || group->is_weak,
		.first_alias = image->n_aliases,
	};
	for (size_t i = 0; i < n_group; i++) {
		if (group[i].n_bytes > symbol->n_bytes)
			symbol->n_bytes = group[i].n_bytes;
		if (group[i].name.id != symbol->name.id)
			aliases[n++] = group[i].name;
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

/* What is at one place: a symbol for each kind that has a size. */
static void merge_place(struct pd_image *image, struct pd_raw_symbol *place, size_t n)
{
	if (n > 1)
		qsort_r(place, n, sizeof(*place), compare_raw, &image->strings);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && place[end].kind == place[i].kind;)
			end++;
		if (place[i].n_bytes)
			merge_group(image, &place[i], end - i,
				    &image->symbols[image->n_symbols++]);
	}
}

enum { AHEAD = 16 }; /* so many symbols are waited for together */

/* items: their order by place. */
static bool merge_places(struct pd_image *image, const struct pd_raw_symbol *raw, size_t n,
			 const struct pd_sort_item *items)
{
	struct pd_raw_symbol *place = NULL;
	size_t cap = 0, n_here;

	for (size_t i = 0; i < n; i += n_here) {
		const struct pd_raw_symbol *first = &raw[items[i].index];

		if (n - i > AHEAD)
			__builtin_prefetch(&raw[items[i + AHEAD].index]);
		for (n_here = 1; i + n_here < n; n_here++) {
			const struct pd_raw_symbol *other = &raw[items[i + n_here].index];

			if (other->section != first->section || other->address != first->address)
				break;
		}
		if (n_here == 1) { /* as most are */
			if (first->n_bytes)
				merge_group(image, first, 1, &image->symbols[image->n_symbols++]);
			continue;
		}
		if (n_here > cap) {
			free(place);
			cap = 2 * n_here;
			place = malloc(cap * sizeof(*place));
			if (!place)
				return false;
		}
		for (size_t k = 0; k < n_here; k++)
			place[k] = raw[items[i + k].index];
		merge_place(image, place, n_here);
	}
	free(place);
	return true;
}

int pd_symbols_settle(struct pd_image *image, const struct pd_raw_symbol *raw, size_t n,
		      struct pd_error *err)
{
	struct pd_arena scratch = {0};
	struct pd_sort_item *items;
	bool ok;

	if (n >= PD_NO_INDEX)
		return pd_fail(err, PD_ERR_LIMIT, "%zu symbols, at most %u are handled", n,
			       PD_NO_INDEX - 1);
	image->symbols = pd_arena_array(&image->arena, n, sizeof(*image->symbols));
	image->aliases = pd_arena_array(&image->arena, n, sizeof(*image->aliases));
	image->n_symbols = 0;
	image->n_aliases = 0;
	items = pd_arena_array(&scratch, n, 2 * sizeof(*items));
	ok = image->symbols && image->aliases && items;
	if (ok) {
		sort_places(image, raw, n, items);
		ok = merge_places(image, raw, n, items);
	}
	pd_arena_done(&scratch);
	if (!ok)
		return pd_fail_nomem(err);
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
