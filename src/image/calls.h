/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call sites: which instructions of an image go to a function.
 *
 * A site is a direct call, jump or conditional jump whose target address is the
 * function's. Code of all sections that have a function is searched: in functions,
 * and in what lies between them (the body of an overridden weak function has no
 * symbol). A jump from within the function itself is a loop to its entry, and no
 * site; a call from there is one: recursion. Where symbols overlap, an address
 * belongs to the one that begins last.
 */
#ifndef PD_IMAGE_CALLS_H
#define PD_IMAGE_CALLS_H

#include "profdiff/image.h"

enum pd_call_kind {
	PD_CALL_CALL,
	PD_CALL_JUMP, /* a tail call, or from a cold part back */
	PD_CALL_CONDITIONAL,
};

struct pd_call {
	uint32_t caller;  /* symbol index, or PD_NO_INDEX: in no function */
	uint32_t section; /* index */
	uint64_t address; /* of the instruction; as in struct pd_symbol */
	enum pd_call_kind kind;
};

/* Sorted by (section, address), no place twice. Zero-initialise; free with pd_calls_done(). */
struct pd_calls {
	struct pd_call *items;
	size_t n, cap;
};

/*
 * Sites of a symbol of image, under all its names. In a relocatable image the
 * relocations tell where branches go, and their bits only where there is none.
 * *ret_calls is overwritten; free it with pd_calls_done(). Errors: UNSUPPORTED
 * (machine), NOMEM, INTERNAL (no such symbol).
 */
int pd_calls_find(const struct pd_image *image, uint32_t symbol, struct pd_calls *ret_calls,
		  struct pd_error *err) PD_MUST_USE;
/*
 * The same for a function that a relocatable image refers to by name (of
 * image->strings) and does not define. No sites if it is not relocatable.
 */
int pd_calls_find_undefined(const struct pd_image *image, pd_str name, struct pd_calls *ret_calls,
			    struct pd_error *err) PD_MUST_USE;
void pd_calls_done(struct pd_calls *calls);

#endif
