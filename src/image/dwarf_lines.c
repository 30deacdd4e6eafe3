/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DWARF for single addresses. Contract: dwarf_lines.h.
 *
 * The units of a file are walked by their headers and ranges alone, which is little; of
 * those that contain an address, and there are few, the lines and the inlined functions
 * are read once for all addresses within:
 *
 *   addresses   .  . ..    .  ...   .         ascending
 *   units     |----|   |-------|  |----|      each takes a run of them
 *   inlined         |-|  |--|                 each, outer before inner, marks what it covers
 */
#include "image/dwarf_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdlib.h>

#include "image/demangle.h"
#include "image/paths.h"

enum {
	MAX_DEPTH = 200,
	BUDGET_FOR_A_BYTE = 64, /* of a file with DWARF */
	FREE_BUDGET = 16 << 20,
	PRICE_OF_ENTRY = 16, /* DIEs, ranges, and addresses that these cover */
};

/* An address as DWARF has it, and the site that it is of. */
struct query {
	uint64_t address;
	size_t site;
};

struct reader {
	const struct pd_code_options *options;
	struct pd_strtab *strings;
	struct pd_code_place *places;
	struct query *queries; /* by address */
	size_t n_queries;
	struct pd_code_frame *frames;
	uint32_t n_frames, cap_frames;
	struct pd_buf text, name;
	uint64_t budget;
	bool failed; /* out of memory, or of that */
	/* Of the unit at hand: */
	Dwarf_Die unit;
	struct pd_span folder;
	const char *last_path; /* of libdw's, and what became of it */
	pd_str last_file;
	bool is_c; /* functions are not within others */
};

static bool spend(struct reader *r, uint64_t price)
{
	r->failed |= price > r->budget;
	r->budget -= price < r->budget ? price : r->budget;
	return !r->failed;
}

/* The first query at that address or above it. */
static size_t first_query(const struct reader *r, uint64_t address)
{
	size_t lo = 0, hi = r->n_queries;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->queries[mid].address < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The next range of a DIE, as dwarf_ranges(); *at_io is 0 for the first. False: no more. */
static bool next_range(struct reader *r, Dwarf_Die *die, ptrdiff_t *at_io, Dwarf_Addr *ret_lo,
		       Dwarf_Addr *ret_hi)
{
	Dwarf_Addr base;

	if (!spend(r, PRICE_OF_ENTRY))
		return false;
	*at_io = dwarf_ranges(die, *at_io, &base, ret_lo, ret_hi);
	return *at_io > 0;
}

static bool has_query(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Addr lo, hi;
	ptrdiff_t at = 0;

	while (next_range(r, die, &at, &lo, &hi)) {
		size_t i = first_query(r, lo);

		if (i < r->n_queries && r->queries[i].address < hi)
			return true;
	}
	return false;
}

/* ---- lines ---- */

static pd_str file_of(struct reader *r, const char *path)
{
	if (path != r->last_path && spend(r, strnlen(path, r->budget + 1))) {
		r->last_path = path;
		r->last_file = pd_strtab_intern(r->strings, pd_source_path(pd_span_of(path),
									   r->folder, &r->text));
	}
	return r->last_file;
}

static void set_lines(struct reader *r, Dwarf_Addr lo, Dwarf_Addr hi)
{
	for (size_t i = first_query(r, lo); i < r->n_queries && r->queries[i].address < hi; i++) {
		struct pd_code_place *p = &r->places[r->queries[i].site];
		Dwarf_Line *line = dwarf_getsrc_die(&r->unit, r->queries[i].address);
		const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
		int no = 0;

		if (!spend(r, PRICE_OF_ENTRY))
			return;
		if (!path || p->file.id)
			continue;
		p->file = file_of(r, path);
		if (dwarf_lineno(line, &no) == 0 && no > 0)
			p->line = (uint32_t)no;
	}
}

/* ---- inlined functions ---- */

static const char *name_of(Dwarf_Die *origin)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(origin, DW_AT_linkage_name,
								 &attr));

	return name ? name : dwarf_diename(origin);
}

