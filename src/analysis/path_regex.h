/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regular expressions on paths, from files of others: an expression cannot make
 * matching slow, since all its ways are followed at once (K. Thompson, 1968), and
 * cannot take more memory than it is long.
 *
 *	x . [a-z] [^/] (x) (?:x) x|y x* x+ x? ^ $ \d \w \s \b and \ before a sign
 *
 * Counts ({2,3}), references (\1) and other extensions of Perl are refused.
 */
#ifndef PD_ANALYSIS_PATH_REGEX_H
#define PD_ANALYSIS_PATH_REGEX_H

#include "base/text.h"

/* Opaque; freed with free(). */
struct pd_path_regex;

/* NULL if the expression is refused, or there is no memory. */
struct pd_path_regex *pd_path_regex_new(struct pd_span expression);
/* Whether it matches somewhere in path. O(length of path * length of expression). */
bool pd_path_regex_matches(const struct pd_path_regex *re, struct pd_span path);

#endif
