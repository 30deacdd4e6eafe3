/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an input may claim: every resource that a user's file controls has its
 * limit here. Passing one is PD_ERR_LIMIT, or a diagnostic where a line or a
 * name can be left out.
 */
#ifndef PD_BASE_LIMITS_H
#define PD_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct pd_limits {
	size_t inflated_bytes; /* of a decompressed input (--max-inflated) */
	size_t line_bytes;     /* longer lines are skipped, with a warning */
	uint32_t n_functions;  /* distinct functions of one input (--max-functions) */
	uint32_t n_columns;    /* runs, or counts on a line */
	uint32_t n_profiles;   /* sections of one input */
	uint32_t n_frames;     /* of one stack; deeper ones are skipped, with a warning */
};

#define PD_LIMITS_DEFAULT                                                      \
	{                                                                      \
		.inflated_bytes = (size_t)1 << 30, .line_bytes = 16u << 20,    \
		.n_functions = 20u << 20, .n_columns = 256, .n_profiles = 1024, \
		.n_frames = 16u << 10,                                         \
	}

#endif
