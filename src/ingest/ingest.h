/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading an input: find its format by its content, read it, check the result.
 */
#ifndef PD_INGEST_INGEST_H
#define PD_INGEST_INGEST_H

#include "base/limits.h"
#include "io/lines.h"
#include "io/progress.h"
#include "model/builder.h"
#include "profdiff/profile.h"

/*
 * Which single samples are wanted, for inputs that have them. Zero-initialised:
 * all. Those that are not wanted become the leftover "[filtered]".
 */
struct pd_request {
	const int32_t *pids, *tids; /* [n_pids], [n_tids]; none: all */
	const uint32_t *cpus;       /* [n_cpus]; none: all */
	const char *const *comms;   /* [n_comms]; none: all */
	uint32_t n_pids, n_tids, n_cpus, n_comms;
	/*
	 * Times of the recording's clock in seconds, or (is_time_ratio) parts of the
	 * time between the first and the last sample. Both 0: all.
	 */
	double from, to;
	bool is_time_ratio;
	bool wants_stacks; /* for inclusive costs */
	bool wants_calls;  /* the call tree, where the input lists stacks */
	struct pd_progress *progress; /* told how far reading is, from any thread; or NULL */
};

/* What a reader is given. */
struct pd_input {
	const char *path; /* for messages; "-" is standard input */
	struct pd_span bytes; /* text formats: decoded to UTF-8, else as they are */
	const struct pd_source *source; /* what the bytes are of, or NULL */
	const struct pd_limits *limits;
	const struct pd_request *request; /* NULL: all samples */
	struct pd_diags *diags;
};

enum pd_sniff {
	PD_SNIFF_NO,
	PD_SNIFF_MAYBE, /* it could be this format, and others too */
	PD_SNIFF_YES,   /* no other known format looks like this */
};

/*
 * A format: one file fmt_<name>.c that ends in one of these, and one line in
 * src/ingest/meson.build.
 */
struct pd_format {
	const char *name;  /* for --format and the JSON */
	const char *title; /* one line for --list-formats: what writes it */
	bool is_binary;    /* bytes must not be taken for text */
	/* head: the beginning of the input, at most 64 KiB, cut at a line's end. */
	enum pd_sniff (*sniff)(const struct pd_input *head);
	/*
	 * Tell the builder what is in the input. A bad line is a diagnostic, and
	 * reading goes on; 0 or a negative code (FORMAT, ...) with err filled.
	 */
	int (*read)(const struct pd_input *in, struct pd_builder *b, struct pd_error *err);
};

/* Begin a walk over the lines of an input. */
void pd_input_lines(const struct pd_input *in, struct pd_lines *ret_lines);

/* All formats, in the order of src/ingest/meson.build, with a NULL behind the last. */
extern const struct pd_format *const pd_formats[];
/* NULL if there is no such format. */
const struct pd_format *pd_format_find(const char *name);

/*
 * Read all profiles of bytes (decompressed). format is NULL to find it by the
 * content. Errors: UNRECOGNISED, AMBIGUOUS, EMPTY, FORMAT, LIMIT, NOMEM; they
 * name in->path.
 */
int pd_ingest_bytes(const struct pd_input *in, const struct pd_format *format,
		    struct pd_profiles *ret_profiles, struct pd_error *err) PD_MUST_USE;
/*
 * The same for a file, "-" for standard input, or a folder that is one recording.
 * Also IO, TRUNCATED, UNSUPPORTED.
 */
int pd_ingest_file(const char *path, const struct pd_format *format,
		   const struct pd_limits *limits, const struct pd_request *request,
		   struct pd_diags *diags, struct pd_profiles *ret_profiles,
		   struct pd_error *err) PD_MUST_USE;
/* Whether path is a folder that is one recording, as perf record --threads and --kcore make. */
bool pd_ingest_is_recording(const char *path);

#endif
