/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols of ELF files, as perf takes them. Contract: lookup.h; the rules are those of
 * PERFDATA 6.2 and 6.3. They differ from those of an image (elf_symbols.c), where a
 * symbol is a piece of a section and has a size: here any of them may name an address.
 */
#include "image/lookup_elf.h"

#include <elf.h>
#include <stdlib.h>

int pd_lookup_elf_open(struct pd_lookup_elf *f, struct pd_span bytes, uint64_t *budget,
		       struct pd_error *err)
{
	size_t names;

	f->bytes = bytes;
	f->elf = pd_elf_begin(bytes, &f->header, err);
	if (!f->elf)
		return PD_ERR_FORMAT;
	if (elf_getshdrnum(f->elf, &f->n_sections) || elf_getshdrstrndx(f->elf, &names) ||
	    f->n_sections > bytes.len)
		return pd_fail(err, PD_ERR_FORMAT, "expected section headers, found none");
	f->sections = calloc(f->n_sections + 1, sizeof(*f->sections));
	if (!f->sections)
		return pd_fail_nomem(err);
	for (size_t i = 1; i < f->n_sections; i++) {
		struct pd_lookup_section *s = &f->sections[i];

		if (gelf_getshdr(elf_getscn(f->elf, i), &s->header))
			s->name = pd_elf_name(f->elf, names, s->header.sh_name, budget);
		else
			s->header = (GElf_Shdr){0};
	}
	return *budget ? PD_OK : pd_elf_fail_names(err);
}

void pd_lookup_elf_close(struct pd_lookup_elf *f)
{
	free(f->sections);
	(void)elf_end(f->elf);
	*f = (struct pd_lookup_elf){0};
}

struct pd_span pd_lookup_elf_bytes(const struct pd_lookup_elf *f,
				   const struct pd_lookup_section *s)
{
	const GElf_Shdr *h = &s->header;

	if (h->sh_type == SHT_NOBITS || h->sh_flags & SHF_COMPRESSED ||
	    h->sh_offset > f->bytes.len || h->sh_size > f->bytes.len - h->sh_offset)
		return pd_span_of("");
	return (struct pd_span){f->bytes.ptr + h->sh_offset, h->sh_size};
}

const struct pd_lookup_section *pd_lookup_elf_section(const struct pd_lookup_elf *f,
						      const char *name)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (pd_span_eq(f->sections[i].name, name))
			return &f->sections[i];
	return NULL;
}

bool pd_lookup_elf_table(const struct pd_lookup_elf *f, uint32_t type,
			 struct pd_lookup_table *ret_table)
{
	struct pd_lookup_table t = {0};

	for (size_t i = 1; i < f->n_sections && !t.no; i++)
		if (f->sections[i].header.sh_type == type && f->sections[i].header.sh_size)
			t.no = i;
	if (!t.no || f->sections[t.no].header.sh_link >= f->n_sections)
		return false;
	t.data = elf_getdata(elf_getscn(f->elf, t.no), NULL);
	t.names = pd_lookup_elf_bytes(f, &f->sections[f->sections[t.no].header.sh_link]);
	while (t.names.len && t.names.ptr[t.names.len - 1])
		t.names.len--;
	if (!t.data || !f->sections[t.no].header.sh_entsize)
		return false;
	t.n = t.data->d_size / f->sections[t.no].header.sh_entsize;
	if (t.n > INT32_MAX)
		return false;
	*ret_table = t;
	return true;
}

const char *pd_lookup_elf_name(const struct pd_lookup_table *t, uint64_t at)
{
	return at < t->names.len && t->names.ptr[at] ? t->names.ptr + at : NULL;
}

/* ---- which symbols ---- */

struct reader {
	struct pd_lookup *l;
	struct pd_lookup_elf symbols, runtime;
	enum pd_lookup_role role;
	const struct pd_lookup_section *opd; /* PowerPC64's descriptors, or NULL */
};

/* A name that assemblers give to places on ARM: "$t", "$x.12". */
static bool is_mapping(const struct reader *r, const char *name)
{
	uint16_t machine = r->symbols.header.e_machine;

	return (machine == EM_ARM || machine == EM_AARCH64) && name[0] == '$' && name[1] &&
	       strchr("adtx", name[1]) && (!name[2] || name[2] == '.');
}

static bool has_word(struct pd_span section, const char *word)
{
	return pd_span_find(section, word) != SIZE_MAX;
}

