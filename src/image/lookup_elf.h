/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ELF files as lookup_elf.c and lookup_plt.c share them.
 */
#ifndef PD_IMAGE_LOOKUP_ELF_H
#define PD_IMAGE_LOOKUP_ELF_H

#include "image/elf_table.h"
#include "image/lookup.h"

/* A section by its number; zero: there is none. */
struct pd_lookup_section {
	GElf_Shdr header;
	struct pd_span name;
};

/* One file. Zero-initialise; free with pd_lookup_elf_close(). */
struct pd_lookup_elf {
	struct pd_span bytes;
	Elf *elf;
	GElf_Ehdr header;
	struct pd_lookup_section *sections; /* [n_sections] */
	size_t n_sections;
};

/* A symbol table, and its names up to the last NUL. */
struct pd_lookup_table {
	Elf_Data *data;
	struct pd_span names;
	size_t n;
	size_t no; /* of its section */
};

int pd_lookup_elf_open(struct pd_lookup_elf *f, struct pd_span bytes, uint64_t *budget,
		       struct pd_error *err) PD_MUST_USE;
void pd_lookup_elf_close(struct pd_lookup_elf *f);
/* The first table of that type (SHT_SYMTAB, SHT_DYNSYM); false if there is none. */
bool pd_lookup_elf_table(const struct pd_lookup_elf *f, uint32_t type,
			 struct pd_lookup_table *ret_table);
/* The name at that place of the table's names; NULL: it is none, or empty. */
const char *pd_lookup_elf_name(const struct pd_lookup_table *t, uint64_t at);
/* The section of that name, or NULL. */
const struct pd_lookup_section *pd_lookup_elf_section(const struct pd_lookup_elf *f,
						      const char *name);
/* Its bytes, none if it has none in the file. */
struct pd_span pd_lookup_elf_bytes(const struct pd_lookup_elf *f,
				   const struct pd_lookup_section *s);

/* Add the stubs of the PLT of f, the runtime file, by offsets in it. */
void pd_lookup_add_plt(struct pd_lookup *l, const struct pd_lookup_elf *f);

#endif
