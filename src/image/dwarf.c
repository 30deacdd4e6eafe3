/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DWARF 2 to 5. The symbol table decides what is a function and how large it is;
 * here it gets its source file, from the ranges of the units, and the instances
 * of inlined functions within.
 *
 * libdwfl opens the file once more: it relocates the debug sections of relocatable
 * files, finds the units of split DWARF and reads compressed sections.
 */
#include "image/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/map.h"
#include "base/text.h"
#include "image/paths.h"

enum { MAX_DEPTH = 200 };

/* A function that was inlined: its abstract instance. */
struct origin {
	pd_str name, file;
};

struct reader {
	struct pd_image *image;
	const struct pd_image_options *options;
	Dwfl_Module *module;
	Dwarf_Addr bias;
	struct pd_buf text;
	struct pd_map origin_ids; /* of abstract instances, by offset */
	struct origin *origins;
	uint32_t n_origins, cap_origins;
	size_t cap_inlines;
	struct pd_inline *inlines;
	size_t n_inlines;
	bool *is_set; /* [n_symbols]: a unit told the file */
	uint64_t budget; /* see spend() */
	bool failed;  /* out of memory, or of that */
	/* Of the unit at hand: */
	Dwarf_Die unit;
	struct pd_span folder;
	pd_str file;
	Dwarf_Files *files; /* NULL: not asked for yet */
	size_t n_files;
};

enum {
	BUDGET_FOR_A_BYTE = 64, /* of a file with DWARF */
	FREE_BUDGET = 16 << 20,
	PRICE_OF_ENTRY = 16, /* DIEs, and ranges */
	PRICE_OF_SYMBOL = 4,
};

/*
 * Entries of DWARF may refer to any others, and an entry that many share is read as
 * often. Honest files are far from what a budget in proportion to their size allows;
 * where it is spent, the file would be read for hours. A byte of text costs 1.
 */
static bool spend(struct reader *r, uint64_t price)
{
	r->failed |= price > r->budget;
	r->budget -= price < r->budget ? price : r->budget;
	return !r->failed;
}

static void add_budget(struct reader *r, Dwarf *dwarf)
{
	size_t n_bytes = 0;

	if (dwarf && elf_rawfile(dwarf_getelf(dwarf), &n_bytes))
		r->budget += (uint64_t)BUDGET_FOR_A_BYTE * n_bytes + FREE_BUDGET;
}

/* The next range of a DIE, as dwarf_ranges(); *at_io is 0 for the first. False: no more. */
static bool next_range(struct reader *r, Dwarf_Die *die, ptrdiff_t *at_io, Dwarf_Addr *ret_lo,
		       Dwarf_Addr *ret_hi)
{
	Dwarf_Addr base;

	if (!spend(r, PRICE_OF_ENTRY + r->image->n_sections / 8))
		return false;
	*at_io = dwarf_ranges(die, *at_io, &base, ret_lo, ret_hi);
	return *at_io > 0;
}

/* The next DIE beside that one, which it becomes. */
static bool next_sibling(struct reader *r, Dwarf_Die *die)
{
	return spend(r, PRICE_OF_ENTRY) && dwarf_siblingof(die, die) == 0;
}

/* Room for one more item. */
static void *more(void *items, size_t n, size_t *cap, size_t size)
{
	size_t new_cap = *cap ? 2 * *cap : 256;
	void *p = items;

	if (n < *cap)
		return items;
	p = reallocarray(items, new_cap, size);
	if (p)
		*cap = new_cap;
	return p;
}

/* The section of an address of DWARF, which becomes one of the image; 0: none. */
static uint32_t find_section(struct reader *r, Dwarf_Addr *address)
{
	const struct pd_image *image = r->image;

	if (image->is_relocatable) {
		Dwarf_Addr a = *address + r->bias;
		int i = dwfl_module_relocate_address(r->module, &a);
		GElf_Word section = 0;

		if (i < 0 || !dwfl_module_relocation_info(r->module, (unsigned)i, &section) ||
		    section >= image->n_sections)
			return 0;
		*address = a;
		return section;
	}
	for (uint32_t i = 1; i < image->n_sections; i++) {
		const struct pd_section *s = &image->sections[i];

		if (s->is_code && *address >= s->address && *address - s->address < s->n_bytes)
			return i;
	}
	return 0;
}

