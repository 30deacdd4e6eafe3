/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings of symbols: System.map, /proc/kallsyms, and what nm prints in its
 * formats bsd and posix, with sizes (-S) or without.
 *
 * A listing knows no sections, but the type of each symbol: sections are made
 * up as ".text" (t, w, i), ".data" (d, g, v, u), ".rodata" (r) and ".bss" (b, s),
 * each as long as its symbols together. Modules of kallsyms and the files of an
 * archive have their own: "[ext4] .text", "inode.o .text".
 */
#ifndef PD_IMAGE_LISTING_H
#define PD_IMAGE_LISTING_H

#include "base/map.h"
#include "image/symbols.h"

/* Whether the bytes, which may be the first ones of a file, begin as a listing does. */
bool pd_listing_sniff(struct pd_span head);

/*
 * Read a listing into the sections, symbols and aliases of image, which is
 * otherwise empty (its path, which may be NULL, is named in diagnostics). nm -S
 * gives sizes; else a size is the distance to the next address of the same module
 * or file, and is_approximate is set. The last symbol of each then has no size and
 * is left out, as are symbols more than 64 MiB before the next one, absolute,
 * common and undefined ones. Symbols are functions (t, w, i) or objects, unless
 * their names say that they are markers or padding.
 *
 * Lines that are no rows are skipped with a diagnostic. Errors: EMPTY (no symbol
 * has a size; addresses that are all 0, as the kernel shows them without
 * privileges), LIMIT, NOMEM.
 */
int pd_listing_read(struct pd_span bytes, const struct pd_limits *limits, struct pd_image *image,
		    struct pd_diags *diags, struct pd_error *err) PD_MUST_USE;

/*
 * Symbols as they are collected, by whatever lists them with the types of nm.
 * Zero-initialise it with the image and the limits; free with pd_listing_done().
 */
struct pd_listing {
	struct pd_image *image;
	const struct pd_limits *limits;
	bool has_sizes; /* some symbol has one: those that have none are left out */
	struct pd_raw_symbol *raw;
	struct pd_listing_section *sections;
	uint32_t n, cap, n_sections, cap_sections;
	struct pd_map section_of; /* index of a section, by place and by what it is */
};

struct pd_listed_symbol {
	uint64_t address, n_bytes; /* 0 bytes: none are given */
	struct pd_span name;
	pd_str place, file; /* of the image's strings; "[ext4]", "inode.o"; both may be none */
	char type;          /* as nm has it */
};

/* Add a symbol unless its type or its name says that it is no use. Errors: NOMEM, LIMIT. */
int pd_listing_add(struct pd_listing *l, const struct pd_listed_symbol *s,
		   struct pd_error *err) PD_MUST_USE;
/* Sizes, sections, symbols and aliases of the image. Errors: EMPTY, NOMEM, LIMIT. */
int pd_listing_finish(struct pd_listing *l, struct pd_error *err) PD_MUST_USE;
void pd_listing_done(struct pd_listing *l);

#endif
