/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols of ELF files, made byte by byte: where they are, which are taken, stubs of the
 * PLT, and files that lie.
 */
#include <elf.h>
#include <stdlib.h>

#include "image/lookup.h"
#include "support.h"

enum {
	FILE_BYTES = 8192,
	NO_TEXT = 1, NO_DATA, NO_PLT, NO_SEC, NO_DYNSYM, NO_RELA, NO_STR, NO_SYMTAB, NO_NOTES,
	N_SECTIONS,
	HEADERS = 4096, STRINGS = 5120, SYMBOLS = 6144, DYNAMIC = 7168, RELOCS = 7680,
	TEXT = 1024, PLT = 2048, SEC = 2560,
	BASE = 0x401000, /* address of what is at TEXT */
};

struct file {
	_Alignas(16) unsigned char bytes[FILE_BYTES];
	Elf64_Shdr *sections;
	uint32_t n_strings, n_symbols;
};

static uint32_t add_string(struct file *f, const char *s)
{
	uint32_t at = f->n_strings;

	memcpy(f->bytes + STRINGS + at, s, strlen(s) + 1);
	f->n_strings += (uint32_t)strlen(s) + 1;
	f->sections[NO_STR].sh_size = f->n_strings;
	return at;
}

static void set_section(struct file *f, int no, const char *name, uint32_t type, uint64_t flags,
			uint64_t offset, uint64_t size, uint64_t entry)
{
	f->sections[no] = (Elf64_Shdr){
		.sh_name = add_string(f, name), .sh_type = type, .sh_flags = flags,
		.sh_addr = flags & SHF_ALLOC ? BASE - TEXT + offset : 0, .sh_offset = offset,
		.sh_size = size, .sh_entsize = entry, .sh_link = NO_STR,
	};
}

static void add_symbol(struct file *f, const char *name, int type, int bind, uint16_t section,
		       uint64_t value, uint64_t size)
{
	Elf64_Sym *s = (Elf64_Sym *)(void *)(f->bytes + SYMBOLS) + f->n_symbols++;

	*s = (Elf64_Sym){
		.st_name = add_string(f, name), .st_info = (unsigned char)ELF64_ST_INFO(bind, type),
		.st_shndx = section, .st_value = value, .st_size = size,
	};
	f->sections[NO_SYMTAB].sh_size = f->n_symbols * sizeof(*s);
}

static void make(struct file *f, uint16_t type)
{
	Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)f->bytes;
	Elf64_Phdr *p = (Elf64_Phdr *)(void *)(f->bytes + sizeof(*h));

	*f = (struct file){.sections = (Elf64_Shdr *)(void *)(f->bytes + HEADERS)};
	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_ident[EI_VERSION] = EV_CURRENT;
	h->e_type = type;
	h->e_machine = EM_X86_64;
	h->e_version = EV_CURRENT;
	h->e_ehsize = sizeof(*h);
	h->e_phoff = sizeof(*h);
	h->e_phentsize = sizeof(*p);
	h->e_phnum = type == ET_REL ? 0 : 1;
	h->e_shoff = HEADERS;
	h->e_shentsize = sizeof(Elf64_Shdr);
	h->e_shnum = N_SECTIONS;
	h->e_shstrndx = NO_STR;
	*p = (Elf64_Phdr){.p_type = PT_LOAD, .p_offset = TEXT, .p_vaddr = BASE,
			  .p_filesz = 3072, .p_memsz = 3072};
	f->n_strings = 1;
	set_section(f, NO_STR, ".strtab", SHT_STRTAB, 0, STRINGS, 1, 0);
	set_section(f, NO_TEXT, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, 512, 0);
	set_section(f, NO_DATA, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, TEXT + 512, 256, 0);
	set_section(f, NO_SYMTAB, ".symtab", SHT_SYMTAB, 0, SYMBOLS, 0, sizeof(Elf64_Sym));
	add_symbol(f, "", STT_NOTYPE, STB_LOCAL, 0, 0, 0);
}