/* The first symbol at that place or behind it. */
static uint32_t first_symbol(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t lo = 0, hi = image->n_symbols;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct pd_symbol *s = &image->symbols[mid];

		if (s->section < section || (s->section == section && s->address < address))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Symbols that begin in [lo, hi) are of the unit's file. */
static void set_files(struct reader *r, Dwarf_Addr lo, Dwarf_Addr hi)
{
	uint64_t n_bytes = hi - lo;
	uint32_t section = find_section(r, &lo);

	if (!section)
		return;
	for (uint32_t i = first_symbol(r->image, section, lo);
	     i < r->image->n_symbols && spend(r, PRICE_OF_SYMBOL); i++) {
		struct pd_symbol *s = &r->image->symbols[i];

		if (s->section != section || s->address - lo >= n_bytes)
			return;
		s->file = r->file;
		r->is_set[i] = true;
	}
}

/* The text, if it is there and can be paid for. */
static const char *pay_text(struct reader *r, const char *text)
{
	return text && spend(r, strnlen(text, r->budget + 1)) ? text : NULL;
}

static const char *text_attr(struct reader *r, Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;

	return pay_text(r, dwarf_formstring(dwarf_attr_integrate(die, name, &attr)));
}

static pd_str source_file(struct reader *r, const char *path)
{
	path = pay_text(r, path);
	return path ? pd_strtab_intern(&r->image->strings,
				       pd_source_path(pd_span_of(path), r->folder, &r->text))
		    : (pd_str){0};
}

/* A file of another unit, that an origin there is declared in. */
static pd_str file_elsewhere(struct reader *r, Dwarf_CU *cu, Dwarf_Word no)
{
	const struct pd_span folder = r->folder;
	const char *path = NULL, *own_folder;
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t n = 0;
	pd_str file = {0};

	if (!dwarf_cu_die(cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &n) != 0)
		return file;
	own_folder = text_attr(r, &unit, DW_AT_comp_dir);
	path = no < n ? dwarf_filesrc(files, no, NULL, NULL) : NULL;
	r->folder = pd_span_of(own_folder ? own_folder : "");
	if (path)
		file = source_file(r, path);
	r->folder = folder;
	return file;
}

/* Where the function is declared: the number is that of a file of the unit that tells it. */
static pd_str declared_in(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word no;
	const char *path;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &no))
		return (pd_str){0};
	if (attr.cu != r->unit.cu)
		return file_elsewhere(r, attr.cu, no);
	if (!r->files && dwarf_getsrcfiles(&r->unit, &r->files, &r->n_files))
		r->files = NULL;
	path = r->files && no < r->n_files ? dwarf_filesrc(r->files, no, NULL, NULL) : NULL;
	return path ? source_file(r, path) : r->file;
}

/* The number of the function that die is an instance of; PD_MAP_NONE: it is not told. */
static uint32_t find_origin(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	uint64_t key;
	uint32_t id;
	size_t cap = r->cap_origins;
	const char *name;
	void *p;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin))
		return PD_MAP_NONE;
	key = dwarf_dieoffset(&origin);
	id = pd_map_find(&r->origin_ids, key);
	if (id != PD_MAP_NONE)
		return id;
	name = text_attr(r, &origin, DW_AT_linkage_name);
	if (!name)
		name = pay_text(r, dwarf_diename(&origin));
	p = more(r->origins, r->n_origins, &cap, sizeof(*r->origins));
	if (!p || pd_map_insert(&r->origin_ids, key, r->n_origins) == PD_MAP_NONE) {
		r->failed = true;
		return PD_MAP_NONE;
	}
	r->origins = p;
	r->cap_origins = (uint32_t)cap;
	r->origins[r->n_origins] = (struct origin){
		.name = pd_strtab_intern_str(&r->image->strings, name ? name : ""),
		.file = declared_in(r, &origin),
	};
	return r->n_origins++;
}

/* Bytes of code of an instance. */
static uint64_t count_bytes(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Addr lo, hi;
	uint64_t n_bytes = 0;
	ptrdiff_t at = 0;

	while (next_range(r, die, &at, &lo, &hi))
		n_bytes += hi > lo ? hi - lo : 0;
	return n_bytes;
}

/* What surrounds an instance. */
struct around {
	const struct around *outer; /* the next instance outwards, or NULL */
	struct origin origin;
};

static void add_inline(struct reader *r, Dwarf_Die *die, uint32_t host, const struct around *outer,
		       struct origin origin)
{
	uint64_t n_bytes = count_bytes(r, die);
	struct pd_inline *p = more(r->inlines, r->n_inlines, &r->cap_inlines, sizeof(*p));

	if (!p) {
		r->failed = true;
		return;
	}
	r->inlines = p;
	p += r->n_inlines++;
	*p = (struct pd_inline){
		.name = origin.name,
		.file = origin.file,
		.host = host,
		.n_bytes = n_bytes < UINT32_MAX ? (uint32_t)n_bytes : UINT32_MAX,
		.is_outermost = !outer,
	};
	for (; outer && !p->is_nested_in_itself; outer = outer->outer)
		p->is_nested_in_itself = outer->origin.name.id == origin.name.id &&
					 outer->origin.file.id == origin.file.id;
}

