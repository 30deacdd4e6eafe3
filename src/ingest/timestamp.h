/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of day in inputs.
 */
#ifndef PD_INGEST_TIMESTAMP_H
#define PD_INGEST_TIMESTAMP_H

#include <stdbool.h>

#include "base/text.h"

/*
 * "Mon Nov 30 19:32:14 2026", as ctime(3) writes it, all of s: seconds since
 * 1970 on a clock of an unknown zone, so good for an order and differences only.
 */
bool pd_timestamp_parse(struct pd_span s, double *ret_s);

#endif
