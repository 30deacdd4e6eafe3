/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes, given to the detection and to every reader. What a reader makes
 * of them must keep the promise of profiles: weights add up to the total.
 */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "ingest/ingest.h"

static void check_profile(const struct pd_profile *p)
{
	for (uint32_t e = 0; e < p->n_events; e++) {
		double sum = 0, size = 0;

		if (!pd_is_known(p->events[e].total))
			continue;
		for (uint32_t i = 0; i < p->n_funcs; i++) {
			double self = pd_profile_weight(p, i, e)->self;

			if (pd_is_known(self)) {
				sum += self;
				size += fabs(self);
			}
		}
		if (fabs(sum - p->events[e].total) > 1e-9 * size + 1e-6)
			__builtin_trap();
	}
}

static void read_as(struct pd_span bytes, const struct pd_format *format)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_diags diags = {0};
	struct pd_profiles profiles = {0};
	struct pd_error err = {0};
	struct pd_input in = {.path = "fuzz", .bytes = bytes, .limits = &limits, .diags = &diags};

	limits.n_functions = 1 << 16;
	if (pd_ingest_bytes(&in, format, &profiles, &err) == PD_OK)
		for (uint32_t i = 0; i < profiles.n; i++)
			check_profile(profiles.items[i]);
	pd_profiles_done(&profiles);
	pd_diags_done(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pd_span bytes = {(const char *)data, size};

	read_as(bytes, NULL);
	for (size_t i = 0; pd_formats[i]; i++)
		read_as(bytes, pd_formats[i]);
	return 0;
}