static void walk(struct reader *r, Dwarf_Die *parent, uint32_t host, const struct around *outer,
		 int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		struct around here = {.outer = outer};
		uint32_t id;

		if (tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
		    tag == DW_TAG_catch_block)
			walk(r, &die, host, outer, depth + 1);
		if (tag != DW_TAG_inlined_subroutine)
			continue;
		id = find_origin(r, &die);
		if (id != PD_MAP_NONE)
			here.origin = r->origins[id];
		if (here.origin.name.id)
			add_inline(r, &die, host, outer, here.origin);
		walk(r, &die, host, here.origin.name.id ? &here : outer, depth + 1);
	} while (!r->failed && next_sibling(r, &die));
}

/*
 * Link-time optimization makes units of functions from several files: each is an
 * instance of one in the unit of its own file.
 */
static void set_own_file(struct reader *r, Dwarf_Die *die)
{
	const pd_str file = r->file;
	Dwarf_Addr lo, hi;
	Dwarf_Attribute attr;
	Dwarf_Die origin, unit;
	ptrdiff_t at = 0;
	const char *name;

	if (!dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attr), &origin) ||
	    origin.cu == r->unit.cu || !dwarf_diecu(&origin, &unit, NULL, NULL))
		return;
	name = text_attr(r, &unit, DW_AT_name);
	if (!name)
		return;
	r->file = source_file(r, name);
	while (next_range(r, die, &at, &lo, &hi))
		set_files(r, lo, hi);
	r->file = file;
}

/* A function with code: what was inlined into it. */
static void read_function(struct reader *r, Dwarf_Die *die)
{
	Dwarf_Addr entry, base, end;
	uint32_t section, host = PD_NO_INDEX;

	/* Of several ranges, the hot one comes first. */
	if (dwarf_entrypc(die, &entry) != 0 && dwarf_ranges(die, 0, &base, &entry, &end) <= 0)
		return;
	section = find_section(r, &entry);
	if (section)
		host = pd_image_find(r->image, section, entry);
	if (host != PD_NO_INDEX && r->image->symbols[host].address == entry)
		r->image->symbols[host].declared_in = declared_in(r, die);
	set_own_file(r, die);
	if (r->options->detail >= PD_IMAGE_INLINES)
		walk(r, die, host, NULL, 0);
}

/* Functions of a unit, of its namespaces and of its classes. */
static void find_functions(struct reader *r, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram) {
			if (dwarf_hasattr(&die, DW_AT_low_pc) || dwarf_hasattr(&die, DW_AT_ranges))
				read_function(r, &die);
			/* Functions within functions: lambdas of C++, closures of Rust. */
			find_functions(r, &die, depth + 1);
		} else if (tag == DW_TAG_namespace || tag == DW_TAG_module ||
			   tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
			   tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type) {
			find_functions(r, &die, depth + 1);
		}
	} while (!r->failed && next_sibling(r, &die));
}

/* "GNU C11 12.2.0 -mno-sse ..." without the options. */
static void set_producer(struct pd_image *image, const char *producer)
{
	const char *options = strstr(producer, " -");
	size_t len = options ? (size_t)(options - producer) : strlen(producer);

	if (!image->producer && strncmp(producer, "GNU AS", 6) != 0)
		image->producer = pd_arena_strndup(&image->arena, producer, len);
}

static void read_unit(struct reader *r, Dwarf_Die *unit, Dwarf_Die *split)
{
	const char *name = text_attr(r, unit, DW_AT_name);
	const char *folder = text_attr(r, unit, DW_AT_comp_dir);
	const char *producer = text_attr(r, unit, DW_AT_producer);
	Dwarf_Addr lo, hi;
	ptrdiff_t at = 0;

	r->unit = split ? *split : *unit;
	if (split && !name)
		name = text_attr(r, split, DW_AT_name);
	if (split && !producer)
		producer = text_attr(r, split, DW_AT_producer);
	r->files = NULL;
	r->folder = pd_span_of(folder ? folder : "");
	r->file = source_file(r, name ? name : "");
	if (producer)
		set_producer(r->image, producer);
	if (r->file.id)
		while (next_range(r, unit, &at, &lo, &hi))
			set_files(r, lo, hi);
	if (split) { /* each has offsets of its own */
		pd_map_done(&r->origin_ids);
		add_budget(r, dwarf_cu_getdwarf(split->cu));
	}
	find_functions(r, &r->unit, 0);
}

/*
 * A file symbol and the unit of one function of it are the same file, and all
 * local symbols below that file symbol are of it: objects, and functions of
 * assembly that no unit tells of.
 */
