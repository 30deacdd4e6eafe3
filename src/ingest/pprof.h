/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the pprof reader. fmt_pprof.c tells its kinds apart; each is read by a
 * file of its own: pprof_proto.c the messages of today, pprof_cpu.c the words of
 * gperftools, pprof_legacy.c the texts of old runtimes, pprof_text.c what pprof
 * prints. What they have in common is in pprof_costs.c.
 */
#ifndef PD_INGEST_PPROF_H
#define PD_INGEST_PPROF_H

#include "ingest/ingest.h"

enum { PP_MAX_EVENTS = 32 };

/* What a sample's words for type and unit ("alloc_space", "bytes") mean. */
struct pp_unit {
	enum pd_unit unit;
	double factor; /* from a number to the unit */
};
struct pp_unit pp_unit_of(struct pd_span type, struct pd_span unit);

/*
 * Samples of a run on their way to the builder. Zero-initialise, then set the builder,
 * the run and how many events it has; free with pp_costs_done().
 */
struct pp_costs {
	struct pd_builder *b;
	uint32_t run, n_events;
	double values[PP_MAX_EVENTS]; /* of the sample at hand, in events' units */
	/* By function: the last sample that had it, and its inclusive costs so far. */
	union pp_sum {
		uint64_t sample;
		double cost;
	} *sums; /* [n_funcs * (1 + n_events)] */
	uint32_t n_funcs;
	uint64_t sample;
	bool has_leaf;
	bool failed; /* latched: out of memory */
};

void pp_costs_done(struct pp_costs *c);
/* Another sample; its values are to be set. */
void pp_costs_begin(struct pp_costs *c);
/* Its frames, the leaf first; is_leftover: func is one of the builder's leftovers. */
void pp_costs_frame(struct pp_costs *c, uint32_t func, bool is_leftover);
/* That were all frames. */
void pp_costs_end(struct pp_costs *c);
/* That were all samples of the run: tell the builder the rest. */
void pp_costs_tell(struct pp_costs *c);

/* Where code lies: what a program's /proc/self/maps says. */
struct pp_map {
	uint64_t from, to;
	struct pd_span module; /* of the text */
	uint32_t leftover;     /* 1 + that of the builder; 0: not asked for yet */
};

/* Zero-initialise; free with pp_maps_done(). */
struct pp_maps {
	struct pp_map *items; /* by address, after pp_maps_sort() */
	uint32_t n, cap;
	bool failed;
};

void pp_maps_done(struct pp_maps *maps);
/* "00400000-00fcb000 r-xp 00000000 00:00 1234 /usr/bin/prog"; false if the line is none. */
bool pp_maps_add(struct pp_maps *maps, struct pd_span line);
void pp_maps_sort(struct pp_maps *maps);
/* The leftover "[unknown]" of the module of an address. */
uint32_t pp_maps_leftover(struct pp_maps *maps, struct pd_builder *b, uint64_t address);

/* Kinds. Each has a sniff and a read, as formats do. */
enum pd_sniff pp_proto_sniff(struct pd_span bytes);
int pp_proto_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err);
bool pp_cpu_sniff(struct pd_span bytes);
int pp_cpu_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err);
bool pp_legacy_is_head(struct pd_span line);
int pp_legacy_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err);
enum pd_sniff pp_text_sniff(const struct pd_input *in);
int pp_text_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err);

#endif
