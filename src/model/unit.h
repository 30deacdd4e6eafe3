/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Units of what is counted or measured.
 */
#ifndef PD_MODEL_UNIT_H
#define PD_MODEL_UNIT_H

#include <stdbool.h>

enum pd_unit {
	PD_UNIT_NONE,    /* a plain number */
	PD_UNIT_SAMPLES, /* of a profiler */
	PD_UNIT_TICKS,   /* samples of the timer interrupt */
	PD_UNIT_EVENTS,  /* of a counter: sums of periods */
	PD_UNIT_NS,
	PD_UNIT_PERCENT, /* of the total, which is 100 */
	PD_UNIT_CALLS,
	PD_UNIT_BYTES,
	PD_N_UNITS,
};

/* As in the JSON: "samples", "ns", ...; "" for none. */
const char *pd_unit_name(enum pd_unit u);
/* Whether numbers of the two units can be compared: equal, or both count samples. */
bool pd_unit_is_same(enum pd_unit a, enum pd_unit b);

#endif
