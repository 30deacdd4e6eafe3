/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An image: what one ELF file (or a listing of symbols) says of functions, their
 * sizes, and what was inlined into them. src/image makes images; everything else
 * only reads them.
 *
 * A symbol is a piece of a section under one or more names: each address counts
 * once, so that aliases are names of one symbol. Places are (section, address);
 * in relocatable files an address is an offset within its section.
 */
#ifndef PROFDIFF_IMAGE_H
#define PROFDIFF_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/strtab.h"
#include "profdiff/error.h"

/* No index: of a section, of a symbol. */
#define PD_NO_INDEX UINT32_MAX

struct pd_section {
	pd_str name;
	uint64_t address, n_bytes; /* as the section header says */
	uint64_t offset;           /* of the bytes in the file */
	const uint8_t *bytes;      /* borrowed from the image; NULL: none are in the file */
	bool is_loaded, is_code, is_writable;
};

enum pd_symbol_kind {
	PD_SYMBOL_FUNCTION, /* FUNC, IFUNC, and sized NOTYPE in code */
	PD_SYMBOL_OBJECT,
	PD_SYMBOL_MARKER, /* sized, but no row: __UNIQUE_ID_*, __BTF_ID__*, ... */
	PD_SYMBOL_PADDING, /* __pfx_*, __cfi_*: room before a function */
};

struct pd_symbol {
	pd_str name; /* as in the symbol table: the global one, then the shortest */
	pd_str file; /* source file, normalised; or base name; or none */
	pd_str declared_in; /* the file with its text, which a unit may include; or none */
	uint32_t file_no;  /* which of the files of that base name (no DWARF), from 0 */
	uint32_t section;  /* index */
	uint64_t address, n_bytes;
	uint64_t reach; /* for pd_image_find(): the furthest end of some symbols before */
	uint32_t first_alias, n_aliases; /* further names: in aliases */
	enum pd_symbol_kind kind;
	bool is_global;
};

/* Of a relocatable file: what a place in code refers to. */
struct pd_reloc {
	uint32_t section; /* that holds the place */
	uint64_t address; /* of the place */
	uint32_t symbol;  /* whose beginning it refers to; PD_NO_INDEX: */
	pd_str name;      /* one of another file, called so; none: to another place */
	uint32_t target_section; /* where that is, or 0: in another file */
	uint64_t target_address; /* in it; of a symbol of another file: how far behind it */
};

/* One instance of an inlined function. */
struct pd_inline {
	pd_str name, file; /* of the callee: its name, and where it is declared */
	uint32_t host;     /* the symbol that contains it, or PD_NO_INDEX */
	uint32_t n_bytes;  /* of its own code and of what was inlined into it; 0: none */
	bool is_outermost; /* its caller is a function, not another instance */
	bool is_nested_in_itself; /* one of its callers is an instance of the same callee */
};

/* How much is known. */
enum pd_image_detail {
	PD_IMAGE_SYMBOLS, /* no DWARF is touched */
	PD_IMAGE_FILES,   /* and source files of symbols */
	PD_IMAGE_INLINES, /* and inline instances */
};

/* Owns all it points to. */
struct pd_image {
	struct pd_strtab strings;
	struct pd_arena arena;
	const char *path;
	const char *debug_path; /* of its separate debug file, or NULL */
	const char *build_id; /* lower-case hex, or NULL */
	const char *machine;  /* "x86-64", "AArch64", ...; of a listing: "" */
	uint16_t elf_machine; /* e_machine of the ELF header; 0: a listing */
	bool is_64bit, is_big_endian;
	const char *producer; /* the compiler, as DWARF tells it, or NULL */
	const char *release;  /* "Linux version ..." of a kernel, or NULL */
	const char *config;   /* that a kernel carries (CONFIG_IKCONFIG), or NULL */
	uint64_t file_bytes;  /* 0: a listing, whose own size is none of the image */
	bool is_relocatable;
	bool is_approximate; /* sizes are distances to the next symbol */
	bool has_files, has_inlines; /* from DWARF */
	uint32_t n_missing_units;    /* of split DWARF, without their .dwo files */
	struct pd_section *sections;
	struct pd_symbol *symbols; /* sorted by (section, address) */
	pd_str *aliases;
	struct pd_inline *inlines;
	struct pd_reloc *relocs; /* sorted by (section, address); none if not relocatable */
	uint32_t n_sections, n_symbols, n_aliases, n_inlines, n_relocs;
	void *file; /* what holds the bytes of sections; of src/image */
};

struct pd_image_options {
	const char *debug_dir; /* where separate debug files are; NULL: /usr/lib/debug */
	enum pd_image_detail detail;
	bool wants_debuginfod; /* separate debug files may come from the network */
	bool wants_objects;    /* the names of objects; else only functions have some */
	const struct pd_limits *limits;
};

/*
 * Read an image: ELF of any machine, compressed (gzip, xz, zstd) or not, a
 * vmlinuz, or a listing of symbols (System.map, kallsyms, nm). Errors: IO, NOMEM,
 * UNRECOGNISED (none of these), EMPTY (no symbol table), FORMAT, TRUNCATED,
 * UNSUPPORTED, LIMIT. They name the path.
 */
int pd_image_open(const char *path, const struct pd_image_options *options,
		  struct pd_diags *diags, struct pd_image **ret_image,
		  struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_image_free(struct pd_image *image);

/* The symbol that covers that place, or PD_NO_INDEX; of several, the one that begins last. */
uint32_t pd_image_find(const struct pd_image *image, uint32_t section, uint64_t address);

#endif
