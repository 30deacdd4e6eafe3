/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbol tables of ELF files. Contract: elf.h.
 */
#include <elf.h>
#include <stdlib.h>

#include "base/map.h"
#include "image/elf_table.h"
#include "io/inflate.h"

/* Which sections of the image those of this file are. */
static bool match_sections(struct pd_elf_table *t)
{
	struct pd_image *image = t->image;
	size_t names;

	if (elf_getshdrnum(t->elf, &t->n_own_sections) || elf_getshdrstrndx(t->elf, &names))
		return false;
	t->sections = calloc(t->n_own_sections + 1, sizeof(*t->sections));
	for (size_t i = 1; i < t->n_own_sections && t->sections; i++) {
		Elf_Scn *scn = elf_getscn(t->elf, i);
		const struct pd_section *s = i < image->n_sections ? &image->sections[i] : NULL;
		GElf_Shdr header;
		pd_str name;

		if (!s || !gelf_getshdr(scn, &header))
			continue;
		name = pd_strtab_intern(&image->strings,
					pd_elf_section_name(t->elf, names, scn, &t->budget));
		if (s->name.id != name.id || header.sh_size != s->n_bytes)
			continue;
		t->sections[i] = (uint32_t)i;
		if (image->elf_machine == EM_PPC64 &&
		    !strcmp(pd_strtab_get(&image->strings, name), ".opd"))
			t->opd = (uint32_t)i;
	}
	return t->sections;
}

static uint32_t section_at(const struct pd_image *image, uint64_t address)
{
	for (uint32_t i = 1; i < image->n_sections; i++) {
		const struct pd_section *s = &image->sections[i];

		if (s->is_code && address >= s->address && address - s->address < s->n_bytes)
			return i;
	}
	return 0;
}

/* In a relocatable file the word itself is not there yet: the place that relocates it. */
static bool find_descriptor(const struct pd_elf_table *t, uint64_t at, uint32_t *ret_section,
			    uint64_t *ret_address)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr s;

	while ((scn = elf_nextscn(t->elf, scn))) {
		Elf_Data *data;
		GElf_Rela rela;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &s) || s.sh_type != SHT_RELA || s.sh_info != t->opd ||
		    !s.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		for (size_t i = 0; data && i < data->d_size / s.sh_entsize; i++) {
			if (!gelf_getrela(data, (int)i, &rela) || rela.r_offset != at ||
			    !gelf_getsym(t->data, (int)GELF_R_SYM(rela.r_info), &sym) ||
			    sym.st_shndx >= t->n_own_sections || !t->sections[sym.st_shndx])
				continue;
			*ret_section = t->sections[sym.st_shndx];
			*ret_address = sym.st_value + (uint64_t)rela.r_addend;
			return true;
		}
	}
	return false;
}

/* A symbol in .opd names a descriptor; its first word is where the code is. */
void pd_elf_follow_descriptor(const struct pd_elf_table *t, uint32_t *section_io,
			      uint64_t *address_io)
{
	const struct pd_section *opd = &t->image->sections[t->opd];
	uint64_t at = *address_io - opd->address, address;
	uint32_t section;

	if (!opd->bytes || at > opd->n_bytes || opd->n_bytes - at < sizeof(address))
		return;
	if (t->image->is_relocatable) {
		(void)find_descriptor(t, at, section_io, address_io);
		return;
	}
	memcpy(&address, opd->bytes + at, sizeof(address));
	if (pd_elf_is_swapped(t->image))
		address = __builtin_bswap64(address);
	section = section_at(t->image, address);
	if (section) {
		*section_io = section;
		*address_io = address;
	}
}

/* Functions of FUNC, of IFUNC, and sized ones in code that assembly gave no type. */
static bool find_kind(const struct pd_section *section, int type, uint64_t size,
		      enum pd_symbol_kind *ret_kind)
{
	bool is_func = type == STT_FUNC || type == STT_GNU_IFUNC;

	if (is_func || (type == STT_NOTYPE && size && section->is_code))
		*ret_kind = PD_SYMBOL_FUNCTION;
	else if (type == STT_OBJECT || type == STT_TLS || type == STT_COMMON ||
		 (type == STT_NOTYPE && size))
		*ret_kind = PD_SYMBOL_OBJECT;
	else
		return false;
	return true;
}

struct pd_span pd_elf_symbol_name(struct pd_elf_table *t, const GElf_Sym *sym)
{
	struct pd_span s = {"", 0};
	const char *end;