static void spread_files(struct pd_image *image, const bool *is_set, const pd_str *own_files)
{
	struct pd_map paths = {0};

	for (uint32_t i = 0; i < image->n_symbols; i++)
		if (is_set[i] && own_files[i].id)
			(void)pd_map_insert(&paths,
					    pd_map_key(own_files[i].id, image->symbols[i].file_no),
					    image->symbols[i].file.id);
	for (uint32_t i = 0; i < image->n_symbols; i++) {
		struct pd_symbol *s = &image->symbols[i];
		uint32_t path;

		if (is_set[i] || !s->file.id)
			continue;
		path = pd_map_find(&paths, pd_map_key(s->file.id, s->file_no));
		if (path != PD_MAP_NONE) {
			s->file.id = path;
			s->file_no = 0;
		}
	}
	for (uint32_t i = 0; i < image->n_symbols; i++)
		if (is_set[i])
			image->symbols[i].file_no = 0;
	pd_map_done(&paths);
}

static int read_units(struct reader *r, Dwarf *dwarf)
{
	struct pd_image *image = r->image;
	pd_str *own_files = calloc(image->n_symbols + 1, sizeof(*own_files));
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, split;
	uint8_t type;

	r->is_set = calloc(image->n_symbols + 1, sizeof(*r->is_set));
	for (uint32_t i = 0; i < image->n_symbols && own_files; i++)
		own_files[i] = image->symbols[i].file;
	add_budget(r, dwarf);
	while (r->is_set && own_files && spend(r, PRICE_OF_ENTRY) &&
	       dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, &split) == 0) {
		bool is_split = type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid;

		if (type == DW_UT_compile || type == DW_UT_skeleton)
			read_unit(r, &unit, is_split ? &split : NULL);
		/* A skeleton's ranges are all that is left of it. */
		image->n_missing_units += type == DW_UT_skeleton && !is_split;
		image->has_files = true;
		image->has_inlines = r->options->detail >= PD_IMAGE_INLINES;
	}
	if (image->n_missing_units)
		image->has_inlines = false; /* some of them would be missing */
	if (r->is_set && own_files)
		spread_files(image, r->is_set, own_files);
	else
		r->failed = true;
	free(r->is_set);
	free(own_files);
	return r->failed ? PD_ERR_NOMEM : PD_OK;
}

static int find_debug_file(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			   const char *file, const char *link, GElf_Word crc, char **ret_path)
{
	const char *path = *user;

	(void)module, (void)name, (void)base, (void)file, (void)link, (void)crc;
	if (!path)
		return -1;
	*ret_path = strdup(path);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int copy_inlines(struct reader *r, struct pd_error *err)
{
	struct pd_image *image = r->image;

	if (r->n_inlines >= UINT32_MAX)
		return pd_fail(err, PD_ERR_LIMIT, "too many inlined functions");
	image->inlines = pd_arena_array(&image->arena, r->n_inlines + 1, sizeof(*image->inlines));
	if (!image->inlines)
		return pd_fail_nomem(err);
	if (r->n_inlines)
		memcpy(image->inlines, r->inlines, r->n_inlines * sizeof(*r->inlines));
	image->n_inlines = (uint32_t)r->n_inlines;
	return PD_OK;
}

int pd_dwarf_read(const char *debug_path, const struct pd_image_options *options,
		  struct pd_image *image, struct pd_error *err)
{
	static const Dwfl_Callbacks own = {
		.find_debuginfo = find_debug_file,
		.section_address = dwfl_offline_section_address,
	};
	static const Dwfl_Callbacks network = {
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	struct reader r = {.image = image, .options = options};
	Dwfl *dwfl = dwfl_begin(options->wants_debuginfod && !debug_path ? &network : &own);
	Dwarf *dwarf;
	void **user;
	int rc = PD_OK;

	if (!dwfl)
		return pd_fail_nomem(err);
	r.module = dwfl_report_offline(dwfl, image->path, image->path, -1);
	(void)dwfl_report_end(dwfl, NULL, NULL);
	if (r.module && dwfl_module_info(r.module, &user, NULL, NULL, NULL, NULL, NULL, NULL))
		*user = (void *)(uintptr_t)debug_path;
	dwarf = r.module ? dwfl_module_getdwarf(r.module, &r.bias) : NULL;
	if (dwarf)
		rc = read_units(&r, dwarf);
	if (rc != PD_OK && !r.budget)
		rc = pd_fail(err, PD_ERR_FORMAT, "expected DWARF, found entries that lead to the "
			     "same ones again and again: it is broken; --no-dwarf leaves it out");
	else if (rc != PD_OK)
		rc = pd_fail_nomem(err);
	else
		rc = copy_inlines(&r, err);
	free(r.inlines);
	free(r.origins);
	pd_map_done(&r.origin_ids);
	pd_buf_done(&r.text);
	dwfl_end(dwfl);
	return rc;
}
