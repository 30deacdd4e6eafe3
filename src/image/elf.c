/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ELF (System V ABI, and the supplements of its machines), read with libelf from
 * bytes in memory. Every place in the file is held against its size before use.
 */
#include "image/elf.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>

#include "base/map.h"
#include "image/symbols.h"
#include "io/inflate.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

bool pd_elf_sniff(struct pd_span bytes)
{
	return bytes.len >= SELFMAG && !memcmp(bytes.ptr, ELFMAG, SELFMAG);
}

static const char *machine_name(const GElf_Ehdr *header)
{
	static const struct {
		uint16_t machine;
		const char *name;
	} machines[] = {
		{EM_386, "i386"}, {EM_X86_64, "x86-64"}, {EM_ARM, "ARM"}, {EM_AARCH64, "AArch64"},
		{EM_PPC, "PowerPC"}, {EM_PPC64, "PowerPC64"}, {EM_S390, "S/390"},
		{EM_MIPS, "MIPS"}, {EM_RISCV, "RISC-V"}, {EM_SPARC, "SPARC"},
		{EM_SPARCV9, "SPARC v9"}, {EM_68K, "68000"}, {EM_PARISC, "HPPA"},
		{EM_ALPHA, "Alpha"}, {EM_SH, "SuperH"}, {EM_LOONGARCH, "LoongArch"},
		{EM_BPF, "BPF"},
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++)
		if (machines[i].machine == header->e_machine)
			return machines[i].name;
	return "another machine";
}

/* NULL with err filled. Only one thread at a time may make libelf known. */
static Elf *begin(struct pd_span bytes, GElf_Ehdr *ret_header, struct pd_error *err)
{
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE) {
		(void)pd_fail(err, PD_ERR_UNSUPPORTED, "libelf is too old");
		return NULL;
	}
	/* libelf writes only to what elf_update() is for. */
	elf = elf_memory((char *)(uintptr_t)bytes.ptr, bytes.len);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, ret_header))
		return elf;
	(void)pd_fail(err, PD_ERR_FORMAT, "expected an ELF file, found a broken one");
	(void)elf_end(elf);
	return NULL;
}

static const uint8_t *bytes_at(struct pd_span file, uint64_t offset, uint64_t n)
{
	if (offset > file.len || n > file.len - offset)
		return NULL;
	return (const uint8_t *)file.ptr + offset;
}

static pd_str name_of(struct pd_strtab *strings, Elf *elf, size_t table, size_t at)
{
	const char *name = elf_strptr(elf, table, at);

	return pd_strtab_intern_str(strings, name ? name : "");
}

static bool is_swapped(const struct pd_image *image)
{
	return image->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static uint32_t load32(const uint8_t *p, bool swap)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return swap ? __builtin_bswap32(x) : x;
}

/* The build-id is the note of type 3 of "GNU" in a list of such. */
static void read_build_id(struct pd_span file, const GElf_Shdr *s, struct pd_image *image)
{
	const uint8_t *notes = bytes_at(file, s->sh_offset, s->sh_size);
	bool swap = is_swapped(image);
	struct pd_buf hex = {0};
	uint64_t at = 0;

	while (notes && !image->build_id && s->sh_size - at >= 16) {
		uint64_t n_name = load32(notes + at, swap), n = load32(notes + at + 4, swap);
		uint32_t type = load32(notes + at + 8, swap);
		uint64_t from = at + 12 + ((n_name + 3) & ~UINT64_C(3));

		at = from + ((n + 3) & ~UINT64_C(3));
		if (from > s->sh_size || n > s->sh_size - from || at > s->sh_size)
			break;
		if (type != NT_GNU_BUILD_ID || n_name != 4 || memcmp(notes + from - 4, "GNU", 4))
			continue;
		for (uint64_t i = 0; i < n; i++)
			pd_buf_printf(&hex, "%02x", notes[from + i]);
		if (hex.len && !hex.failed)
			image->build_id = pd_arena_strndup(&image->arena, hex.ptr, hex.len);
	}
	pd_buf_done(&hex);
}

static void read_section(Elf *elf, struct pd_span file, size_t names, Elf_Scn *scn,
			 struct pd_image *image, struct pd_section *section,
			 struct pd_elf_parts *parts)
{
	GElf_Shdr s;
	const char *name;