/* A new frame for the instance; PD_NO_FRAME: it has no name. */
static uint32_t add_frame(struct reader *r, Dwarf_Die *die, uint32_t outer)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	const char *text = NULL;
	struct pd_span name;

	if (dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin))
		text = name_of(&origin);
	if (!text || !spend(r, strnlen(text, r->budget + 1)))
		return PD_NO_FRAME;
	name = pd_span_of(text);
	if (!r->options->has_no_demangle)
		name = pd_demangle_brief(name, &r->name);
	if (!name.len || !spend(r, name.len))
		return PD_NO_FRAME;
	if (r->n_frames == r->cap_frames) {
		uint32_t cap = r->cap_frames ? 2 * r->cap_frames : 256;
		void *p = reallocarray(r->frames, cap, sizeof(*r->frames));

		r->failed |= !p;
		if (!p)
			return PD_NO_FRAME;
		r->frames = p;
		r->cap_frames = cap;
	}
	r->frames[r->n_frames] = (struct pd_code_frame){
		pd_strtab_intern(r->strings, name), outer,
	};
	return r->n_frames++;
}

/* The addresses of an instance are in that frame. */
static void set_frames(struct reader *r, Dwarf_Die *die, uint32_t frame)
{
	Dwarf_Addr lo, hi;
	ptrdiff_t at = 0;

	while (next_range(r, die, &at, &lo, &hi))
		for (size_t i = first_query(r, lo); i < r->n_queries &&
		     r->queries[i].address < hi && spend(r, PRICE_OF_ENTRY); i++)
			r->places[r->queries[i].site].frame = frame;
}

static bool may_hold_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_enumeration_type;
}

/* All DIEs with code below parent, which is in that frame. */
static void walk(struct reader *r, Dwarf_Die *parent, uint32_t frame, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		uint32_t inner;

		if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block) {
			walk(r, &die, frame, depth + 1);
		} else if (tag == DW_TAG_subprogram) {
			/* Lambdas and closures stand within the functions that made them. */
			if (!r->is_c || has_query(r, &die))
				walk(r, &die, PD_NO_FRAME, depth + 1);
		} else if (tag == DW_TAG_inlined_subroutine) {
			if (!has_query(r, &die))
				continue;
			inner = add_frame(r, &die, frame);
			if (inner != PD_NO_FRAME)
				set_frames(r, &die, inner);
			walk(r, &die, inner != PD_NO_FRAME ? inner : frame, depth + 1);
		} else if (!r->is_c && may_hold_functions(tag)) {
			walk(r, &die, PD_NO_FRAME, depth + 1);
		}
	} while (spend(r, PRICE_OF_ENTRY) && dwarf_siblingof(&die, &die) == 0);
}

static bool is_c(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}

/* ---- units ---- */

static void read_unit(struct reader *r, Dwarf_Die *unit, Dwarf_Die *split)
{
	Dwarf_Attribute attr;
	const char *folder;
	Dwarf_Addr lo, hi;
	ptrdiff_t at = 0;

	if (!has_query(r, unit))
		return;
	r->unit = *unit;
	folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	r->folder = pd_span_of(folder && spend(r, strnlen(folder, r->budget + 1)) ? folder : "");
	r->last_path = NULL;
	while (r->options->wants_lines && next_range(r, unit, &at, &lo, &hi))
		set_lines(r, lo, hi);
	if (!r->options->wants_inlines)
		return;
	r->is_c = is_c(split ? split : unit);
	walk(r, split ? split : unit, PD_NO_FRAME, 0);
}

static void read_units(struct reader *r, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	size_t n_bytes = 0;
	uint8_t type;

	if (elf_rawfile(dwarf_getelf(dwarf), &n_bytes))
		r->budget = (uint64_t)BUDGET_FOR_A_BYTE * n_bytes + FREE_BUDGET;
	while (spend(r, PRICE_OF_ENTRY) &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, &split) == 0) {
		bool is_split = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;

		if (type == DW_UT_compile || type == DW_UT_skeleton)
			read_unit(r, &unit, is_split ? &split : NULL);
	}
}

