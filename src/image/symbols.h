/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the entries of a symbol table to the symbols of an image: each address
 * counts once, aliases are names of one symbol, and what toolchains and linker
 * scripts generate is told from functions and objects by its name.
 */
#ifndef PD_IMAGE_SYMBOLS_H
#define PD_IMAGE_SYMBOLS_H

#include "base/text.h"
#include "profdiff/image.h"

/* An entry of a symbol table. A name that is no use to anybody is not made one. */
struct pd_raw_symbol {
	pd_str name, file; /* of the image's strings; file may be none */
	uint32_t file_no;  /* which of the files of that base name, from 0 */
	uint32_t section;  /* index */
	uint64_t address, n_bytes; /* 0 bytes: not known */
	enum pd_symbol_kind kind;
	bool is_global, is_weak; /* neither: local */
};

/*
 * The kind of a symbol of that name that is a FUNCTION or an OBJECT as its type
 * or its section has it: the same, or PADDING or MARKER. Never changes the others.
 */
enum pd_symbol_kind pd_symbol_kind_of_name(struct pd_span name, enum pd_symbol_kind kind);
/* Whether it only marks a place for assemblers and disassemblers: "$x", "$d.12", ".LC0". */
bool pd_symbol_is_mapping(struct pd_span name);

/*
 * Make raw (n may be 0) the symbols and aliases of the
 * image, whose arena they come from. All raw symbols of one kind at one place
 * become one symbol:
 *  - it has the size of the largest;
 *  - its name, file and binding (is_global: global or weak) are those of one that
 *    has a size: a global one before weak before local ones, then the shortest name,
 *    then the first by its bytes;
 *  - the other names are its aliases, each once, sorted by their bytes.
 * Where none has a size there is no symbol, so that no row has 0 bytes. Symbols
 * of different kinds at one place stay apart, in the order of the enumeration.
 *
 * Errors: NOMEM, LIMIT (more than 2^32 - 2 of them). O(n log n).
 */
int pd_symbols_settle(struct pd_image *image, const struct pd_raw_symbol *raw, size_t n,
		      struct pd_error *err) PD_MUST_USE;

#endif