	if (!gelf_getshdr(scn, &s))
		return;
	section->name = name_of(&image->strings, elf, names, s.sh_name);
	section->address = image->is_relocatable ? 0 : s.sh_addr;
	section->n_bytes = s.sh_size;
	section->is_loaded = s.sh_flags & SHF_ALLOC;
	section->is_code = section->is_loaded && s.sh_flags & SHF_EXECINSTR;
	section->is_writable = section->is_loaded && s.sh_flags & SHF_WRITE;
	if (s.sh_type != SHT_NOBITS && section->is_loaded)
		section->bytes = bytes_at(file, s.sh_offset, s.sh_size);
	name = pd_strtab_get(&image->strings, section->name);
	if (s.sh_type == SHT_NOTE)
		read_build_id(file, &s, image);
	parts->has_symtab |= s.sh_type == SHT_SYMTAB && s.sh_size > 0;
	if ((!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")) &&
	    s.sh_type != SHT_NOBITS)
		parts->has_dwarf = true;
	if (s.sh_flags & SHF_COMPRESSED && !strncmp(name, ".debug_", 7)) {
		GElf_Chdr c;

		if (gelf_getchdr(scn, &c) && c.ch_type == ELFCOMPRESS_ZSTD)
			parts->has_zstd_dwarf = true;
	}
	if (!strcmp(name, ".gnu_debuglink")) {
		const char *link = (const char *)bytes_at(file, s.sh_offset, s.sh_size);

		if (link && memchr(link, '\0', s.sh_size) && *link)
			parts->debuglink = pd_arena_strndup(&image->arena, link, strlen(link));
	}
}

int pd_elf_read(struct pd_span bytes, struct pd_image *image, struct pd_elf_parts *ret_parts,
		struct pd_error *err)
{
	struct pd_elf_parts parts = {0};
	size_t n_sections, names;
	GElf_Ehdr header;
	Elf *elf = begin(bytes, &header, err);
	int rc = PD_OK;