/*
 * The section of a symbol, which is there; NULL: it is no symbol of code or data. Where
 * a debug file left the bytes out, places in the file are those of the runtime file.
 */
static const struct pd_lookup_section *section_of(const struct reader *r, size_t no)
{
	const struct pd_lookup_section *s;

	if (!no || no >= r->symbols.n_sections)
		return NULL;
	s = &r->symbols.sections[no];
	if (!(s->header.sh_flags & SHF_ALLOC))
		return NULL;
	if (s->header.sh_type == SHT_NOBITS && no < r->runtime.n_sections)
		s = &r->runtime.sections[no];
	return s;
}

static bool is_wanted(const GElf_Sym *sym, struct pd_span section)
{
	int type = GELF_ST_TYPE(sym->st_info), seen = GELF_ST_VISIBILITY(sym->st_other);

	if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
		return true;
	return type == STT_NOTYPE && seen != STV_HIDDEN && seen != STV_INTERNAL &&
	       (has_word(section, "text") || has_word(section, "data"));
}

/* A symbol in .opd names a descriptor; its first word is where the code is. */
static void follow_descriptor(const struct reader *r, uint64_t *value_io)
{
	struct pd_span bytes = pd_lookup_elf_bytes(&r->runtime, r->opd);
	uint64_t at = *value_io - r->opd->header.sh_addr, code;

	if (at > bytes.len || bytes.len - at < sizeof(code))
		return;
	memcpy(&code, bytes.ptr + at, sizeof(code));
	if (r->runtime.header.e_ident[EI_DATA] !=
	    (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB))
		code = __builtin_bswap64(code);
	*value_io = code;
}

/* What a value is in the addresses of the role; false: it is none of them. */
static bool place(const struct reader *r, const struct pd_lookup_section *s, uint64_t value,
		  uint64_t *ret_start)
{
	const struct pd_lookup *l = r->l;
	uint64_t in_file = value - s->header.sh_addr + s->header.sh_offset;
	uint64_t address = r->role == PD_LOOKUP_MODULE ? in_file : value;

	*ret_start = value;
	if (r->role == PD_LOOKUP_KERNEL)
		return true;
	for (uint32_t i = 0; i < l->n_segments; i++)
		if (address >= l->segments[i].address &&
		    address - l->segments[i].address < l->segments[i].n_bytes) {
			*ret_start = address - l->segments[i].address + l->segments[i].offset;
			return true;
		}
	*ret_start = in_file;
	return r->role == PD_LOOKUP_FILE;
}

static void add_symbol(struct reader *r, const struct pd_lookup_table *t, const GElf_Sym *sym,
		       size_t no)
{
	const struct pd_lookup_section *s = section_of(r, no);
	int bind = GELF_ST_BIND(sym->st_info);
	uint64_t value = sym->st_value;
	struct pd_lookup_symbol new = {.n_name = PD_LOOKUP_NUL};

	new.name = s ? pd_lookup_elf_name(t, sym->st_name) : NULL;
	if (!new.name || !is_wanted(sym, s->name) || is_mapping(r, new.name))
		return;
	if (r->symbols.header.e_machine == EM_ARM && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		value &= ~UINT64_C(1); /* a mark of Thumb code */
	if (r->opd && s->header.sh_addr == r->opd->header.sh_addr)
		follow_descriptor(r, &value);
	if (!place(r, s, value, &new.start))
		return;
	new.end = sym->st_size > UINT64_MAX - new.start ? UINT64_MAX : new.start + sym->st_size;
	new.flags = bind == STB_WEAK ? PD_LOOKUP_WEAK : bind == STB_GLOBAL ? PD_LOOKUP_GLOBAL : 0;
	if (s->header.sh_flags & SHF_EXECINSTR)
		new.flags |= PD_LOOKUP_CODE;
	pd_lookup_add(r->l, &new);
}

/* Section numbers above 65279, for a table; or NULL. */
static Elf_Data *find_wide(const struct pd_lookup_elf *f, size_t table)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (f->sections[i].header.sh_type == SHT_SYMTAB_SHNDX &&
		    f->sections[i].header.sh_link == table)
			return elf_getdata(elf_getscn(f->elf, i), NULL);
	return NULL;
}

