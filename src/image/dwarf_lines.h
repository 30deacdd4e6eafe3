/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What DWARF tells of single addresses: file and line, and the inlined functions that
 * they are in.
 */
#ifndef PD_IMAGE_DWARF_LINES_H
#define PD_IMAGE_DWARF_LINES_H

#include "image/lookup_find.h"

/* Where an address comes from. Zero: DWARF does not tell. */
struct pd_code_place {
	pd_str file;   /* seen from the root of the sources: "mm/memory.c" */
	uint32_t line; /* from 1; 0: none */
	uint32_t frame; /* of the innermost inlined function, or PD_NO_FRAME */
};

/* An instance of an inlined function. */
struct pd_code_frame {
	pd_str name;    /* as profilers show it */
	uint32_t outer; /* the instance around it, or PD_NO_FRAME: a function */
};

#define PD_NO_FRAME UINT32_MAX

struct pd_code_options {
	bool wants_lines, wants_inlines;
	bool has_no_demangle;
};

/*
 * What the DWARF of names tells of n sites of its DSO, whose addresses ascend: places
 * [n], and their frames, which the caller frees. Only units with sites are read. Names
 * and files are interned in strings. Errors: NOMEM; FORMAT (the DWARF is broken, or
 * leads in circles).
 */
int pd_code_places(const struct pd_names *names, const struct pd_site *sites, size_t n,
		   const struct pd_code_options *options, struct pd_strtab *strings,
		   struct pd_code_place *ret_places, struct pd_code_frame **ret_frames,
		   uint32_t *ret_n_frames, struct pd_error *err) PD_MUST_USE;

#endif
