/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timestamps. Contract: timestamp.h.
 */
#include "ingest/timestamp.h"

#include <time.h>

#include "base/num.h"
#include "io/lines.h"

/* "Nov" -> 10; -1 if it is no month. */
static int parse_month(struct pd_span s)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12 && s.len == 3; i++)
		if (!memcmp(s.ptr, months + 3 * i, 3))
			return i;
	return -1;
}

static bool parse_part(struct pd_span s, uint64_t most, int *ret_n)
{
	uint64_t n;

	if (!pd_num_parse_u64(s, &n) || n > most)
		return false;
	*ret_n = (int)n;
	return true;
}

static bool parse_clock(struct pd_span s, struct tm *tm)
{
	return s.len == 8 && s.ptr[2] == ':' && s.ptr[5] == ':' &&
	       parse_part(pd_span_sub(s, 0, 2), 23, &tm->tm_hour) &&
	       parse_part(pd_span_sub(s, 3, 5), 59, &tm->tm_min) &&
	       parse_part(pd_span_sub(s, 6, 8), 60, &tm->tm_sec);
}

bool pd_timestamp_parse(struct pd_span s, double *ret_s)
{
	struct pd_span words[6];
	struct tm tm = {0};
	int year;

	if (pd_fields(s, words, 6) != 5)
		return false;
	tm.tm_mon = parse_month(words[1]);
	if (tm.tm_mon < 0 || !parse_part(words[2], 31, &tm.tm_mday) ||
	    !parse_clock(words[3], &tm) || !parse_part(words[4], 9999, &year))
		return false;
	tm.tm_year = year - 1900;
	*ret_s = (double)timegm(&tm);
	return true;
}
