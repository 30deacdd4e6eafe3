/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A history of replicate runs: what earlier runs of one side told of the noise
 * of each function (STATS 4.11).
 *
 *	symbol	d	mean	SS	module	event
 *	do_page_fault	3	265.75	4.89	vmlinux	ticks
 */
#ifndef PD_ANALYSIS_NOISE_HISTORY_H
#define PD_ANALYSIS_NOISE_HISTORY_H

#include "base/map.h"
#include "base/text.h"
#include "profdiff/compare.h"

struct pd_noise_entry {
	pd_str symbol, module, event; /* module and event: none where the file has none */
	struct pd_noise_record record;
	uint32_t next; /* another entry of this symbol, or PD_MAP_NONE */
};

/* Zero-initialise; free with pd_noise_history_done(). */
struct pd_noise_history {
	struct pd_strtab strings;
	struct pd_noise_entry *entries;
	struct pd_map of_symbol; /* symbol -> its last entry */
	uint32_t n, cap;
};

void pd_noise_history_done(struct pd_noise_history *h);
/* Read the text of a file, path is for messages. Errors: FORMAT, NOMEM. */
int pd_noise_history_parse(struct pd_span text, const char *path, struct pd_noise_history *ret_h,
			   struct pd_error *err) PD_MUST_USE;
/*
 * The record of a row; d is 0 if there is none. An entry without a module or
 * an event goes for all of them.
 */
struct pd_noise_record pd_noise_history_find(const struct pd_noise_history *h,
					     const struct pd_comparison *c,
					     const struct pd_row *row);
/* The text for a file, from the runs of one side. Errors: USAGE (below two runs), NOMEM. */
int pd_noise_history_write(const struct pd_side_input *side,
			   const struct pd_compare_options *options, struct pd_diags *diags,
			   struct pd_buf *ret_text, struct pd_error *err) PD_MUST_USE;

#endif
