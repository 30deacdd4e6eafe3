/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that belong to a side: their value is given once for all sides, once a
 * side in their order as shown, or as LABEL=VALUE for the side of that label.
 * A path that exists as it is written is no LABEL=VALUE.
 */
#ifndef PD_CLI_PER_SIDE_H
#define PD_CLI_PER_SIDE_H

#include "cli/opts.h"

#define CLI_ALL_SIDES UINT32_MAX

/*
 * Of which side (CLI_ALL_SIDES: of all that have none of their own) the i-th word of
 * an option is, and what it says. labels [n_sides] as shown; NULL where one is not
 * known. option is for messages ("-k"). Errors: USAGE.
 */
int cli_word_side(const char *option, const struct cli_words *words, uint32_t i,
		  const char *const *labels, uint32_t n_sides, uint32_t *ret_side,
		  const char **ret_value, struct pd_error *err) PD_MUST_USE;

/* The value of each side in ret_values [n_sides], NULL for none. Errors: USAGE. */
int cli_side_values(const char *option, const struct cli_words *words, const char *const *labels,
		    uint32_t n_sides, const char **ret_values, struct pd_error *err) PD_MUST_USE;

/* Whether sides may differ in it. */
bool cli_is_per_side(const struct cli_words *words);

#endif
