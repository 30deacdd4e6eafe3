/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recording: samples at addresses, as perf.data has them, before the addresses
 * have names. A profile of such an input carries one; analysis/symbolize.h turns
 * its sites into the functions of the profile.
 *
 *   dso     a file, or what stands for one, whose code was sampled
 *    +- site     an address in it: what was counted there
 *   stack   a site under its callers: the call tree, where it was asked for
 *   comm    a command, over all sites
 *
 * Counts are [thing * n_events + event], by the events of the profile.
 */
#ifndef PROFDIFF_RECORDING_H
#define PROFDIFF_RECORDING_H

#include "base/arena.h"
#include "base/strtab.h"

/* What the addresses of a DSO mean, and where its names come from. */
enum pd_dso_kind {
	PD_DSO_UNKNOWN, /* no mapping covers the address: it stands as it was sampled */
	PD_DSO_FILE,    /* an ELF file: addresses are offsets in the file */
	PD_DSO_KERNEL,  /* the kernel: addresses of the kernel that ran, but see is_relative */
	PD_DSO_MODULE,  /* of the kernel: addresses are offsets from where it began */
	PD_DSO_VDSO,    /* the kernel's code in user space: offsets in its image */
	PD_DSO_JIT,     /* anonymous memory: addresses of the process; perf-PID.map names them */
	PD_DSO_NAMED,   /* code that the recording itself names (BPF): all of it is one function */
};

struct pd_dso {
	enum pd_dso_kind kind;
	pd_str path;     /* as recorded: "/usr/bin/dd", "[kernel.kallsyms]"; none: UNKNOWN */
	pd_str module;   /* as perf report shows it: "dd", "[ext4]", "[JIT] tid 42", "[unknown]" */
	pd_str build_id; /* lower-case hex, or none */
	pd_str reference;           /* KERNEL: a symbol whose address is recorded, or none */
	uint64_t reference_address; /* KERNEL: that address */
	bool is_relative; /* KERNEL: addresses are offsets from the reference, whose own is 0 */
	uint64_t address, n_bytes;  /* KERNEL, MODULE, NAMED: where it was in the kernel's memory */
	int32_t pid;                /* JIT: of the process */
};

/* What was counted of one event. */
struct pd_count {
	uint64_t n_samples;
	uint64_t sum;  /* of periods, in the event's unit */
	double sum_sq; /* of their squares */
};

struct pd_site {
	uint32_t dso;
	uint64_t address;
};

/* Where a site is in the file that names it. */
enum pd_address_kind {
	PD_ADDRESS_UNKNOWN,
	PD_ADDRESS_LINKED, /* an address as the file has it */
	PD_ADDRESS_OFFSET, /* an offset in a relocatable file */
};

struct pd_file_address {
	enum pd_address_kind kind;
	uint64_t address;
};

/* A node of the call tree. Parents stand before their children. */
struct pd_stack {
	uint32_t parent; /* index of the caller's node; PD_NO_STACK: it has none */
	uint32_t site;
};

#define PD_NO_STACK UINT32_MAX

/* Owns all it points to, and the names. */
struct pd_recording {
	struct pd_strtab strings;
	struct pd_arena arena;
	struct pd_dso *dsos;
	struct pd_site *sites;    /* sorted by (dso, address); each once */
	struct pd_count *counts;  /* [site * n_events + event] */
	struct pd_file_address *file_addresses; /* [n_sites]; NULL: nobody asked for them */
	struct pd_stack *stacks;  /* none unless they were asked for and recorded */
	struct pd_count *stack_counts; /* [stack * n_events + event]: of samples that end there */
	pd_str *comms;                 /* sorted by name */
	struct pd_count *comm_counts;  /* [comm * n_events + event] */
	struct pd_count *filtered;     /* [event]: what the request left out */
	struct pd_count *guests;       /* [event]: of virtual machines: in totals only */
	uint32_t n_dsos, n_sites, n_stacks, n_comms;
	const char *arch, *perf_version, *hostname; /* or NULL */
	const char *kcore_dir; /* folder with the kallsyms of a recording with --kcore, or NULL */
	uint32_t n_cpus_online, n_cpus; /* 0: not told */
	uint64_t n_lost_records; /* records that the kernel dropped (LOST) */
	uint64_t n_throttled;    /* how often it slowed sampling down */
	bool is_truncated;       /* the recorder did not finish the file */
};

/* NULL allowed. */
void pd_recording_free(struct pd_recording *r);

#endif
