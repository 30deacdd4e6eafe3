/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions, as far as branches need it: how long one is, and where it goes.
 * Machines whose branches are few and regular are read here, from their bits:
 * capstone 4 does not group them reliably (no "call" for a bl of AArch64 or
 * PowerPC), and this is some hundred times faster.
 */
#ifndef PD_IMAGE_BRANCH_H
#define PD_IMAGE_BRANCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of one section; borrowed. */
struct pd_machine_code {
	const uint8_t *bytes;
	size_t n_bytes;
	uint64_t address; /* of the first byte */
	bool is_64bit, is_big_endian;
};

enum pd_insn_kind {
	PD_INSN_OTHER,
	PD_INSN_CALL, /* comes back, also where it is conditional */
	PD_INSN_JUMP,
	PD_INSN_CONDITIONAL, /* goes there or on */
};

struct pd_insn {
	size_t offset;     /* in the code */
	uint32_t n_bytes;  /* its length, at least 1 */
	uint32_t n_before; /* bytes before it that have a part of the target (RISC-V's auipc) */
	enum pd_insn_kind kind;
	bool has_target; /* a direct one, of a call, jump or conditional */
	uint64_t target; /* address */
};

/*
 * Fill what is not zero of *insn, which has offset and else zeros; at least unit
 * bytes are left there. n_bytes may pass the end of the code.
 */
typedef void pd_branch_read(const struct pd_machine_code *code, struct pd_insn *insn);

struct pd_isa {
	uint16_t elf_machine; /* EM_* */
	uint8_t unit;         /* bytes that every length and address is a multiple of */
	pd_branch_read *read; /* NULL: by capstone */
};

/* NULL: an unknown machine. */
const struct pd_isa *pd_isa_find(uint16_t elf_machine);

/*
 * x86: the offset, at least from, of the next byte behind which an operand may be
 * that makes a branch to target; SIZE_MAX if there is none. Whether it really is
 * an operand is not known.
 */
size_t pd_branch_find_operand(const struct pd_machine_code *code, size_t from, uint64_t target);

#endif