static int read_table(struct reader *r, const struct pd_lookup_table *t, struct pd_error *err)
{
	Elf_Data *wide = find_wide(&r->symbols, t->no);

	(void)pd_lookup_reserve(r->l, t->n);
	for (size_t i = 1; i < t->n && !r->l->failed; i++) {
		Elf32_Word no = 0;
		GElf_Sym sym;

		if (!gelf_getsymshndx(t->data, wide, (int)i, &sym, &no))
			continue;
		if (sym.st_shndx != SHN_XINDEX)
			no = sym.st_shndx < SHN_LORESERVE ? sym.st_shndx : 0;
		add_symbol(r, t, &sym, no);
	}
	return pd_lookup_settle(r->l, err);
}

static int read_segments(struct reader *r, struct pd_error *err)
{
	struct pd_lookup *l = r->l;
	size_t n;

	if (elf_getphdrnum(r->runtime.elf, &n) || n > r->runtime.bytes.len)
		n = 0;
	l->segments = calloc(n + 1, sizeof(*l->segments));
	if (!l->segments)
		return pd_fail_nomem(err);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(r->runtime.elf, (int)i, &p) && p.p_type == PT_LOAD)
			l->segments[l->n_segments++] = (struct pd_lookup_segment){
				.address = p.p_vaddr,
				.offset = p.p_offset,
				.n_bytes = p.p_memsz > p.p_filesz ? p.p_memsz : p.p_filesz,
			};
	}
	return PD_OK;
}

/*
 * Where the kernel puts the code of a module: its sections in their order, each aligned,
 * without those that it drops when the module has begun.
 */
static int place_sections(struct reader *r, struct pd_error *err)
{
	const struct pd_lookup_elf *f = &r->symbols;
	struct pd_lookup *l = r->l;
	uint64_t end = 0;

	l->segments = calloc(f->n_sections + 1, sizeof(*l->segments));
	if (!l->segments)
		return pd_fail_nomem(err);
	for (size_t i = 1; i < f->n_sections; i++) {
		const GElf_Shdr *h = &f->sections[i].header;
		uint64_t align = h->sh_addralign ? h->sh_addralign : 1;

		if (!(h->sh_flags & SHF_ALLOC) || !(h->sh_flags & SHF_EXECINSTR) ||
		    pd_span_starts(f->sections[i].name, ".init"))
			continue;
		/* What is larger than the file is no code in it. */
		if (h->sh_size > f->bytes.len || align > f->bytes.len)
			continue;
		end = (end + align - 1) / align * align;
		l->segments[l->n_segments++] = (struct pd_lookup_segment){
			.address = h->sh_offset, .offset = end, .n_bytes = h->sh_size,
		};
		end += h->sh_size;
	}
	return PD_OK;
}

static int read_tables(struct reader *r, struct pd_error *err)
{
	struct pd_lookup_table t;
	int rc = PD_OK;

	if (pd_lookup_elf_table(&r->symbols, SHT_SYMTAB, &t))
		rc = read_table(r, &t, err);
	/* Again with what the first left, as perf does: aliases are chosen twice. */
	if (rc == PD_OK && pd_lookup_elf_table(&r->symbols, SHT_DYNSYM, &t))
		rc = read_table(r, &t, err);
	if (rc == PD_OK && r->l->n && r->role == PD_LOOKUP_FILE) {
		pd_lookup_add_plt(r->l, &r->runtime);
		rc = pd_lookup_sort(r->l, err);
	}
	return rc;
}

int pd_lookup_read_elf(struct pd_lookup *l, struct pd_span symbols, struct pd_span runtime,
		       enum pd_lookup_role role, struct pd_error *err)
{
	struct reader r = {.l = l, .role = role};
	int rc;

	l->budget = pd_elf_name_budget(symbols) + pd_elf_name_budget(runtime);
	rc = pd_lookup_elf_open(&r.symbols, symbols, &l->budget, err);
	if (rc == PD_OK)
		rc = pd_lookup_elf_open(&r.runtime, runtime, &l->budget, err);
	if (rc == PD_OK)
		rc = role == PD_LOOKUP_MODULE ? place_sections(&r, err) : read_segments(&r, err);
	if (rc == PD_OK) {
		if (r.runtime.header.e_machine == EM_PPC64)
			r.opd = pd_lookup_elf_section(&r.runtime, ".opd");
		rc = read_tables(&r, err);
	}
	pd_lookup_elf_close(&r.symbols);
	pd_lookup_elf_close(&r.runtime);
	return rc;
}
