/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user's rules for names, "s/REGEX/TEXT/" as sed has it: POSIX extended
 * expressions, any delimiter, "&" and "\1" to "\9" in the text, "g" at the end
 * for all matches.
 */
#ifndef PD_ANALYSIS_REWRITE_H
#define PD_ANALYSIS_REWRITE_H

#include "base/text.h"

struct pd_rewrite_rule;

/* Rules, applied one after the other. Zero-initialise; free with pd_rewrite_done(). */
struct pd_rewrite {
	struct pd_rewrite_rule *rules;
	uint32_t n;
	struct pd_buf in, out;
};

/* Add a rule. Errors: USAGE (it is none, with the reason), NOMEM. */
int pd_rewrite_add(struct pd_rewrite *r, const char *rule, struct pd_error *err) PD_MUST_USE;
void pd_rewrite_done(struct pd_rewrite *r);
/*
 * The name after all rules; name itself if none matches, or if nothing would
 * be left. The result is valid until the next call.
 */
struct pd_span pd_rewrite_apply(struct pd_rewrite *r, struct pd_span name);

#endif
