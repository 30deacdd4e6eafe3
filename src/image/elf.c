/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ELF (System V ABI, and the supplements of its machines), read with libelf from
 * bytes in memory. Every place in the file is held against its size before use.
 */
#include "image/elf.h"

#include <elf.h>
#include <gelf.h>
#include <stdlib.h>

#include "image/elf_table.h"

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

static const uint8_t *bytes_at(struct pd_span file, uint64_t offset, uint64_t n)
{
	if (offset > file.len || n > file.len - offset)
		return NULL;
	return (const uint8_t *)file.ptr + offset;
}

/* How large a compressed section says that it is; 0: it is not compressed. */
static uint64_t inflated_size(Elf *elf, struct pd_span file, Elf_Scn *scn, const GElf_Shdr *s)
{
	const uint8_t *old = bytes_at(file, s->sh_offset, s->sh_size);
	uint64_t n = 0;
	size_t names;
	const char *name;
	GElf_Chdr c;

	if (s->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &c) ? c.ch_size : 0;
	/* ".zdebug_*": "ZLIB" and a number that is big-endian everywhere. */
	name = elf_getshdrstrndx(elf, &names) ? NULL : elf_strptr(elf, names, s->sh_name);
	if (name && !strncmp(name, ".zdebug", 7) && old && s->sh_size >= 12 &&
	    !memcmp(old, "ZLIB", 4))
		for (int i = 4; i < 12; i++)
			n = n << 8 | old[i];
	return n;
}

enum {
	MAX_SHARING = 4,    /* bytes of sections for each of the file */
	MAX_RATIO = 128,    /* inflated bytes for each of the file, */
	FREE_BYTES = 16 << 20, /* and these beside */
};

/*
 * Work and memory are to be in proportion to the file. A few kilobytes of headers
 * make any number of sections of the same bytes, and of zeros that are compressed.
 */
static bool is_in_proportion(Elf *elf, struct pd_span file)
{
	uint64_t n_bytes = 0, n_inflated = 0;
	const uint64_t most_inflated = MAX_RATIO * (uint64_t)file.len + FREE_BYTES;
	Elf_Scn *scn = NULL;
	GElf_Shdr s;

	while ((scn = elf_nextscn(elf, scn))) {
		uint64_t inflated;

		if (!gelf_getshdr(scn, &s) || s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS ||
		    !bytes_at(file, s.sh_offset, s.sh_size))
			continue;
		n_bytes += s.sh_size;
		inflated = inflated_size(elf, file, scn, &s);
		if (inflated > most_inflated || n_bytes > MAX_SHARING * (uint64_t)file.len)
			return false;
		n_inflated += inflated;
	}
	return n_inflated <= most_inflated;
}

/* NULL with err filled. Only one thread at a time may make libelf known. */
Elf *pd_elf_begin(struct pd_span bytes, GElf_Ehdr *ret_header, struct pd_error *err)
{
	Elf *elf;

	if (elf_version(EV_CURRENT) == EV_NONE) {
		(void)pd_fail(err, PD_ERR_UNSUPPORTED, "libelf is too old");
		return NULL;
	}
	/* libelf writes only to what elf_update() is for. */
	elf = elf_memory((char *)(uintptr_t)bytes.ptr, bytes.len);
	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, ret_header))
		(void)pd_fail(err, PD_ERR_FORMAT, "expected an ELF file, found a broken one");
	else if (!is_in_proportion(elf, bytes))
		(void)pd_fail(err, PD_ERR_FORMAT, "expected an ELF file, found one whose sections "
			      "have many times its bytes: it is broken");
	else
		return elf;
	(void)elf_end(elf);
	return NULL;
}

/*
 * Names may be ends of others, and one long name in pieces is any number of long
 * ones: this is what names of a file may have together. It is 0 when it is spent.
 */
uint64_t pd_elf_name_budget(struct pd_span file)
{
	return 16 * (uint64_t)file.len + (1 << 20);
}

