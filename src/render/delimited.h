/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values between separators: the document's table for programs, one header
 * row, numbers unscaled and not rounded. Controls in a text become \x09, so
 * that a row is always a line; a text with a comma or quote is quoted in CSV,
 * and a backslash is doubled in TSV.
 */
#ifndef PD_RENDER_DELIMITED_H
#define PD_RENDER_DELIMITED_H

#include "profdiff/render.h"

/* separator is ',' (RFC 4180) or a tab. */
void pd_delimited_write(const struct pd_document *d, char separator, struct pd_writer *out);

#endif