	if (sym->st_name >= t->strings.len)
		return s;
	s.ptr = t->strings.ptr + sym->st_name;
	end = memchr(s.ptr, '\0', t->strings.len - sym->st_name);
	s.len = end ? (size_t)(end - s.ptr) : 0;
	if (s.len > t->budget)
		s.len = t->budget = 0;
	t->budget -= s.len;
	return s;
}

/* Where the file symbols are: locals belong to the last one before them. */
struct file {
	pd_str name;
	uint32_t no;
};

static void set_file(struct pd_elf_table *t, struct pd_map *counts, const GElf_Sym *sym,
		     struct file *f)
{
	struct pd_span path = pd_elf_symbol_name(t, sym);
	uint32_t n;

	f->name = pd_strtab_intern(&t->image->strings, pd_span_behind_last(path, '/'));
	f->no = 0;
	n = pd_map_find(counts, f->name.id);
	if (n != PD_MAP_NONE) {
		f->no = n + 1;
		pd_map_set(counts, f->name.id, f->no);
	} else {
		(void)pd_map_insert(counts, f->name.id, 0);
	}
}

/* Bytes up to a newline or a NUL, at most n. */
static size_t line_len(const char *text, uint64_t n)
{
	size_t len = 0;

	while (len < n && text[len] && text[len] != '\n')
		len++;
	return len;
}

/* linux_banner: "Linux version 6.1.0-57-amd64 (gcc-12 ...) #1 SMP", without its first words. */
static void read_release(struct pd_image *image, uint32_t section, uint64_t address)
{
	static const char words[] = "Linux version ";
	const struct pd_section *s = &image->sections[section];
	uint64_t at = address - s->address;
	struct pd_span text;

	if (image->release || !s->bytes || address < s->address || at >= s->n_bytes)
		return;
	text.ptr = (const char *)s->bytes + at;
	text.len = line_len(text.ptr, s->n_bytes - at);
	if (pd_span_starts(text, words))
		image->release = pd_arena_strndup(&image->arena, text.ptr + strlen(words),
						  text.len - strlen(words));
}

/* kernel_config_data: a gzip file, with a mark behind it. */
static void read_config(struct pd_image *image, uint32_t section, uint64_t address)
{
	enum { MAX_CONFIG_BYTES = 4 << 20 };
	const struct pd_section *s = &image->sections[section];
	uint64_t at = address - s->address;
	struct pd_buf text = {0};
	struct pd_span packed;

	if (image->config || !s->bytes || address < s->address || at >= s->n_bytes)
		return;
	packed.ptr = (const char *)s->bytes + at;
	packed.len = s->n_bytes - at;
	packed = pd_span_sub(packed, 0, pd_span_find(packed, "IKCFG_ED"));
	if (pd_inflate_wants(packed) &&
	    pd_inflate(packed, MAX_CONFIG_BYTES, &text, NULL) == PD_OK && text.len)
		image->config = pd_arena_strndup(&image->arena, text.ptr, text.len);
	pd_buf_done(&text);
}

/* Whether the symbol is named so; without a look at all of its name. */
static bool is_named(const struct pd_elf_table *t, const GElf_Sym *sym, const char *name)
{
	size_t len = strlen(name) + 1;

	return sym->st_name < t->strings.len && t->strings.len - sym->st_name >= len &&
	       !memcmp(t->strings.ptr + sym->st_name, name, len);
}

/* Symbols that tell where something of a kernel is. */
static void read_known(struct pd_elf_table *t, const GElf_Sym *sym, uint32_t section)
{
	if (is_named(t, sym, "linux_banner"))
		read_release(t->image, section, sym->st_value);
	else if (is_named(t, sym, "kernel_config_data"))
		read_config(t->image, section, sym->st_value);
}

static void intern_waiting(struct pd_elf_table *t)
{
	pd_str names[PD_ELF_WAITING];

	pd_strtab_intern_all(&t->image->strings, t->waiting, t->n_waiting, names);
	for (uint32_t i = 0; i < t->n_waiting; i++)
		t->raw[t->waiting_raw[i]].name = names[i];
	t->n_waiting = 0;
}