/* A name, or "": there is none, or no budget for it. */
struct pd_span pd_elf_name(Elf *elf, size_t table, size_t at, uint64_t *budget)
{
	const char *name = elf_strptr(elf, table, at);
	struct pd_span s = {name ? name : "", name ? strnlen(name, *budget + 1) : 0};

	if (s.len > *budget)
		s.len = *budget = 0;
	*budget -= s.len;
	return s;
}

int pd_elf_fail_names(struct pd_error *err)
{
	return pd_fail(err, PD_ERR_FORMAT, "expected names, found some that have many times the "
		       "bytes of the file: it is broken");
}

struct pd_span pd_elf_section_name(Elf *elf, size_t names, Elf_Scn *scn, uint64_t *budget)
{
	GElf_Shdr s;

	return gelf_getshdr(scn, &s) ? pd_elf_name(elf, names, s.sh_name, budget) : pd_span_of("");
}

bool pd_elf_is_swapped(const struct pd_image *image)
{
	return image->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

uint32_t pd_elf_load32(const uint8_t *p, bool swap)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return swap ? __builtin_bswap32(x) : x;
}

/* The build-id is the note of type 3 of "GNU" in a list of such. */
static void read_build_id(struct pd_span file, const GElf_Shdr *s, struct pd_image *image)
{
	const uint8_t *notes = bytes_at(file, s->sh_offset, s->sh_size);
	bool swap = pd_elf_is_swapped(image);
	struct pd_buf hex = {0};
	uint64_t at = 0;

	while (notes && !image->build_id && s->sh_size - at >= 16) {
		uint64_t n_name = pd_elf_load32(notes + at, swap);
		uint64_t n = pd_elf_load32(notes + at + 4, swap);
		uint32_t type = pd_elf_load32(notes + at + 8, swap);
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

static void read_section(struct pd_span file, struct pd_span own_name, Elf_Scn *scn,
			 struct pd_image *image, struct pd_section *section,
			 struct pd_elf_parts *parts)
{
	GElf_Shdr s;
	const char *name;

	if (!gelf_getshdr(scn, &s))
		return;
	section->name = pd_strtab_intern(&image->strings, own_name);
	section->address = image->is_relocatable ? 0 : s.sh_addr;
	section->n_bytes = s.sh_size;
	section->offset = s.sh_offset;
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
	if (!strcmp(name, ".gnu_debuglink") && !parts->debuglink) {
		const char *link = (const char *)bytes_at(file, s.sh_offset, s.sh_size);

		const char *end = link ? memchr(link, '\0', s.sh_size) : NULL;
		uint64_t at = end ? ((uint64_t)(end - link) + 4) & ~UINT64_C(3) : s.sh_size;

		if (end && *link && at + 4 <= s.sh_size) {
			parts->debuglink = pd_arena_strndup(&image->arena, link, strlen(link));
			parts->debuglink_crc = pd_elf_load32((const uint8_t *)link + at,
						      pd_elf_is_swapped(image));
		}
	}
}

int pd_elf_read(struct pd_span bytes, struct pd_image *image, struct pd_elf_parts *ret_parts,
		struct pd_error *err)
{
	struct pd_elf_parts parts = {0};
	uint64_t budget = pd_elf_name_budget(bytes);
	size_t n_sections, names;
	GElf_Ehdr header;
	Elf *elf = pd_elf_begin(bytes, &header, err);
	int rc = PD_OK;

	if (!elf)
		return PD_ERR_FORMAT;
	if (header.e_machine == EM_NONE) { /* here that is a listing */
		rc = pd_fail(err, PD_ERR_FORMAT, "expected an ELF file of some machine, found one "
			     "of none: it is broken");
		goto out;
	}
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
	for (size_t i = 1; i < n_sections; i++) {
		Elf_Scn *scn = elf_getscn(elf, i);

		read_section(bytes, pd_elf_section_name(elf, names, scn, &budget), scn, image,
			     &image->sections[i], &parts);
	}
	if (!budget)
		rc = pd_elf_fail_names(err);
	*ret_parts = parts;
out:
	(void)elf_end(elf);
	return rc;
}
