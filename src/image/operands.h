/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands of an instruction, from the text that the disassembler gives: which numbers
 * in it are addresses, and what these are of.
 */
#ifndef PD_IMAGE_OPERANDS_H
#define PD_IMAGE_OPERANDS_H

#include "image/branch.h"
#include "image/refs.h"

enum { PD_N_PAGE_REGISTERS = 32 };

/* Zero-initialise but for refs; free with pd_operands_done(). One for each thread. */
struct pd_operands {
	const struct pd_refs *refs;
	uint32_t own; /* symbol of the function at hand */
	/* The operands that were read last: */
	struct pd_buf shown; /* for people */
	struct pd_buf exact; /* the same wherever code and data are */
	struct pd_buf key;   /* the same for other registers and places on the stack, too */
	/* First halves of addresses that registers hold, of which the rest is told later. */
	uint64_t pages[PD_N_PAGE_REGISTERS];
	uint32_t held, unused; /* bits: which hold one; of these, which were not used yet */
};

/* The instruction that they are of. */
struct pd_operand_context {
	uint64_t address;
	uint32_t own;
	const struct pd_insn *insn;
	const char *mnemonic;
	const struct pd_reloc *reloc; /* [n_relocs] that are in it, or NULL */
	uint32_t n_relocs;
};

/* A function begins. */
void pd_operands_begin(struct pd_operands *o, uint32_t own);
/* Read operands; lack of memory is latched in the buffers. */
void pd_operands_read(struct pd_operands *o, const char *text,
		      const struct pd_operand_context *context);
/* The function ends: what is exact of it as well, or empty. */
struct pd_span pd_operands_end(struct pd_operands *o);
void pd_operands_done(struct pd_operands *o);

#endif
