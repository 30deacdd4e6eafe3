/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The instructions of a function, so that two builds of it can be held against each
 * other: each has a key, which is the same where only addresses, registers or places on
 * the stack differ; all together have a hash, which is the same only where the code is,
 * wherever the linker has put it and what it refers to.
 *
 *   code      mov 0x1b0f3c(%rip),%rax       call 0xffffffff81234560
 *   text      mov jiffies(%rip),%rax        call kfree
 *   key       mov jiffies(%rip),%r64        call kfree
 *
 * Padding at the end of a function is no part of it.
 */
#ifndef PD_IMAGE_INSNS_H
#define PD_IMAGE_INSNS_H

#include "image/branch.h"
#include "profdiff/image.h"

enum pd_asm_syntax {
	PD_ASM_ATT, /* and of all machines but x86: their own */
	PD_ASM_INTEL,
};

/* One instruction. */
struct pd_insn_line {
	uint64_t address; /* as struct pd_symbol has it */
	uint32_t n_bytes;
	enum pd_insn_kind kind;
	uint64_t key;      /* of the mnemonic and the operands, as above */
	uint64_t mnemonic; /* of that alone */
	const char *text;  /* mnemonic, blanks, operands */
};

/* A function. Zero-initialise; free with pd_insns_done(). */
struct pd_insns {
	struct pd_arena arena;
	struct pd_insn_line *items; /* by address */
	uint32_t n;
	uint64_t hash; /* of its code */
};

/* Opaque. One for each thread. */
struct pd_insn_reader;

/* For an image, which must outlive it. Errors: UNSUPPORTED (its machine), NOMEM. */
int pd_insn_reader_new(const struct pd_image *image, enum pd_asm_syntax syntax,
		       struct pd_insn_reader **ret_reader, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_insn_reader_free(struct pd_insn_reader *r);

/*
 * The instructions of a symbol of the image, into *ret_insns, which is overwritten.
 * Errors: LIMIT (a million), EMPTY (its bytes are not in the file), NOMEM.
 */
int pd_insns_read(struct pd_insn_reader *r, uint32_t symbol, struct pd_insns *ret_insns,
		  struct pd_error *err) PD_MUST_USE;
/* The same without the instructions themselves: n and hash, which cost less alone. */
int pd_insns_hash(struct pd_insn_reader *r, uint32_t symbol, struct pd_insns *ret_insns,
		  struct pd_error *err) PD_MUST_USE;
void pd_insns_done(struct pd_insns *insns);

#endif
