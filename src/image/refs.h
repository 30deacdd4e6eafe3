/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a place that code refers to is: a function, an object, a text, or so many bytes
 * from the beginning of a section; and how it is written, so that two images say the
 * same of the same place wherever it is in them.
 */
#ifndef PD_IMAGE_REFS_H
#define PD_IMAGE_REFS_H

#include "base/text.h"
#include "profdiff/image.h"

/* A place that is referred to. */
struct pd_ref {
	uint32_t section; /* 0: it is in another file: */
	uint64_t address; /* in the section, as struct pd_symbol has it; or how far behind: */
	pd_str name;      /* a symbol of that name */
};

/* The sections of an image by their addresses. Zero-initialise; free with pd_refs_done(). */
struct pd_refs {
	const struct pd_image *image; /* borrowed */
	uint32_t *sections;           /* [n] loaded ones, by address; none if relocatable */
	uint32_t n;
	uint32_t percpu;              /* a kernel's data of each processor, from 0 on; or 0 */
	uint64_t lowest;              /* address of the first one but that */
	uint64_t toc;                 /* PowerPC64: what r2 holds; 0: not known */
};

/* image must outlive *ret_refs, which is overwritten. Errors: NOMEM. */
int pd_refs_open(const struct pd_image *image, struct pd_refs *ret_refs,
		 struct pd_error *err) PD_MUST_USE;
void pd_refs_done(struct pd_refs *refs);

/* The place of an address of a linked image; false if no section has it. */
bool pd_refs_find(const struct pd_refs *refs, uint64_t address, struct pd_ref *ret_ref);
/* The same of an address that may be a number that means something else. */
bool pd_refs_guess(const struct pd_refs *refs, uint64_t number, struct pd_ref *ret_ref);
/* The place of an offset in the data of a processor. */
bool pd_refs_find_percpu(const struct pd_refs *refs, uint64_t offset, struct pd_ref *ret_ref);
/* What a relocation of a relocatable image refers to. */
struct pd_ref pd_ref_of_reloc(const struct pd_reloc *reloc);

/* How a place is written. */
enum pd_ref_form {
	PD_REF_SHOWN, /* for people: "foo+0x10"; in the function at hand: "1a3" */
	PD_REF_EXACT, /* equal if it is the same place in two builds of one source */
	PD_REF_KEY,   /* equal also for variants of a function (foo.isra.0), and all of itself */
};

/* Append it. own is the symbol of the function at hand. */
void pd_ref_add(const struct pd_refs *refs, const struct pd_ref *ref, uint32_t own,
		enum pd_ref_form form, struct pd_buf *b);

#endif
