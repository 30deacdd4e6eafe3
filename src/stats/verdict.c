/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdict words.
 */
#include "stats/verdict.h"

#include <math.h>
#include <stddef.h>

#include "base/num.h"

#define P_STANDOUT 0.01 /* STATS.md 4.10 */

const char *pd_verdict_word(enum pd_verdict v)
{
	static const char *const words[PD_N_VERDICTS] = {
		[PD_VERDICT_NONE] = NULL,
		[PD_VERDICT_FEW] = "few",
		[PD_VERDICT_UNCLEAR] = "unclear",
		[PD_VERDICT_SAME] = "same",
		[PD_VERDICT_IMPROVED] = "improved",
		[PD_VERDICT_REGRESSED] = "regressed",
		[PD_VERDICT_IMPROVED_MAYBE] = "improved?",
		[PD_VERDICT_REGRESSED_MAYBE] = "regressed?",
		[PD_VERDICT_STANDOUT] = "standout",
	};

	return words[v];
}

enum pd_verdict pd_verdict_of(const struct pd_evidence *e)
{
	double margin = 1 + e->equiv_ratio;

	if (e->is_flagged && e->is_better)
		return e->has_one_run ? PD_VERDICT_IMPROVED_MAYBE : PD_VERDICT_IMPROVED;
	if (e->is_flagged)
		return e->has_one_run ? PD_VERDICT_REGRESSED_MAYBE : PD_VERDICT_REGRESSED;
	if (e->lo >= 1 / margin && e->hi <= margin)
		return PD_VERDICT_SAME;
	return PD_VERDICT_UNCLEAR;
}

enum pd_verdict pd_verdict_of_single(double p)
{
	return p < P_STANDOUT ? PD_VERDICT_STANDOUT : PD_VERDICT_NONE;
}

double pd_verdict_bound(double lo, double hi)
{
	if (!pd_is_known(lo) || !pd_is_known(hi))
		return PD_UNKNOWN;
	return fmax(hi, 1 / lo) - 1;
}
