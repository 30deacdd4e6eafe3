/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether two results are the same bits, NaN included and padding apart.
 */
#ifndef PD_TESTS_SAME_H
#define PD_TESTS_SAME_H

#include <string.h>

#include "stats/stats.h"

static inline bool pd_same_change(const struct pd_stats_change *a, const struct pd_stats_change *b)
{
	return a->verdict == b->verdict &&
	       memcmp(a, b, offsetof(struct pd_stats_change, verdict)) == 0;
}

#endif
