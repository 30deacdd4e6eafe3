/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ELF files from the inside: what elf.c (headers, sections), elf_symbols.c and
 * elf_relocs.c share. libelf is for these, lookup_elf.c and lookup_plt.c alone.
 */
#ifndef PD_IMAGE_ELF_TABLE_H
#define PD_IMAGE_ELF_TABLE_H

#include <gelf.h>

#include "image/elf.h"
#include "image/symbols.h"

enum { PD_ELF_WAITING = 64 };

/* A symbol table on its way into an image. */
struct pd_elf_table {
	struct pd_span file;
	struct pd_image *image;
	const struct pd_image_options *options;
	Elf *elf;
	Elf_Data *data;
	Elf_Data *wide; /* section numbers above 65279, or NULL */
	struct pd_span strings; /* its names */
	size_t n;
	uint32_t *sections;       /* [n_own_sections] of the image, by number here */
	size_t n_own_sections;
	uint64_t budget; /* for names; see pd_elf_name_budget() */
	uint32_t opd;             /* section of PowerPC64's function descriptors, or 0 */
	struct pd_arena scratch;
	/* Names that are not interned yet: it is quicker for many at once. */
	struct pd_span waiting[PD_ELF_WAITING];
	uint32_t waiting_raw[PD_ELF_WAITING]; /* whose they are */
	uint32_t n_waiting;
	struct pd_raw_symbol *raw;
	size_t n_raw;
	pd_str *undefined; /* [n] names of other files' symbols that code refers to */
};

/* NULL with err filled. */
Elf *pd_elf_begin(struct pd_span bytes, GElf_Ehdr *ret_header, struct pd_error *err);
/* Whether the image's numbers are of the other byte order. */
bool pd_elf_is_swapped(const struct pd_image *image);
uint32_t pd_elf_load32(const uint8_t *p, bool swap);

/*
 * Names may be ends of others, and one long name in pieces is any number of long
 * ones: this is what names of a file may have together. It is 0 when it is spent.
 */
uint64_t pd_elf_name_budget(struct pd_span file);
/* A name, or "": there is none, or no budget for it. */
struct pd_span pd_elf_name(Elf *elf, size_t table, size_t at, uint64_t *budget);
struct pd_span pd_elf_section_name(Elf *elf, size_t names, Elf_Scn *scn, uint64_t *budget);
/* The error of a spent budget. */
int pd_elf_fail_names(struct pd_error *err);

struct pd_span pd_elf_symbol_name(struct pd_elf_table *t, const GElf_Sym *sym);

/*
 * A place in .opd is a descriptor, whose first word is where the code is: PowerPC64,
 * ELFv1. Other places stay what they are.
 */
void pd_elf_follow_descriptor(const struct pd_elf_table *t, uint32_t *section_io,
			      uint64_t *address_io);

/* What the code of a relocatable file refers to, once its symbols are settled. NOMEM, FORMAT. */
int pd_elf_read_relocs(struct pd_elf_table *t, struct pd_error *err) PD_MUST_USE;

#endif
