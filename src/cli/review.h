/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --report: what a comparison, images and benchmarks say together.
 */
#ifndef PD_CLI_REVIEW_H
#define PD_CLI_REVIEW_H

#include "cli/inputs.h"
#include "cli/opts.h"

/* Make the report of what the words, -k and --bench name. Findings as cli_compare(). */
int cli_review(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
	       uint32_t *ret_n_findings, struct pd_error *err) PD_MUST_USE;
/* --sections: "setup,verdict", or "-callers,-command" for all but these. */
int cli_set_sections(struct cli_options *o, const char *value, struct pd_error *err);

#endif
