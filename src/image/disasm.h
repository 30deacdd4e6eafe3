/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of an image's code, one at a time: length, kind, direct target, and
 * text. The only user of capstone (4 and 5).
 */
#ifndef PD_IMAGE_DISASM_H
#define PD_IMAGE_DISASM_H

#include "image/branch.h"
#include "profdiff/image.h"

/* Opaque. One for each thread. */
struct pd_disasm;

/*
 * For the machine of image, which is not kept. Machines: x86, AArch64, ARM (not
 * its Thumb code), PowerPC, S/390, MIPS, RISC-V. Errors: UNSUPPORTED (another one,
 * or capstone lacks x86; the message names it), NOMEM.
 */
int pd_disasm_open(const struct pd_image *image, struct pd_disasm **ret_disasm,
		   struct pd_error *err) PD_MUST_USE;
/* x86: let text be of Intel's syntax, before the first instruction. Others have one. */
void pd_disasm_set_intel(struct pd_disasm *d);
/* NULL allowed. */
void pd_disasm_close(struct pd_disasm *d);

/*
 * The bytes of a section of image, with the addresses of the symbols in it: offsets
 * where it is relocatable. Borrowed from image; no bytes if the file has none.
 */
struct pd_machine_code pd_machine_code_of(const struct pd_image *image, uint32_t section);

/*
 * The instruction at offset, which is less than code->n_bytes. What is none, or is
 * cut by the end of the code, is OTHER and of the least length that the machine
 * has, capped by the end: the next one is at offset + n_bytes, always.
 */
void pd_disasm_at(struct pd_disasm *d, const struct pd_machine_code *code, size_t offset,
		  struct pd_insn *ret_insn);

/* An instruction as text, in the machine's own syntax (x86: AT&T). */
struct pd_insn_text {
	const char *mnemonic; /* ".byte" where it is none */
	const char *operands; /* "" if there are none; addresses as 0x... */
};

/*
 * The text of an instruction that pd_disasm_at() gave, valid until the next call
 * that has d. Where capstone does not know the machine (RISC-V in version 4), every
 * instruction is ".byte 0x..., ...".
 */
struct pd_insn_text pd_disasm_text(struct pd_disasm *d, const struct pd_machine_code *code,
				   const struct pd_insn *insn);

/*
 * How far behind its address callers of the same module enter a function: not 0
 * for PowerPC64 ELFv2 only, where they skip the two instructions that set r2.
 */
uint32_t pd_disasm_local_entry(const struct pd_disasm *d, const struct pd_machine_code *code,
			       size_t offset);

#endif
