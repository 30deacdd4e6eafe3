/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file that names a DSO of a recording: found where perf looks for it, held
 * against its build-id, and read once.
 *
 *   kernel   --kallsyms, -k, what the recording has itself, a vmlinux or a list of its
 *            build-id, /proc/kallsyms of this machine if it runs that build
 *   module   -k, --modules, a file as recorded, the list of the kernel
 *   file     -k of its build-id, debug files, the build-id cache, the path as recorded
 *   vdso     the build-id cache, this machine's own
 *   jit      perf-PID.map
 *
 * Promise: a file whose build-id is known to be another one names nothing.
 */
#ifndef PD_IMAGE_LOOKUP_FIND_H
#define PD_IMAGE_LOOKUP_FIND_H

#include "base/limits.h"
#include "image/lookup.h"
#include "image/places.h"

struct pd_finder;

struct pd_finder_options {
	const struct pd_symbol_places *places;
	const struct pd_limits *limits;
	const char *path;    /* of the recording, for diagnostics */
	const char *release; /* of the kernel that was recorded, or NULL */
	bool has_no_demangle;
	bool wants_dwarf;
	struct pd_diags *diags;
};

/* Names of a DSO, and what its addresses become before they are looked up. */
struct pd_names {
	struct pd_lookup *lookup; /* NULL: there are none */
	struct pd_lookup_range range;
	enum pd_lookup_role role;
	uint64_t shift;
	const char *dwarf_path; /* a file with its DWARF, if that was wanted; or NULL */
	const char *dwarf_problem; /* why there is none, or NULL */
};

/*
 * Open the files that places name (-k, --kallsyms). r, the options and what they point
 * to must outlive the finder. Errors: NOMEM; IO, FORMAT and others of these files.
 */
int pd_finder_new(const struct pd_recording *r, const struct pd_finder_options *options,
		  struct pd_finder **ret_finder, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_finder_free(struct pd_finder *f);

/*
 * The names of a DSO, of which n sites were counted; valid until the next call. That
 * there are none is a diagnostic, and no error. Errors: NOMEM.
 */
int pd_finder_find(struct pd_finder *f, uint32_t dso, const struct pd_site *sites, size_t n,
		   struct pd_names *ret_names, struct pd_error *err) PD_MUST_USE;

#endif
