/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Did you mean ...?": of the words that there are, the one that a typing error made
 * another word of. Nearness is the number of letters to insert, drop, replace, or
 * exchange with the next one (the restricted Damerau-Levenshtein distance).
 */
#ifndef PD_BASE_SUGGEST_H
#define PD_BASE_SUGGEST_H

#include <stdint.h>

#include "base/text.h"

enum { PD_SUGGEST_MAX = 64 }; /* bytes of a word; longer ones are like no other */

/* Begin with pd_suggest_for(). */
struct pd_suggestion {
	struct pd_span word; /* borrowed */
	struct pd_span best; /* borrowed from who offered it; empty: none is near */
	uint32_t distance;   /* of best; before there is one, the first that is too far */
};

/* For a word that is none of those that follow. */
struct pd_suggestion pd_suggest_for(struct pd_span word);
/* One that there is. The first of equally near ones is kept. O(length squared). */
void pd_suggest_offer(struct pd_suggestion *s, struct pd_span known);
/*
 * The end of a message: "; did you mean <lead><best>?", or "" if none is near. In buf,
 * whose text it replaces.
 */
const char *pd_suggest_text(const struct pd_suggestion *s, const char *lead, struct pd_buf *buf);

#endif
