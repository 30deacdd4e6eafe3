/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suggestions. Contract: suggest.h.
 */
#include "base/suggest.h"

struct pd_suggestion pd_suggest_for(struct pd_span word)
{
	/* A third of the letters may be wrong, and one of a short word. */
	return (struct pd_suggestion){
		.word = word,
		.best = {"", 0},
		.distance = word.len < 3 ? 2 : (uint32_t)(word.len < 24 ? word.len / 3 + 1 : 9),
	};
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* rows[i % 3][k]: the distance of the first i letters of a and the first k of b. */
static uint32_t distance(struct pd_span a, struct pd_span b)
{
	uint32_t rows[3][PD_SUGGEST_MAX + 1];

	for (uint32_t k = 0; k <= b.len; k++)
		rows[0][k] = k;
	for (uint32_t i = 1; i <= a.len; i++) {
		uint32_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		row[0] = i;
		for (uint32_t k = 1; k <= b.len; k++) {
			uint32_t cost = a.ptr[i - 1] == b.ptr[k - 1] ? 0 : 1;

			row[k] = least(last[k - 1] + cost, least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && a.ptr[i - 1] == b.ptr[k - 2] &&
			    a.ptr[i - 2] == b.ptr[k - 1])
				row[k] = least(row[k], before[k - 2] + 1);
		}
	}
	return rows[a.len % 3][b.len];
}

void pd_suggest_offer(struct pd_suggestion *s, struct pd_span known)
{
	size_t longer = known.len > s->word.len ? known.len : s->word.len;
	uint32_t d;

	if (longer > PD_SUGGEST_MAX || !known.len || !s->word.len ||
	    2 * longer - known.len - s->word.len >= s->distance)
		return;
	d = distance(s->word, known);
	if (d < s->distance) {
		s->distance = d;
		s->best = known;
	}
}

const char *pd_suggest_text(const struct pd_suggestion *s, const char *lead, struct pd_buf *buf)
{
	buf->len = 0;
	if (s->best.len)
		pd_buf_printf(buf, "; did you mean %s%.*s?", lead, PD_SPAN_ARG(s->best));
	return buf->len ? buf->ptr : "";
}
