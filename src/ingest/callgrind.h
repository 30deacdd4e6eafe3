/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the callgrind reader: fmt_callgrind.c reads lines, whose beginnings
 * callgrind_keys.c knows; callgrind_names.c knows what names stand for, and
 * callgrind_calls.c who calls whom.
 */
#ifndef PD_INGEST_CALLGRIND_H
#define PD_INGEST_CALLGRIND_H

#include "base/map.h"
#include "base/strtab.h"
#include "base/text.h"
#include "model/builder.h"

/* What a line says. */
enum cg_key {
	CG_KEY_FUNCTION,
	CG_KEY_CALLED_FUNCTION,
	CG_KEY_CALLS,
	CG_KEY_FILE,
	CG_KEY_OTHER_FILE, /* of inlined code, of what is called */
	CG_KEY_OBJECT,
	CG_KEY_CALLED_OBJECT,
	CG_KEY_JUMP,
	CG_KEY_JUMP_FUNCTION,
	CG_KEY_JUMP_OBJECT,
	CG_KEY_EVENTS,
	CG_KEY_POSITIONS,
	CG_KEY_SUMMARY,
	CG_KEY_TOTALS,
	CG_KEY_PID,
	CG_KEY_COMMAND,
	CG_KEY_IGNORED,
};

/* The key that a line begins with, and what is behind it; false if there is none. */
bool cg_find_key(struct pd_span line, enum cg_key *ret_key, struct pd_span *ret_value);

/* Compressed names are numbered apart in these spaces. */
enum cg_space {
	CG_OBJECT,
	CG_FILE,
	CG_FUNCTION,
};

/* Zero-initialise; free with cg_names_done(). */
struct cg_names {
	struct pd_strtab strings;
	struct pd_map by_number; /* ids of strings */
	bool failed;             /* latched: out of memory */
};

void cg_names_done(struct cg_names *names);
/*
 * What "(12) main", "(12)" or "main" stands for; the first gives the number its
 * name. False if a number has no name.
 */
bool cg_names_resolve(struct cg_names *names, enum cg_space space, struct pd_span text,
		      pd_str *ret_name);
/* Whether what is there for a name says that there is none: "???", "0x00012C30'2", nothing. */
bool cg_is_unnamed(struct pd_span name);

struct cg_call {
	uint32_t caller, callee;
};

/* Who calls whom, each pair once. Zero-initialise; free with cg_calls_done(). */
struct cg_calls {
	struct cg_call *items;
	uint32_t n, cap;
	struct pd_map known;
};

void cg_calls_done(struct cg_calls *calls);
/* False if there is no memory. */
bool cg_calls_add(struct cg_calls *calls, uint32_t caller, uint32_t callee);
/*
 * Which of n functions reach themselves by calls of others. A function that only
 * calls itself does not count. NULL if there is no memory; the caller frees it.
 */
bool *cg_calls_find_cycles(const struct cg_calls *calls, uint32_t n);

#endif
