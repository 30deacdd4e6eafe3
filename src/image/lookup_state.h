/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The finder from the inside: what lookup_find.c, lookup_files.c, lookup_given.c,
 * lookup_kernel.c and lookup_modules.c share.
 */
#ifndef PD_IMAGE_LOOKUP_STATE_H
#define PD_IMAGE_LOOKUP_STATE_H

#include "base/map.h"
#include "image/elf.h"
#include "image/lookup_find.h"
#include "io/source.h"

/* An ELF file that is open. Zero-initialise; free with pd_elf_file_close(). */
struct pd_elf_file {
	char *path;
	struct pd_source source;
	struct pd_span bytes;  /* of the source, or unpacked */
	struct pd_image head;  /* machine, sections, build-id */
	struct pd_elf_parts parts;
	bool has_dynsym, is_kernel;
};

/* A list of the kernel's symbols, and perhaps of its modules'. */
struct pd_kernel_list {
	const char *path;
	struct pd_source source;
	struct pd_lookup lookup;
};

enum pd_given_kind {
	PD_GIVEN_ELF,
	PD_GIVEN_LIST,  /* kallsyms or System.map, not read yet */
	PD_GIVEN_IMAGE, /* what else has symbols: a vmlinuz, an output of nm */
};

/* What -k named. */
struct pd_given {
	enum pd_given_kind kind;
	const char *path;
	struct pd_elf_file elf;
	struct pd_source list;
	struct pd_image *image;
};

/* A module's name, and its file. */
struct pd_str_pair {
	pd_str name, path;
};

struct pd_finder {
	const struct pd_recording *recording;
	struct pd_finder_options options;
	struct pd_arena arena;
	struct pd_buf path; /* of the candidate at hand */
	struct pd_given *given;
	uint32_t n_given;
	/* Of the kernel: */
	uint32_t kernel; /* DSO, or PD_LOOKUP_NONE */
	struct pd_kernel_list list;
	bool has_sought_list;
	/* Of the folder of modules: */
	struct pd_strtab module_strings;
	struct pd_str_pair *modules;
	uint32_t n_modules, cap_modules;
	bool has_walked_modules;
	/* Of the last DSO: */
	struct pd_elf_file symbols, runtime, debug;
	struct pd_source text;
	struct pd_lookup lookup;
};

/* lookup_files.c */
/* Open an ELF file; false: it is not there, or is none. */
bool pd_elf_file_open(const struct pd_finder *f, const char *path, struct pd_elf_file *ret_file);
void pd_elf_file_close(struct pd_elf_file *file);
/* Whether both are the same build-id; NULL is none. Short ones end in zeros in a recording. */
bool pd_build_id_is(const char *a, const char *b);
/* The build-id of a DSO in hex, or NULL. */
const char *pd_dso_build_id(const struct pd_finder *f, const struct pd_dso *dso);
/* Whether path is a regular file: others could block, or never end. */
bool pd_is_regular(const char *path);
/* A path below the symfs folder, in f->path. */
const char *pd_symfs_path(struct pd_finder *f, const char *path);
/*
 * Open symbols, runtime and debug of the finder for a DSO, from the places of perf.
 * False: there are none, which was told if tells.
 */
bool pd_find_files(struct pd_finder *f, const struct pd_dso *dso, bool tells);
/* Read f->lookup from symbols and runtime. NOMEM; what is broken is a diagnostic, and none. */
int pd_read_files(struct pd_finder *f, enum pd_lookup_role role,
		  struct pd_names *ret_names, struct pd_error *err);
/* A diagnostic about a DSO: kind, then "path: text". */
void pd_tell_dso(const struct pd_finder *f, const char *kind, const char *path,
		 const char *fmt, ...) PD_PRINTF(4, 5);

/* lookup_given.c */
int pd_open_given(struct pd_finder *f, struct pd_error *err) PD_MUST_USE;
void pd_close_given(struct pd_finder *f);
/* What -k named for that DSO, or NULL. Another build of it was told. */
struct pd_given *pd_find_given(struct pd_finder *f, const struct pd_dso *dso);
/* The first list that -k named, or NULL. */
struct pd_given *pd_find_given_list(struct pd_finder *f);
/* Names of a given image for a DSO. */
int pd_read_given(struct pd_finder *f, struct pd_given *g, const struct pd_dso *dso,
		  struct pd_names *ret_names, struct pd_error *err);

/* lookup_kernel.c */
int pd_open_kernel(struct pd_finder *f, struct pd_error *err) PD_MUST_USE;
int pd_find_kernel(struct pd_finder *f, const struct pd_dso *dso, const struct pd_site *sites,
		   size_t n, struct pd_names *ret_names, struct pd_error *err);
/* The list of the kernel's symbols, or NULL. */
struct pd_kernel_list *pd_find_list(struct pd_finder *f);

/* lookup_modules.c */
int pd_find_module(struct pd_finder *f, const struct pd_dso *dso, struct pd_names *ret_names,
		   struct pd_error *err);

#endif
