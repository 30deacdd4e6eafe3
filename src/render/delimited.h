/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values between separators: the document's table for programs, one header
 * row, numbers unscaled and not rounded. Controls in a text become \x09, so
 * that a row is always a line; a text with a comma or quote is quoted in CSV,
 * and a backslash is doubled in TSV. A separator of the user's becomes a dot in texts,
 * which are written as they are, as perf report -t does it.
 */
#ifndef PD_RENDER_DELIMITED_H
#define PD_RENDER_DELIMITED_H

#include "profdiff/render.h"

/* separator is ',' (RFC 4180) or a tab, unless the options have another one. */
void pd_delimited_write(const struct pd_document *d, char separator,
			const struct pd_render_options *options, struct pd_writer *out);

#endif
