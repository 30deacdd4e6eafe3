/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MAINTAINERS, a kernel's list of who cares for which files:
 *
 *	SCHEDULER                      the title of a section
 *	M:	...
 *	F:	kernel/sched/          all files in and below a folder
 *	F:	include/linux/sched*.h "*" is any text, "?" any sign, within a folder
 *	X:	kernel/sched/ext*      not these
 *	N:	[^a-z]tegra            a regular expression, anywhere in a path
 *
 * A file is of the section whose pattern is most specific, that is, has most folders;
 * of equal ones the pattern with the longer text, then the first in the file. The
 * rules are those of the list's head: a pattern must have as many slashes as the path,
 * but for one that ends in a slash, or has "**"; it may be the beginning of the name.
 */
#ifndef PD_ANALYSIS_MAINTAINERS_H
#define PD_ANALYSIS_MAINTAINERS_H

#include "base/text.h"

struct pd_maintainers;

/*
 * Read the text of a list; path is for messages. A pattern that is too long or no
 * expression is left out, with a diagnostic. Errors: FORMAT (no section with files),
 * NOMEM.
 */
int pd_maintainers_parse(struct pd_span text, const char *path, struct pd_diags *diags,
			 struct pd_maintainers **ret_maintainers, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_maintainers_free(struct pd_maintainers *m);

/*
 * The title of the section of a file, borrowed; empty if it is of none. Files that were
 * asked for are remembered: not for several threads.
 */
struct pd_span pd_maintainers_find(struct pd_maintainers *m, struct pd_span file);

#endif