static void add_symbol(struct pd_elf_table *t, const GElf_Sym *sym, uint32_t section,
		       const struct file *file)
{
	struct pd_image *image = t->image;
	int type = GELF_ST_TYPE(sym->st_info), bind = GELF_ST_BIND(sym->st_info);
	struct pd_raw_symbol raw = {
		.section = section,
		.address = sym->st_value,
		.n_bytes = sym->st_size,
		.is_global = bind != STB_LOCAL,
		.is_weak = bind == STB_WEAK,
	};
	struct pd_span name;

	if (!image->sections[section].is_code)
		read_known(t, sym, section);
	if (!find_kind(&image->sections[section], type, sym->st_size, &raw.kind))
		return;
	name = pd_elf_symbol_name(t, sym);
	if (!name.len || pd_symbol_is_mapping(name))
		return;
	raw.kind = pd_symbol_kind_of_name(name, raw.kind);
	if (raw.kind == PD_SYMBOL_FUNCTION || t->options->wants_objects) {
		t->waiting[t->n_waiting] = name;
		t->waiting_raw[t->n_waiting++] = (uint32_t)t->n_raw;
	}
	if (!raw.is_global) {
		raw.file = file->name;
		raw.file_no = file->no;
	}
	if (image->elf_machine == EM_ARM && type == STT_FUNC)
		raw.address &= ~UINT64_C(1); /* a mark of Thumb code */
	if (t->opd && section == t->opd && raw.kind == PD_SYMBOL_FUNCTION)
		pd_elf_follow_descriptor(t, &raw.section, &raw.address);
	t->raw[t->n_raw++] = raw;
	if (t->n_waiting == PD_ELF_WAITING)
		intern_waiting(t);
}

static bool read_table(struct pd_elf_table *t)
{
	struct pd_map counts = {0};
	struct file file = {0};

	t->raw = pd_arena_array(&t->scratch, t->n, sizeof(*t->raw));
	if (!t->raw)
		return false;
	pd_strtab_reserve(&t->image->strings, (uint32_t)t->n / 2);
	for (size_t i = 0; i < t->n && t->budget; i++) {
		Elf32_Word wide = 0;
		GElf_Sym sym;
		size_t section;

		if (!gelf_getsymshndx(t->data, t->wide, (int)i, &sym, &wide))
			continue;
		section = sym.st_shndx == SHN_XINDEX ? wide : sym.st_shndx;
		if (GELF_ST_TYPE(sym.st_info) == STT_FILE)
			set_file(t, &counts, &sym, &file);
		else if (section < t->n_own_sections && t->sections[section] &&
			 t->image->sections[section].is_loaded)
			add_symbol(t, &sym, (uint32_t)section, &file);
	}
	intern_waiting(t);
	pd_map_done(&counts);
	return true;
}

/* The symbol table of the file; false if it has none. */
static bool find_table(struct pd_elf_table *t)
{
	Elf_Scn *scn = NULL, *found = NULL, *wide = NULL, *names;
	Elf_Data *strings;
	GElf_Shdr header, s;

	while ((scn = elf_nextscn(t->elf, scn))) {
		if (!gelf_getshdr(scn, &s))
			continue;
		if (s.sh_type == SHT_SYMTAB && s.sh_size && !found) {
			found = scn;
			header = s;
		}
		if (s.sh_type == SHT_SYMTAB_SHNDX)
			wide = scn;
	}
	t->data = found ? elf_getdata(found, NULL) : NULL;
	if (!t->data || !header.sh_entsize)
		return false;
	t->wide = wide ? elf_getdata(wide, NULL) : NULL;
	t->n = t->data->d_size / header.sh_entsize;
	names = elf_getscn(t->elf, header.sh_link);
	strings = names ? elf_getdata(names, NULL) : NULL;
	if (strings && strings->d_buf)
		t->strings = (struct pd_span){strings->d_buf, strings->d_size};
	return true;
}

int pd_elf_read_symbols(struct pd_span bytes, const struct pd_image_options *options,
			struct pd_image *image, struct pd_error *err)
{
	struct pd_elf_table t = {.image = image, .options = options, .file = bytes};
	GElf_Ehdr header;
	int rc = PD_OK;

	t.budget = pd_elf_name_budget(bytes);
	t.elf = pd_elf_begin(bytes, &header, err);
	if (!t.elf)
		return PD_ERR_FORMAT;
	if (!find_table(&t))
		rc = pd_fail(err, PD_ERR_EMPTY, "expected a symbol table, found none (stripped)");
	else if (t.n > options->limits->n_functions || t.n > INT32_MAX)
		rc = pd_fail(err, PD_ERR_LIMIT, "%zu symbols; --max-functions raises the limit of "
			     "%u", t.n, options->limits->n_functions);
	else if (!match_sections(&t) || !read_table(&t))
		rc = pd_fail_nomem(err);
	else if (!t.budget)
		rc = pd_elf_fail_names(err);
	else
		rc = pd_symbols_settle(image, t.raw, t.n_raw, err);
	if (rc == PD_OK && image->is_relocatable)
		rc = pd_elf_read_relocs(&t, err);
	if (rc == PD_OK && !t.budget)
		rc = pd_elf_fail_names(err);
	free(t.undefined);
	pd_arena_done(&t.scratch);
	free(t.sections);
	(void)elf_end(t.elf);
	return rc;
}
