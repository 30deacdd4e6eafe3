/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands around the rows of tables in mails: headings, rules, marks for
 * left-out lines. For readers of text formats.
 */
#ifndef PD_INGEST_PROSE_H
#define PD_INGEST_PROSE_H

#include "base/text.h"

/* "...", "[snip]", "<...>": lines were left out here. */
bool pd_prose_is_ellipsis(struct pd_span line);
/* "-----", "=====", "--- ---": nothing but a rule of two marks or more. */
bool pd_prose_is_rule(struct pd_span line);
/*
 * The text of a line that may be the heading of what follows: without blanks,
 * a colon and decoration ("== vanilla ==", "==> a.txt <=="). Empty if the line
 * reads as a sentence or a command instead.
 */
struct pd_span pd_prose_heading(struct pd_span line);
/* Whether a heading is marked as one, by a colon or decoration, and not just short. */
bool pd_prose_is_marked(struct pd_span line);
/* A symbol as compilers and linkers make them: one word of letters, digits and "_.$@*:". */
bool pd_prose_is_symbol(struct pd_span s);

#endif
