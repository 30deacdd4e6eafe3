/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kinds of work instructions do, for counts of them: told from their texts, as
 * disassemblers write them (x86: in AT&T syntax).
 */
#ifndef PD_IMAGE_INSN_CLASSES_H
#define PD_IMAGE_INSN_CLASSES_H

#include "image/insns.h"

enum pd_insn_class {
	PD_CLASS_CALL,
	PD_CLASS_BRANCH, /* jumps, with and without a condition */
	PD_CLASS_LOAD,   /* from memory; pushes, pops and returns apart */
	PD_CLASS_STORE,
	PD_CLASS_LOCKED, /* atomic, or a barrier */
	PD_CLASS_VECTOR,
	PD_N_CLASSES,
};

/* "calls", "branches", ... */
extern const char *const pd_insn_class_names[PD_N_CLASSES];

/*
 * The classes of an instruction of that machine (EM_* of ELF): bits 1 << class. One may
 * be of several. Of machines other than x86 and AArch64, loads, stores and the others
 * are guessed by the beginning of the mnemonic, or none.
 */
unsigned pd_insn_classes(uint16_t elf_machine, const struct pd_insn_line *insn);

#endif