/* "name@start+size ..." of all symbols; the caller frees it. */
static char *read_all(struct file *f, enum pd_lookup_role role)
{
	const struct pd_span bytes = {(const char *)f->bytes, FILE_BYTES};
	struct pd_lookup l = {.demangles = true};
	struct pd_buf out = {0};

	assert_int_equal(pd_lookup_read_elf(&l, bytes, bytes, role, NULL), PD_OK);
	pd_buf_add_str(&out, "");
	for (uint32_t i = 0; i < l.n; i++) {
		struct pd_span name = pd_lookup_name(&l, i);

		pd_buf_printf(&out, "%s%.*s@%llx+%llx", i ? " " : "", PD_SPAN_ARG(name),
			      (unsigned long long)l.symbols[i].start,
			      (unsigned long long)(l.symbols[i].end - l.symbols[i].start));
	}
	pd_lookup_done(&l);
	return out.ptr;
}

#define assert_symbols(f, role, want)                                                         \
	do {                                                                                  \
		char *have_ = read_all(f, role);                                              \
		assert_string_equal(have_, want);                                             \
		free(have_);                                                                  \
	} while (0)

static void add_usual(struct file *f, uint64_t base)
{
	add_symbol(f, "main", STT_FUNC, STB_GLOBAL, NO_TEXT, base + 0x10, 0x20);
	add_symbol(f, "_start", STT_NOTYPE, STB_GLOBAL, NO_TEXT, base + 0x40, 0);
	add_symbol(f, "table", STT_OBJECT, STB_LOCAL, NO_DATA, base + 512, 16);
	add_symbol(f, "_Z3fooi", STT_GNU_IFUNC, STB_WEAK, NO_TEXT, base + 0x60, 4);
	/* None of these is one. */
	add_symbol(f, "tls", STT_TLS, STB_GLOBAL, NO_DATA, base + 8, 4);
	add_symbol(f, "file.c", STT_FILE, STB_LOCAL, SHN_ABS, 0, 0);
	add_symbol(f, "absolute", STT_FUNC, STB_GLOBAL, SHN_ABS, base + 4, 4);
	add_symbol(f, "undefined", STT_FUNC, STB_GLOBAL, SHN_UNDEF, 0, 0);
	add_symbol(f, "", STT_FUNC, STB_GLOBAL, NO_TEXT, base + 12, 4);
	add_symbol(f, "not_loaded", STT_FUNC, STB_GLOBAL, NO_STR, base + 12, 4);
	add_symbol(f, "no_section", STT_FUNC, STB_GLOBAL, 999, base + 12, 4);
}

