/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for addresses: the symbols of one file as a sorted array, by perf's rules
 * of what is a symbol, where it ends, and which of several names is shown.
 *
 *   start      end        A symbol reaches to its end, or where its size is 0 to the
 *   |  outer   |          next one. Of those that cover an address the one that
 *      | inner|           begins last is taken. Names stay where the file has them
 *   ----^--^----^         until they are asked for.
 *     outer inner outer
 *
 * What addresses mean is the reader's choice: offsets in a file, link addresses of a
 * kernel, offsets from the beginning of a module.
 */
#ifndef PD_IMAGE_LOOKUP_H
#define PD_IMAGE_LOOKUP_H

#include "base/strtab.h"
#include "base/text.h"
#include "profdiff/recording.h"

enum pd_lookup_flags {
	PD_LOOKUP_WEAK = 1,
	PD_LOOKUP_GLOBAL = 2,
	PD_LOOKUP_CODE = 4, /* in code, not in data */
	PD_LOOKUP_PLT = 8,  /* a stub that leads to the function of that name */
};

struct pd_lookup_symbol {
	uint64_t start, end; /* [start, end); end == start: only start itself */
	const char *name;    /* borrowed from the file: of n_name bytes, or */
	uint32_t n_name;     /* PD_LOOKUP_NUL: to a NUL that is there */
	uint16_t module;     /* of kallsyms: id of its name; 0: the kernel itself */
	uint16_t flags;
};

#define PD_LOOKUP_NUL UINT32_MAX

/*
 * A part of a file that is loaded: how offsets become addresses as linked. Of a module:
 * how offsets from its beginning become offsets in its file.
 */
struct pd_lookup_segment {
	uint64_t address, offset, n_bytes;
};

/* Zero-initialise; free with pd_lookup_done(). Borrows the bytes it was read from. */
struct pd_lookup {
	struct pd_lookup_symbol *symbols; /* [cap], a block; by module, then start */
	uint32_t n, cap;
	bool demangles;
	bool failed; /* latched: no memory */
	uint64_t budget; /* bytes of names that may still be looked at */
	struct pd_strtab modules; /* of kallsyms: their numbers are the ids */
	uint32_t *module_ends;    /* [modules.n + 1] where symbols of each end; NULL: one part */
	const char *reference;    /* a symbol of the kernel's code whose start is wanted, or NULL */
	bool has_reference;
	uint64_t reference_start;
	struct pd_lookup_segment *segments;
	uint32_t n_segments;
	struct pd_buf name, other; /* demangled names at hand */
};

/* A part of the symbols: those of one module, or all. */
struct pd_lookup_range {
	uint32_t first, n;
};

/* What the addresses of a DSO are to the file that names it. */
enum pd_lookup_role {
	PD_LOOKUP_FILE,   /* offsets in the file */
	PD_LOOKUP_KERNEL, /* addresses as linked */
	PD_LOOKUP_MODULE, /* offsets from its beginning, in a relocatable file */
};

void pd_lookup_done(struct pd_lookup *l);

/*
 * Read an ELF file: .symtab of symbols, or where it has none its .dynsym, and .dynsym
 * as well; how it is loaded, and the stubs of the PLT, are told by runtime (which may
 * be the same bytes). l must be zero but for demangles and reference. To have no symbols is
 * no error. Errors: FORMAT, NOMEM.
 */
int pd_lookup_read_elf(struct pd_lookup *l, struct pd_span symbols, struct pd_span runtime,
		       enum pd_lookup_role role, struct pd_error *err) PD_MUST_USE;
/*
 * Read /proc/kallsyms, a copy of it, or a System.map: "ffffffff81000000 T _text", and
 * behind a tab the module in brackets. Errors: FORMAT (there is no such line), EMPTY
 * (all addresses are 0, as they are shown without privileges), NOMEM.
 */
int pd_lookup_read_kallsyms(struct pd_lookup *l, struct pd_span text,
			    struct pd_error *err) PD_MUST_USE;
/* Read a perf-PID.map: lines of start and size in hex, and a name. Errors: NOMEM. */
int pd_lookup_read_jit(struct pd_lookup *l, struct pd_span text,
		       struct pd_error *err) PD_MUST_USE;

/* Have room for n more symbols, at once; false if there is no memory, which is latched. */
bool pd_lookup_reserve(struct pd_lookup *l, size_t n);
/* The symbols, as many as there are, are now in that block of room for cap, which it takes. */
void pd_lookup_take(struct pd_lookup *l, struct pd_lookup_symbol *symbols, uint32_t cap);
/* Add a symbol; the order is free until it is settled. Failure is latched. */
void pd_lookup_add(struct pd_lookup *l, const struct pd_lookup_symbol *s);
/* Order symbols by start; those of equal start stay in the order that they came in. NOMEM. */
int pd_lookup_sort(struct pd_lookup *l, struct pd_error *err) PD_MUST_USE;
/*
 * Order them, give those of size 0 an end and choose one of those that begin at the same
 * place. Errors: NOMEM; FORMAT (names have many times the bytes of the file).
 */
int pd_lookup_settle(struct pd_lookup *l, struct pd_error *err) PD_MUST_USE;

/* The symbols of that module ("" is the kernel itself); none if it has none. */
struct pd_lookup_range pd_lookup_range_of(const struct pd_lookup *l, struct pd_span module);
static inline struct pd_lookup_range pd_lookup_all(const struct pd_lookup *l)
{
	return (struct pd_lookup_range){0, l->n};
}

/*
 * The symbols of n sites, whose addresses ascend, in a part of l: indices, or
 * PD_LOOKUP_NONE. shift is added to an address first, modulo 2^64.
 * O(symbols + sites). False if there is no memory.
 */
#define PD_LOOKUP_NONE UINT32_MAX
bool pd_lookup_find(const struct pd_lookup *l, struct pd_lookup_range range,
		    const struct pd_site *sites, size_t n, uint64_t shift,
		    uint32_t *ret_symbols) PD_MUST_USE;

/*
 * The name as it is shown; valid until the next call. Empty where the names that were
 * asked for have many times the bytes of the file.
 */
struct pd_span pd_lookup_name(struct pd_lookup *l, uint32_t symbol);
/* What an offset becomes by the segments; false if none of them has it. */
bool pd_lookup_address(const struct pd_lookup *l, uint64_t offset, uint64_t *ret_address);

#endif
