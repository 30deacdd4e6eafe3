/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units: one table.
 */
#include "model/unit.h"

static const char *const names[PD_N_UNITS] = {
	[PD_UNIT_NONE] = "",	       [PD_UNIT_SAMPLES] = "samples", [PD_UNIT_TICKS] = "ticks",
	[PD_UNIT_EVENTS] = "events",   [PD_UNIT_NS] = "ns",	      [PD_UNIT_PERCENT] = "percent",
	[PD_UNIT_CALLS] = "calls",     [PD_UNIT_BYTES] = "bytes",
};

const char *pd_unit_name(enum pd_unit u)
{
	return names[u];
}

bool pd_unit_is_same(enum pd_unit a, enum pd_unit b)
{
	if (a == PD_UNIT_TICKS)
		a = PD_UNIT_SAMPLES;
	if (b == PD_UNIT_TICKS)
		b = PD_UNIT_SAMPLES;
	return a == b;
}