/* ---- addresses ---- */

/* Where libdwfl put the section of a relocatable file that has that offset of the file. */
static bool relocate(Elf *elf, uint64_t offset, uint64_t *ret_address)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr s;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &s) && s.sh_flags & SHF_ALLOC && s.sh_type != SHT_NOBITS &&
		    offset >= s.sh_offset && offset - s.sh_offset < s.sh_size) {
			*ret_address = s.sh_addr + (offset - s.sh_offset);
			return true;
		}
	return false;
}

static bool address_of(const struct pd_names *names, Elf *elf, const struct pd_site *site,
		       uint64_t *ret_address)
{
	if (names->role == PD_LOOKUP_KERNEL) {
		*ret_address = site->address + names->shift;
		return true;
	}
	return pd_lookup_address(names->lookup, site->address, ret_address) &&
	       (names->role == PD_LOOKUP_FILE || relocate(elf, *ret_address, ret_address));
}

static int compare_queries(const void *a, const void *b)
{
	const struct query *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->site < y->site ? -1 : x->site > y->site;
}

static bool make_queries(struct reader *r, const struct pd_names *names, Elf *elf,
			 Dwarf_Addr bias, const struct pd_site *sites, size_t n)
{
	r->queries = malloc((n + 1) * sizeof(*r->queries));
	if (!r->queries)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t address;

		r->places[i] = (struct pd_code_place){.frame = PD_NO_FRAME};
		if (elf && address_of(names, elf, &sites[i], &address))
			r->queries[r->n_queries++] = (struct query){
				names->role == PD_LOOKUP_MODULE ? address - bias : address, i,
			};
	}
	qsort(r->queries, r->n_queries, sizeof(*r->queries), compare_queries);
	return true;
}

static int find_nothing(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **ret_path)
{
	(void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc;
	(void)ret_path;
	return -1;
}

int pd_code_places(const struct pd_names *names, const struct pd_site *sites, size_t n,
		   const struct pd_code_options *options, struct pd_strtab *strings,
		   struct pd_code_place *ret_places, struct pd_code_frame **ret_frames,
		   uint32_t *ret_n_frames, struct pd_error *err)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = find_nothing,
		.section_address = dwfl_offline_section_address,
	};
	struct reader r = {.options = options, .strings = strings, .places = ret_places};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *module;
	Dwarf_Addr bias = 0, elf_bias = 0;
	Dwarf *dwarf;
	int rc = PD_OK;

	if (!dwfl)
		return pd_fail_nomem(err);
	module = dwfl_report_offline(dwfl, names->dwarf_path, names->dwarf_path, -1);
	(void)dwfl_report_end(dwfl, NULL, NULL);
	dwarf = module ? dwfl_module_getdwarf(module, &bias) : NULL;
	if (!make_queries(&r, names, dwarf ? dwfl_module_getelf(module, &elf_bias) : NULL, bias,
			  sites, n))
		rc = pd_fail_nomem(err);
	else if (!dwarf)
		rc = pd_fail(err, PD_ERR_FORMAT, "expected DWARF, found some that libdw cannot "
			     "read");
	else
		read_units(&r, dwarf);
	if (rc == PD_OK && r.failed && !r.budget)
		rc = pd_fail(err, PD_ERR_FORMAT, "expected DWARF, found entries that lead to the "
			     "same ones again and again: it is broken");
	else if (rc == PD_OK && r.failed)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK) {
		*ret_frames = r.frames;
		*ret_n_frames = r.n_frames;
	} else {
		free(r.frames);
	}
	free(r.queries);
	pd_buf_done(&r.text);
	pd_buf_done(&r.name);
	dwfl_end(dwfl);
	return rc;
}
