/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relocations of ELF files, as far as they tell what code calls (the supplements of
 * the machines to the System V ABI say what each means).
 */
#include <elf.h>
#include <stdlib.h>

#include "image/elf_table.h"

/* How far behind the place itself the addends of branches count from. */
static int64_t branch_bias(const struct pd_image *image, uint64_t type)
{
	if (image->elf_machine == EM_X86_64)
		return type == R_X86_64_PC32 || type == R_X86_64_PLT32 ||
				       type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
				       type == R_X86_64_REX_GOTPCRELX ? 4 : 0;
	if (image->elf_machine == EM_386)
		return type == R_386_PC32 || type == R_386_PLT32 ? 4 : 0;
	/* Instructions begin two bytes before their operand, and count from there. */
	if (image->elf_machine == EM_S390)
		return type == R_390_PC16DBL || type == R_390_PLT16DBL ||
			       type == R_390_PC32DBL || type == R_390_PLT32DBL ? -2 : 0;
	return 0;
}

/* Tables without addends have them in the instruction; here those of branches. */
static int64_t addend_in_place(const struct pd_image *image, uint32_t section, uint64_t offset,
			       uint64_t type)
{
	const struct pd_section *s = &image->sections[section];
	uint32_t w;

	if (!s->bytes || offset > s->n_bytes || s->n_bytes - offset < sizeof(w))
		return 0;
	w = pd_elf_load32(s->bytes + offset, pd_elf_is_swapped(image));
	if (image->elf_machine == EM_386)
		return (int32_t)w;
	if (image->elf_machine == EM_MIPS && type == R_MIPS_26)
		return (int64_t)(w & 0x03ffffff) * 4;
	if (image->elf_machine == EM_MIPS && type == R_MIPS_PC16)
		return (int64_t)(int16_t)(w & 0xffff) * 4 + 4;
	if (image->elf_machine == EM_ARM && (type == R_ARM_PC24 || type == R_ARM_PLT32 ||
					     type == R_ARM_CALL || type == R_ARM_JUMP24))
		return (int64_t)((int32_t)(w << 8) / 256) * 4 + 8;
	return 0;
}

/* MIPS with 64 bits packs three types beside the symbol, in an order of its own. */
static void unpack_info(const struct pd_image *image, uint64_t info, size_t *ret_symbol,
			uint64_t *ret_type)
{
	*ret_symbol = GELF_R_SYM(info);
	*ret_type = GELF_R_TYPE(info);
	if (image->elf_machine == EM_MIPS && image->is_64bit) {
		*ret_symbol = image->is_big_endian ? info >> 32 : info & UINT32_MAX;
		*ret_type = image->is_big_endian ? info & 0xff : info >> 56;
	}
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

/* Relocations of the same symbol are many: its name is read once. */
static pd_str undefined_name(struct pd_elf_table *t, size_t symbol, const GElf_Sym *sym)
{
	pd_str *name = symbol < t->n ? &t->undefined[symbol] : NULL;

	if (name && !name->id)
		*name = pd_strtab_intern(&t->image->strings, pd_elf_symbol_name(t, sym));
	return name ? *name : (pd_str){0};
}

/* What a relocation of section refers to. */
static bool read_reloc(struct pd_elf_table *t, uint32_t section, const GElf_Rela *rela,
		       struct pd_reloc *ret_reloc)
{
	struct pd_image *image = t->image;
	uint64_t type, place;
	size_t symbol;
	GElf_Sym sym;

	unpack_info(image, rela->r_info, &symbol, &type);
	if (!gelf_getsym(t->data, (int)symbol, &sym))
		return false;
	place = sym.st_value + (uint64_t)rela->r_addend + (uint64_t)branch_bias(image, type);
	*ret_reloc = (struct pd_reloc){
		.section = section,
		.address = rela->r_offset,
		.symbol = PD_NO_INDEX,
	};
	if (sym.st_shndx == SHN_UNDEF) {
		ret_reloc->name = undefined_name(t, symbol, &sym);
		ret_reloc->target_address = place - sym.st_value;
	} else if (sym.st_shndx < t->n_own_sections && t->sections[sym.st_shndx]) {
		/* A local function is often told as an offset in its section. */
		uint32_t target = t->sections[sym.st_shndx];

		if (t->opd && target == t->opd)
			pd_elf_follow_descriptor(t, &target, &place);
		ret_reloc->symbol = symbol_at(image, target, place);
		ret_reloc->target_section = target;
		ret_reloc->target_address = place;
	}
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
static void read_reloc_table(struct pd_elf_table *t, Elf_Scn *scn, const GElf_Shdr *header,
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
		if (!has_addends) {
			size_t symbol;
			uint64_t type;

			unpack_info(t->image, rel.r_info, &symbol, &type);
			rela = (GElf_Rela){rel.r_offset, rel.r_info,
					   addend_in_place(t->image, header->sh_info,
							   rel.r_offset, type)};
		}
		*n += read_reloc(t, header->sh_info, &rela, &relocs[*n]);
	}
}

static bool is_code_reloc(const struct pd_elf_table *t, const GElf_Shdr *header)
{
	return (header->sh_type == SHT_RELA || header->sh_type == SHT_REL) &&
	       header->sh_info < t->n_own_sections && t->sections[header->sh_info] &&
	       t->image->sections[header->sh_info].is_code && header->sh_entsize;
}

int pd_elf_read_relocs(struct pd_elf_table *t, struct pd_error *err)
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
	t->undefined = calloc(t->n + 1, sizeof(*t->undefined));
	t->budget = pd_elf_name_budget(t->file);
	if (!image->relocs || !t->undefined)
		return pd_fail_nomem(err);
	while ((scn = elf_nextscn(t->elf, scn)))
		if (gelf_getshdr(scn, &s) && is_code_reloc(t, &s))
			read_reloc_table(t, scn, &s, image->relocs, &image->n_relocs);
	qsort(image->relocs, image->n_relocs, sizeof(*image->relocs), compare_relocs);
	return PD_OK;
}
