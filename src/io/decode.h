/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole texts as UTF-8: without a byte order mark, out of UTF-16 and out of
 * the quoted-printable form of mails.
 */
#ifndef PD_IO_DECODE_H
#define PD_IO_DECODE_H

#include "base/text.h"

/* Zero-initialise; free with pd_text_done(). */
struct pd_text {
	struct pd_span bytes; /* borrowed from the input, or from buf */
	struct pd_buf buf;
};

/* ret_text borrows from in where nothing had to be changed. Errors: NOMEM. */
int pd_text_init(struct pd_span in, struct pd_text *ret_text, struct pd_error *err) PD_MUST_USE;
void pd_text_done(struct pd_text *t);

#endif
