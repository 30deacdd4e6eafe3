/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ELF files: sections, symbol tables, relocations, notes. The only user of libelf.
 */
#ifndef PD_IMAGE_ELF_H
#define PD_IMAGE_ELF_H

#include "base/text.h"
#include "profdiff/image.h"

/* What else an ELF file has. Texts are borrowed from the image. */
struct pd_elf_parts {
	bool has_symtab;
	bool has_dwarf;
	bool has_zstd_dwarf;   /* of which some is compressed with zstd */
	const char *debuglink; /* name of the file with the rest, or NULL */
	uint32_t debuglink_crc; /* of that file */
};

bool pd_elf_sniff(struct pd_span bytes);

/*
 * Read the headers into image: machine, sections, build-id. bytes must outlive it.
 * Errors: FORMAT, TRUNCATED, NOMEM.
 */
int pd_elf_read(struct pd_span bytes, struct pd_image *image, struct pd_elf_parts *ret_parts,
		struct pd_error *err) PD_MUST_USE;
/*
 * Read the symbol table, the release of a kernel and, of a relocatable file, what its
 * code refers to. bytes
 * are those of the image, or of its separate debug file: sections are found by
 * their number there if name and address are the same. Errors: EMPTY (there is
 * none), FORMAT, LIMIT, NOMEM.
 */
int pd_elf_read_symbols(struct pd_span bytes, const struct pd_image_options *options,
			struct pd_image *image, struct pd_error *err) PD_MUST_USE;

#endif
