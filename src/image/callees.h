/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions the code of a function goes to: the other direction of calls.h,
 * for few functions instead of one callee.
 *
 * A site is a direct call, jump or conditional jump to the first instruction of
 * another function that the image defines.
 */
#ifndef PD_IMAGE_CALLEES_H
#define PD_IMAGE_CALLEES_H

#include "profdiff/image.h"

/* Opaque. */
struct pd_callees;

/*
 * For functions of image, which must outlive the result. Errors: UNSUPPORTED
 * (machine), NOMEM.
 */
int pd_callees_open(const struct pd_image *image, struct pd_callees **ret_callees,
		    struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_callees_close(struct pd_callees *callees);

/* Call found once for each site in that symbol, with the symbol that it goes to. */
void pd_callees_of(struct pd_callees *callees, uint32_t symbol,
		   void (*found)(void *context, uint32_t callee), void *context);

#endif