static void test_roles(void **state)
{
	struct file f;

	(void)state;
	make(&f, ET_EXEC);
	add_usual(&f, BASE);
	/* TEXT is 0x400: offsets of the file. */
	assert_symbols(&f, PD_LOOKUP_FILE, "main@410+20 _start@440+20 foo@460+4 table@600+10");
	assert_symbols(&f, PD_LOOKUP_KERNEL,
		       "main@401010+20 _start@401040+20 foo@401060+4 table@401200+10");
	make(&f, ET_REL);
	f.sections[NO_TEXT].sh_addr = f.sections[NO_DATA].sh_addr = 0;
	add_symbol(&f, "init_module", STT_FUNC, STB_GLOBAL, NO_TEXT, 0x8, 0x20);
	/* Code only, in the order of the sections; what is dropped after the start is not there. */
	add_symbol(&f, "params", STT_OBJECT, STB_GLOBAL, NO_DATA, 0x8, 0x20);
	set_section(&f, NO_PLT, ".init.text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, PLT, 48, 0);
	set_section(&f, NO_SEC, ".text.unlikely", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, SEC, 32,
		    0);
	f.sections[NO_PLT].sh_addr = f.sections[NO_SEC].sh_addr = 0;
	f.sections[NO_TEXT].sh_size = 0x1f8;
	f.sections[NO_SEC].sh_addralign = 16;
	add_symbol(&f, "begin", STT_FUNC, STB_LOCAL, NO_PLT, 0x8, 0x20);
	add_symbol(&f, "rare", STT_FUNC, STB_LOCAL, NO_SEC, 0x4, 0x8);
	assert_symbols(&f, PD_LOOKUP_MODULE, "init_module@8+20 rare@204+8");
}

static void add_dynamic(struct file *f, const char *first, const char *second)
{
	Elf64_Sym *syms = (Elf64_Sym *)(void *)(f->bytes + DYNAMIC);
	Elf64_Rela *relocs = (Elf64_Rela *)(void *)(f->bytes + RELOCS);

	set_section(f, NO_DYNSYM, ".dynsym", SHT_DYNSYM, 0, DYNAMIC, 3 * sizeof(*syms),
		    sizeof(*syms));
	set_section(f, NO_RELA, ".rela.plt", SHT_RELA, 0, RELOCS, 2 * sizeof(*relocs),
		    sizeof(*relocs));
	f->sections[NO_RELA].sh_link = NO_DYNSYM;
	syms[1].st_name = add_string(f, first);
	syms[2].st_name = add_string(f, second);
	for (unsigned i = 0; i < 2; i++)
		relocs[i] = (Elf64_Rela){0x404000 + 8 * i, ELF64_R_INFO(i + 1, R_X86_64_JUMP_SLOT),
					 0};
}

static void test_plt(void **state)
{
	static const unsigned char stub[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25};
	struct file f;
	uint64_t at = BASE - TEXT + SEC + 16;
	uint32_t distance = (uint32_t)(0x404008 - (at + 10));

	(void)state;
	make(&f, ET_EXEC);
	add_symbol(&f, "main", STT_FUNC, STB_GLOBAL, NO_TEXT, BASE + 0x10, 0x20);
	set_section(&f, NO_PLT, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, PLT, 48, 16);
	/* The second of its stubs jumps through the second word. */
	set_section(&f, NO_SEC, ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, SEC, 32, 16);
	memcpy(f.bytes + SEC + 16, stub, sizeof(stub));
	memcpy(f.bytes + SEC + 16 + sizeof(stub), &distance, sizeof(distance));
	add_dynamic(&f, "puts", "_Z3barv");
	assert_symbols(&f, PD_LOOKUP_FILE,
		       "main@410+20 puts@plt@810+10 bar@plt@820+10 bar@plt@a10+10");
}

/* Each byte of the headers, in turn: no read beyond the file, whatever comes of it. */
static void test_hostile(void **state)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0xff};
	struct file f;

	(void)state;
	make(&f, ET_EXEC);
	add_usual(&f, BASE);
	set_section(&f, NO_PLT, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, PLT, 48, 16);
	set_section(&f, NO_SEC, ".plt.sec", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, SEC, 32, 16);
	add_dynamic(&f, "puts", "_Z3barv");
	for (size_t i = 16; i < FILE_BYTES; i++) {
		const unsigned char old = f.bytes[i];

		if (i >= 256 && i < HEADERS)
			continue;
		for (size_t v = 0; v < sizeof(values); v++) {
			struct pd_span bytes = {malloc(FILE_BYTES), FILE_BYTES};
			struct pd_lookup l = {.demangles = true};
			int rc;

			f.bytes[i] = values[v];
			memcpy((char *)(uintptr_t)bytes.ptr, f.bytes, FILE_BYTES);
			rc = pd_lookup_read_elf(&l, bytes, bytes, PD_LOOKUP_FILE, NULL);
			assert_true(rc == PD_OK || rc == PD_ERR_FORMAT);
			for (uint32_t s = 0; s < l.n; s++)
				(void)pd_lookup_name(&l, s);
			pd_lookup_done(&l);
			free((char *)(uintptr_t)bytes.ptr);
		}
		f.bytes[i] = old;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_plt),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
