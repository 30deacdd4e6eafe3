/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DSOs of a recording: which mappings are of the same file. A file is its path and
 * its device and inode, or its path and build-id where mappings have these; where a
 * mapping tells neither, its path alone.
 */
#ifndef PD_INGEST_PERFDATA_DSOS_H
#define PD_INGEST_PERFDATA_DSOS_H

#include "base/map.h"
#include "ingest/perfdata/file.h"
#include "profdiff/recording.h"

/* What a mapping tells of its file. Zero: nothing. */
struct pd_perf_file_id {
	uint32_t major, minor;
	uint64_t inode, generation;
	uint8_t build_id[20];
	uint8_t n_build_id; /* bytes; 0: none, the others count */
};

/* Zero-initialise; free with pd_perf_dsos_done(). Index 0 is the one of no mapping. */
struct pd_perf_dsos {
	struct pd_dso *items;
	uint32_t n, cap;
	struct pd_strtab *strings; /* the names; borrowed */
	struct pd_map by_key, by_name;
	bool failed; /* latched: out of memory */
};

/* strings must outlive it. */
void pd_perf_dsos_init(struct pd_perf_dsos *d, struct pd_strtab *strings);
void pd_perf_dsos_done(struct pd_perf_dsos *d);
/* The DSO of a file that is mapped in user space. */
uint32_t pd_perf_dso_file(struct pd_perf_dsos *d, struct pd_span path,
			  const struct pd_perf_file_id *id);
/* Memory without a file: of code, whose process names it, or of anything else. */
uint32_t pd_perf_dso_memory(struct pd_perf_dsos *d, struct pd_span name, bool is_code,
			    int32_t pid);
/* The kernel; a module of it by its path or "[name]"; code that has a name itself. */
uint32_t pd_perf_dso_kernel(struct pd_perf_dsos *d);
uint32_t pd_perf_dso_module(struct pd_perf_dsos *d, struct pd_span name);
uint32_t pd_perf_dso_named(struct pd_perf_dsos *d, struct pd_span name, uint64_t address,
			   uint64_t n_bytes);
/* Whether a kernel mapping of that name is of a module. */
bool pd_perf_is_module(struct pd_span name);
/* Give the build-ids of the header to those that have none. */
void pd_perf_dsos_use_build_ids(struct pd_perf_dsos *d, const struct pd_perf_features *features);

#endif