	if (!elf)
		return PD_ERR_FORMAT;
	image->machine = machine_name(&header);
	image->elf_machine = header.e_machine;
	image->is_64bit = header.e_ident[EI_CLASS] == ELFCLASS64;
	image->is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	image->is_relocatable = header.e_type == ET_REL;
	image->file_bytes = bytes.len;
	if (elf_getshdrnum(elf, &n_sections) || elf_getshdrstrndx(elf, &names) || !n_sections ||
	    n_sections > bytes.len) {
		rc = pd_fail(err, PD_ERR_TRUNCATED, "expected section headers, found none: the "
			     "file is cut, or not from a linker");
		goto out;
	}
	image->sections = pd_arena_array(&image->arena, n_sections, sizeof(*image->sections));
	if (!image->sections) {
		rc = pd_fail_nomem(err);
		goto out;
	}
	image->n_sections = (uint32_t)n_sections;
	for (size_t i = 1; i < n_sections; i++)
		read_section(elf, bytes, names, elf_getscn(elf, i), image, &image->sections[i],
			     &parts);
	*ret_parts = parts;
out:
	(void)elf_end(elf);
	return rc;
}

/* A symbol table on its way into an image. */
struct table {
	struct pd_image *image;
	const struct pd_image_options *options;
	Elf *elf;
	Elf_Data *data;
	Elf_Data *wide; /* section numbers above 65279, or NULL */
	size_t names;   /* section of its strings */
	size_t n;
	uint32_t *sections;       /* [n_own_sections] of the image, by number here */
	size_t n_own_sections;
	uint32_t opd;             /* section of PowerPC64's function descriptors, or 0 */
	struct pd_raw_symbol *raw;
	size_t n_raw;
};

/* Which sections of the image those of this file are. */
static bool match_sections(struct table *t)
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
		name = name_of(&image->strings, t->elf, names, header.sh_name);
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

/* A symbol in .opd names a descriptor; its first word is where the code is. */
static void follow_descriptor(const struct table *t, struct pd_raw_symbol *raw)
{
	const struct pd_section *opd = &t->image->sections[t->opd];
	uint64_t at = raw->address - opd->address, address;
	uint32_t section;

	if (!opd->bytes || at > opd->n_bytes || opd->n_bytes - at < sizeof(address))
		return;
	memcpy(&address, opd->bytes + at, sizeof(address));
	if (is_swapped(t->image))
		address = __builtin_bswap64(address);
	section = section_at(t->image, address);
	if (section) {
		raw->section = section;
		raw->address = address;
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

static struct pd_span symbol_name(const struct table *t, const GElf_Sym *sym)
{
	const char *name = elf_strptr(t->elf, t->names, sym->st_name);

	return pd_span_of(name ? name : "");
}

/* Where the file symbols are: locals belong to the last one before them. */
struct file {
	pd_str name;
	uint32_t no;
};

static void set_file(struct table *t, struct pd_map *counts, const GElf_Sym *sym, struct file *f)
{
	struct pd_span path = symbol_name(t, sym);
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

/* Symbols that tell where something of a kernel is. */
static void read_known(struct pd_image *image, struct pd_span name, uint32_t section,
		       uint64_t address)
{
	if (pd_span_eq(name, "linux_banner"))
		read_release(image, section, address);
	else if (pd_span_eq(name, "kernel_config_data"))
		read_config(image, section, address);
}

static void add_symbol(struct table *t, const GElf_Sym *sym, uint32_t section,
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
	struct pd_span name = symbol_name(t, sym);

	if (!image->sections[section].is_code)
		read_known(image, name, section, raw.address);
	if (!find_kind(&image->sections[section], type, sym->st_size, &raw.kind) || !name.len ||
	    pd_symbol_is_mapping(name))
		return;
	raw.kind = pd_symbol_kind_of_name(name, raw.kind);
	if (raw.kind == PD_SYMBOL_FUNCTION || t->options->wants_objects)
		raw.name = pd_strtab_intern(&image->strings, name);
	if (!raw.is_global) {
		raw.file = file->name;
		raw.file_no = file->no;
	}
	if (image->elf_machine == EM_ARM && type == STT_FUNC)
		raw.address &= ~UINT64_C(1); /* a mark of Thumb code */
	if (t->opd && section == t->opd && raw.kind == PD_SYMBOL_FUNCTION)
		follow_descriptor(t, &raw);
	t->raw[t->n_raw++] = raw;
}

static bool read_table(struct table *t)
{
	struct pd_map counts = {0};
	struct file file = {0};

	t->raw = malloc((t->n + 1) * sizeof(*t->raw));
	if (!t->raw)
		return false;
	for (size_t i = 0; i < t->n; i++) {
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
	pd_map_done(&counts);
	return true;
}

/* The symbol table of the file; false if it has none. */
static bool find_table(struct table *t)
{
	Elf_Scn *scn = NULL, *found = NULL, *wide = NULL;
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
	t->names = header.sh_link;
	return true;
}

/* How far behind the place itself the addends of branches count from. */
static int64_t branch_bias(const struct pd_image *image, uint64_t type)
{
	if (image->elf_machine == EM_X86_64)
		return type == R_X86_64_PC32 || type == R_X86_64_PLT32 ? 4 : 0;
	if (image->elf_machine == EM_386)
		return type == R_386_PC32 || type == R_386_PLT32 ? 4 : 0;
	return 0;
}

/* The symbol that begins at a place, or PD_NO_INDEX. */
static uint32_t symbol_at(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t i = pd_image_find(image, section, address);
	uint64_t at = i == PD_NO_INDEX ? 0 : image->symbols[i].address;

	/* PowerPC64's second entry, for callers that share the table of contents. */
	if (i != PD_NO_INDEX && at != address &&
	    !(image->elf_machine == EM_PPC64 && at + 8 == address))
		return PD_NO_INDEX;
	return i;
}

/* What a relocation of section refers to. */
static bool read_reloc(const struct table *t, uint32_t section, const GElf_Rela *rela,
		       struct pd_reloc *ret_reloc)
{
	struct pd_image *image = t->image;
	uint64_t place = (uint64_t)rela->r_addend +
			 (uint64_t)branch_bias(image, GELF_R_TYPE(rela->r_info));
	GElf_Sym sym;

	if (!gelf_getsym(t->data, (int)GELF_R_SYM(rela->r_info), &sym))
		return false;
	*ret_reloc = (struct pd_reloc){
		.section = section,
		.address = rela->r_offset,
		.symbol = PD_NO_INDEX,
	};
	if (sym.st_shndx == SHN_UNDEF)
		ret_reloc->name = name_of(&image->strings, t->elf, t->names, sym.st_name);
	else if (sym.st_shndx < t->n_own_sections && t->sections[sym.st_shndx])
		/* A local function is often told as an offset in its section. */
		ret_reloc->symbol = symbol_at(image, t->sections[sym.st_shndx],
					      sym.st_value + place);
	return true;
}

static int compare_relocs(const void *a, const void *b)
{
	const struct pd_reloc *x = a, *y = b;

	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Append the relocations of one table, if it is of code. */
static void read_reloc_table(const struct table *t, Elf_Scn *scn, const GElf_Shdr *header,
			     struct pd_reloc *relocs, uint32_t *n)
{
	bool has_addends = header->sh_type == SHT_RELA;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n_entries = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < n_entries; i++) {
		GElf_Rela rela = {0};
		GElf_Rel rel;

		if (has_addends ? !gelf_getrela(data, (int)i, &rela)
				: !gelf_getrel(data, (int)i, &rel))
			continue;
		/* In place, an x86 operand of a call to a whole function is -4. */
		if (!has_addends)
			rela = (GElf_Rela){rel.r_offset, rel.r_info,
					   -branch_bias(t->image, GELF_R_TYPE(rel.r_info))};
		*n += read_reloc(t, header->sh_info, &rela, &relocs[*n]);
	}
}

static bool is_code_reloc(const struct table *t, const GElf_Shdr *header)
{
	return (header->sh_type == SHT_RELA || header->sh_type == SHT_REL) &&
	       header->sh_info < t->n_own_sections && t->sections[header->sh_info] &&
	       t->image->sections[header->sh_info].is_code && header->sh_entsize;
}

static int read_relocs(const struct table *t, struct pd_error *err)
{
	struct pd_image *image = t->image;
	Elf_Scn *scn = NULL;
	uint64_t n = 0;
	GElf_Shdr s;

	while ((scn = elf_nextscn(t->elf, scn)))
		if (gelf_getshdr(scn, &s) && is_code_reloc(t, &s))
			n += s.sh_size / s.sh_entsize;
	if (n > image->file_bytes)
		return pd_fail(err, PD_ERR_FORMAT, "more relocations than bytes");
	image->relocs = pd_arena_array(&image->arena, n + 1, sizeof(*image->relocs));
	if (!image->relocs)
		return pd_fail_nomem(err);
	while ((scn = elf_nextscn(t->elf, scn)))
		if (gelf_getshdr(scn, &s) && is_code_reloc(t, &s))
			read_reloc_table(t, scn, &s, image->relocs, &image->n_relocs);
	qsort(image->relocs, image->n_relocs, sizeof(*image->relocs), compare_relocs);
	return PD_OK;
}

int pd_elf_read_symbols(struct pd_span bytes, const struct pd_image_options *options,
			struct pd_image *image, struct pd_error *err)
{
	struct table t = {.image = image, .options = options};
	GElf_Ehdr header;
	int rc = PD_OK;

	t.elf = begin(bytes, &header, err);
	if (!t.elf)
		return PD_ERR_FORMAT;
	if (!find_table(&t))
		rc = pd_fail(err, PD_ERR_EMPTY, "expected a symbol table, found none (stripped)");
	else if (t.n > options->limits->n_functions || t.n > INT32_MAX)
		rc = pd_fail(err, PD_ERR_LIMIT, "%zu symbols; --max-functions raises the limit of "
			     "%u", t.n, options->limits->n_functions);
	else if (!match_sections(&t) || !read_table(&t))
		rc = pd_fail_nomem(err);
	else
		rc = pd_symbols_settle(image, t.raw, t.n_raw, err);
	if (rc == PD_OK && image->is_relocatable)
		rc = read_relocs(&t, err);
	free(t.raw);
	free(t.sections);
	(void)elf_end(t.elf);
	return rc;
}
