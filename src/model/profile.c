/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The life of profiles. Contract: include/profdiff/profile.h.
 */
#include "profdiff/profile.h"

#include <stdlib.h>

const char *pd_better_name(enum pd_better b)
{
	return b == PD_BETTER_LOWER ? "lower" : b == PD_BETTER_HIGHER ? "higher" : NULL;
}

void pd_profile_free(struct pd_profile *p)
{
	if (!p)
		return;
	pd_recording_free(p->recording);
	pd_strtab_done(&p->strings);
	pd_arena_done(&p->arena);
	free(p);
}

void pd_recording_free(struct pd_recording *r)
{
	if (!r)
		return;
	pd_strtab_done(&r->strings);
	pd_arena_done(&r->arena);
	free(r);
}

void pd_profiles_done(struct pd_profiles *ps)
{
	if (!ps)
		return;
	for (uint32_t i = 0; i < ps->n; i++)
		pd_profile_free(ps->items[i]);
	free(ps->items);
	*ps = (struct pd_profiles){0};
}
