/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the view of profiles (show.c). Profiles outlive the document.
 */
#ifndef PD_REPORT_SHOW_H
#define PD_REPORT_SHOW_H

#include "profdiff/profile.h"
#include "profdiff/table.h"

/* All costs, one row a function and event, and all metrics, for programs. */
void pd_show_add_data(struct pd_document *d, struct pd_profile *const *profiles, uint32_t n);

/*
 * What a reviewer asks of a recording first: kernel, processor, command line, events
 * with their sampling, duration, and what was lost. One label a line.
 */
void pd_show_add_recording(struct pd_document *d, const struct pd_profile *p);

#endif
