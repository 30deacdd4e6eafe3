/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Address spaces: what was mapped where, at any version (see order.h).
 *
 * Mappings are only ever added. A new one cuts what it overlaps, and the parts
 * that are left keep the offsets that they had in their file; so the mapping of an
 * address is simply the last one added that covers it. That also spares copies: a
 * space is the list of its own mappings and, where these do not answer, a prefix of
 * the list of the space it was forked from.
 *
 *   space 7:  forked from space 3 with 4 mappings
 *             own: [ 0 | 1 | 2 | ... ]   each with the version from which on it is there
 */
#ifndef PD_INGEST_PERFDATA_SPACES_H
#define PD_INGEST_PERFDATA_SPACES_H

#include <stdbool.h>
#include <stdint.h>

#include "profdiff/error.h"

struct pd_perf_mapping {
	uint64_t start, end; /* addresses [start, end) */
	uint64_t shift;      /* added to an address, modulo 2^64, it is that in the DSO */
	uint32_t dso;
	uint32_t version;
};

struct pd_perf_layers;

struct pd_perf_space {
	uint32_t parent, n_of_parent; /* where own mappings do not answer; PD_PERF_NO_SPACE */
	uint32_t depth;
	uint32_t n, cap;
	struct pd_perf_mapping *items; /* in the order in which they came */
	struct pd_perf_layers *layers; /* for large spaces that were asked */
};

#define PD_PERF_NO_SPACE UINT32_MAX

/* Zero-initialise; free with pd_perf_spaces_done(). */
struct pd_perf_spaces {
	struct pd_perf_space *items;
	uint32_t n, cap;
	uint64_t n_copied; /* mappings, where lists of parents became too long */
	bool failed;       /* latched: out of memory */
};

void pd_perf_spaces_done(struct pd_perf_spaces *s);
/* A new empty space. */
uint32_t pd_perf_space_new(struct pd_perf_spaces *s);
/* A new space with all that is mapped in another one now. */
uint32_t pd_perf_space_fork(struct pd_perf_spaces *s, uint32_t parent, uint32_t version);
void pd_perf_space_map(struct pd_perf_spaces *s, uint32_t space, struct pd_perf_mapping m);
/* How many own mappings of a space there are at a version. */
uint32_t pd_perf_space_count(const struct pd_perf_spaces *s, uint32_t space, uint32_t version);
/* The mapping of an address in a space with the first n of its own mappings, or NULL. */
const struct pd_perf_mapping *pd_perf_space_find(struct pd_perf_spaces *s, uint32_t space,
						 uint32_t n, uint64_t address);

#endif
