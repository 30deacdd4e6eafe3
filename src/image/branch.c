/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Branches by their bits, from the manuals of the machines: Arm A-profile (A64:
 * C4.1.66 "branches", A32: F4.1), Power ISA 3.1 book I 2.4, z/Architecture
 * principles of operation (formats RI, RIL, RIE, RSI), MIPS32/64 release 6 volume
 * II, RISC-V unprivileged 2.5 and 16.8. x86 is capstone's; here is only a quick
 * search for the places that capstone has to look at.
 */
#include "image/branch.h"

#include <elf.h>
#include <endian.h>
#include <string.h>

static uint32_t load16(const struct pd_machine_code *code, size_t offset)
{
	const uint8_t *p = code->bytes + offset;

	return code->is_big_endian ? (uint32_t)(p[0] << 8 | p[1]) : (uint32_t)(p[1] << 8 | p[0]);
}

static uint32_t load32(const struct pd_machine_code *code, size_t offset)
{
	uint32_t first = load16(code, offset), second = load16(code, offset + 2);

	return code->is_big_endian ? first << 16 | second : second << 16 | first;
}

/* n bits of w from bit low up, unsigned. */
static uint32_t bits(uint32_t w, unsigned low, unsigned n)
{
	return w >> low & ((1u << n) - 1);
}

/* The lowest n bits of w, signed. */
static int64_t extend(uint64_t w, unsigned n)
{
	uint64_t sign = UINT64_C(1) << (n - 1);

	return (int64_t)(((w & (2 * sign - 1)) ^ sign) - sign);
}

static uint64_t address_of(const struct pd_machine_code *code, const struct pd_insn *insn)
{
	return code->address + insn->offset;
}

static void go_to(struct pd_insn *insn, enum pd_insn_kind kind, uint64_t target)
{
	insn->kind = kind;
	insn->has_target = true;
	insn->target = target;
}

/* To a distance from the instruction itself. */
static void go_by(const struct pd_machine_code *code, struct pd_insn *insn, enum pd_insn_kind kind,
		  int64_t distance)
{
	go_to(insn, kind, address_of(code, insn) + (uint64_t)distance);
}

static void read_a64(const struct pd_machine_code *code, struct pd_insn *insn)
{
	/* Instructions are little-endian, whatever data is. */
	struct pd_machine_code little = *code;
	uint32_t w;

	little.is_big_endian = false;
	w = load32(&little, insn->offset);

	insn->n_bytes = 4;
	if (bits(w, 26, 5) == 0x05) /* b, bl */
		go_by(code, insn, w >> 31 ? PD_INSN_CALL : PD_INSN_JUMP, extend(w, 26) * 4);
	else if (bits(w, 24, 8) == 0x54 || bits(w, 25, 6) == 0x1a) /* b.cond; cbz, cbnz */
		go_by(code, insn, PD_INSN_CONDITIONAL, extend(w >> 5, 19) * 4);
	else if (bits(w, 25, 6) == 0x1b) /* tbz, tbnz */
		go_by(code, insn, PD_INSN_CONDITIONAL, extend(w >> 5, 14) * 4);
	else if ((w & 0xfffff000) == 0xd61f0000) /* br */
		insn->kind = PD_INSN_JUMP;
	else if ((w & 0xfffff000) == 0xd63f0000) /* blr */
		insn->kind = PD_INSN_CALL;
}

static void read_a32(const struct pd_machine_code *code, struct pd_insn *insn)
{
	uint32_t w = load32(code, insn->offset);
	int64_t distance = extend(w, 24) * 4 + 8;

	insn->n_bytes = 4;
	if (bits(w, 25, 3) != 5) /* b, bl, blx */
		return;
	if (w >> 28 == 15) /* blx, to Thumb code: one more bit of distance */
		go_by(code, insn, PD_INSN_CALL, distance + (int64_t)bits(w, 24, 1) * 2);
	else if (bits(w, 24, 1))
		go_by(code, insn, PD_INSN_CALL, distance);
	else
		go_by(code, insn, w >> 28 == 14 ? PD_INSN_JUMP : PD_INSN_CONDITIONAL, distance);
}

static void read_ppc(const struct pd_machine_code *code, struct pd_insn *insn)
{
	uint32_t w = load32(code, insn->offset), opcode = w >> 26;
	bool is_absolute = bits(w, 1, 1), is_call = w & 1;
	bool is_always = (bits(w, 21, 5) & 0x14) == 0x14; /* BO: neither condition nor count */
	uint64_t here = is_absolute ? 0 : address_of(code, insn);
	enum pd_insn_kind kind = PD_INSN_JUMP;

	insn->n_bytes = 4;
	if (is_call)
		kind = PD_INSN_CALL;
	else if (opcode != 18 && !is_always)
		kind = PD_INSN_CONDITIONAL;
	if (opcode == 18) /* b, bl, ba, bla */
		go_to(insn, kind, here + (uint64_t)extend(w & 0x03fffffc, 26));
	else if (opcode == 16) /* bc and its many names */
		go_to(insn, kind, here + (uint64_t)extend(w & 0xfffc, 16));
}

/* Branches of format RI, RIE and RSI have 16 bits behind the first two bytes, RIL 32. */
static void read_s390(const struct pd_machine_code *code, struct pd_insn *insn)
{
	const uint8_t *p = code->bytes + insn->offset;
	size_t left = code->n_bytes - insn->offset;
	unsigned first = p[0], mask = p[1] >> 4, low = p[1] & 15;
	enum pd_insn_kind by_mask = mask == 15 ? PD_INSN_JUMP : PD_INSN_CONDITIONAL;

	insn->n_bytes = first < 0x40 ? 2 : first < 0xc0 ? 4 : 6;
	if (insn->n_bytes > left || insn->n_bytes == 2)
		return;
	if (first == 0xc0 || first == 0xcc) {
		int64_t distance = extend(load32(code, insn->offset + 2), 32) * 2;

		if (first == 0xc0 && low == 5) /* brasl */
			go_by(code, insn, PD_INSN_CALL, distance);
		else if (first == 0xc0 && low == 4 && mask) /* brcl, jg */
			go_by(code, insn, by_mask, distance);
		else if (first == 0xcc && low == 6) /* brcth */
			go_by(code, insn, PD_INSN_CONDITIONAL, distance);
		return;
	}
	int64_t distance = extend(load16(code, insn->offset + 2), 16) * 2;
	unsigned last = insn->n_bytes == 6 ? p[5] : 0;

	if (first == 0xa7 && low == 5) /* bras */
		go_by(code, insn, PD_INSN_CALL, distance);
	else if (first == 0xa7 && low == 4 && mask) /* brc, j */
		go_by(code, insn, by_mask, distance);
	else if ((first == 0xa7 && (low == 6 || low == 7)) ||   /* brct, brctg */
		 first == 0x84 || first == 0x85 ||              /* brxh, brxle */
		 (first == 0xec && ((last & ~1u) == 0x44 ||     /* brxhg, brxlg */
				    (last & ~1u) == 0x64 ||     /* cgrj, clgrj */
				    (last & ~1u) == 0x76 ||     /* crj, clrj */
				    (last & ~3u) == 0x7c)))     /* cgij, clgij, cij, clij */
		go_by(code, insn, PD_INSN_CONDITIONAL, distance);
}

static void read_mips(const struct pd_machine_code *code, struct pd_insn *insn)
{
	uint32_t w = load32(code, insn->offset), opcode = w >> 26;
	uint32_t rs = bits(w, 21, 5), rt = bits(w, 16, 5);
	uint64_t next = address_of(code, insn) + 4; /* what branches count from */
	uint64_t near = next + (uint64_t)(extend(w, 16) * 4);

	insn->n_bytes = 4;
	if (opcode == 2 || opcode == 3) /* j, jal: within 256 MB */
		go_to(insn, opcode == 3 ? PD_INSN_CALL : PD_INSN_JUMP,
		      (next & ~UINT64_C(0x0fffffff)) | (uint64_t)bits(w, 0, 26) << 2);
	else if (opcode == 50 || opcode == 58) /* bc, balc */
		go_to(insn, opcode == 58 ? PD_INSN_CALL : PD_INSN_JUMP,
		      next + (uint64_t)(extend(w, 26) * 4));
	else if ((opcode == 54 || opcode == 62) && rs) /* beqzc, bnezc */
		go_to(insn, PD_INSN_CONDITIONAL, next + (uint64_t)(extend(w, 21) * 4));
	else if (opcode == 1 && (rt & 0x0c) == 0 && rt >= 16) /* bltzal, bgezal, bal */
		go_to(insn, PD_INSN_CALL, near);
	else if (opcode == 4 && !rs && !rt) /* b */
		go_to(insn, PD_INSN_JUMP, near);
	else if ((opcode >= 4 && opcode <= 7) || (opcode >= 20 && opcode <= 23) ||
		 (opcode == 1 && rt < 4) ||              /* bltz, bgez, likely ones */
		 (opcode == 17 && (rs == 8 || rs == 9 || rs == 13))) /* bc1f, bc1t, bc1eqz */
		go_to(insn, PD_INSN_CONDITIONAL, near);
}

static void read_riscv_short(const struct pd_machine_code *code, struct pd_insn *insn)
{
	uint32_t w = load16(code, insn->offset);
	uint32_t far = bits(w, 12, 1) << 11 | bits(w, 8, 1) << 10 | bits(w, 9, 2) << 8 |
		bits(w, 6, 1) << 7 | bits(w, 7, 1) << 6 | bits(w, 2, 1) << 5 |
		bits(w, 11, 1) << 4 | bits(w, 3, 3) << 1;
	uint32_t near = bits(w, 12, 1) << 8 | bits(w, 5, 2) << 6 | bits(w, 2, 1) << 5 |
		bits(w, 10, 2) << 3 | bits(w, 3, 2) << 1;

	insn->n_bytes = 2;
	if ((w & 3) != 1)
		return;
	if (w >> 13 == 5) /* c.j */
		go_by(code, insn, PD_INSN_JUMP, extend(far, 12));
	else if (w >> 13 == 1 && !code->is_64bit) /* c.jal; c.addiw where it is 64-bit */
		go_by(code, insn, PD_INSN_CALL, extend(far, 12));
	else if (w >> 13 >= 6) /* c.beqz, c.bnez */
		go_by(code, insn, PD_INSN_CONDITIONAL, extend(near, 9));
}

/* jalr with the register that an auipc just before it has set. */
static void read_riscv_pair(const struct pd_machine_code *code, struct pd_insn *insn, uint32_t w)
{
	uint32_t before;

	insn->kind = bits(w, 7, 5) ? PD_INSN_CALL : PD_INSN_JUMP;
	if (insn->offset < 4)
		return;
	before = load32(code, insn->offset - 4);
	if (bits(before, 0, 7) != 0x17 || bits(before, 7, 5) != bits(w, 15, 5))
		return;
	insn->n_before = 4;
	go_by(code, insn, insn->kind,
	      extend(before & 0xfffff000, 32) + extend(w >> 20, 12) - 4);
}

static void read_riscv(const struct pd_machine_code *code, struct pd_insn *insn)
{
	/* Instructions are little-endian, whatever data is. */
	struct pd_machine_code little = *code;
	uint32_t w;

	little.is_big_endian = false;
	w = load16(&little, insn->offset);
	if ((w & 3) != 3) {
		read_riscv_short(&little, insn);
		return;
	}
	insn->n_bytes = (w & 0x1f) != 0x1f ? 4 : (w & 0x3f) == 0x1f ? 6 : 8;
	if (insn->n_bytes != 4 || code->n_bytes - insn->offset < 4)
		return;
	w = load32(&little, insn->offset);
	if (bits(w, 0, 7) == 0x6f) /* jal */
		go_by(code, insn, bits(w, 7, 5) ? PD_INSN_CALL : PD_INSN_JUMP,
		      extend(bits(w, 31, 1) << 20 | bits(w, 12, 8) << 12 |
			     bits(w, 20, 1) << 11 | bits(w, 21, 10) << 1, 21));
	else if (bits(w, 0, 7) == 0x63) /* beq and others */
		go_by(code, insn, PD_INSN_CONDITIONAL,
		      extend(bits(w, 31, 1) << 12 | bits(w, 7, 1) << 11 |
			     bits(w, 25, 6) << 5 | bits(w, 8, 4) << 1, 13));
	else if (bits(w, 0, 7) == 0x67) /* jalr */
		read_riscv_pair(&little, insn, w);
}

static const struct pd_isa isas[] = {
	{EM_X86_64, 1, NULL},	  {EM_386, 1, NULL},	    {EM_AARCH64, 4, read_a64},
	{EM_ARM, 4, read_a32},	  {EM_PPC, 4, read_ppc},    {EM_PPC64, 4, read_ppc},
	{EM_S390, 2, read_s390},  {EM_MIPS, 4, read_mips},  {EM_RISCV, 2, read_riscv},
};

const struct pd_isa *pd_isa_find(uint16_t elf_machine)
{
	for (size_t i = 0; i < sizeof(isas) / sizeof(isas[0]); i++)
		if (isas[i].elf_machine == elf_machine)
			return &isas[i];
	return NULL;
}

enum { RANGE_REL8 = 130 }; /* a short jump reaches no further, its own bytes included */

static bool is_near(uint64_t address, uint64_t target)
{
	return address - target + RANGE_REL8 <= 2 * RANGE_REL8;
}

size_t pd_branch_find_operand(const struct pd_machine_code *code, size_t from, uint64_t target)
{
	const uint8_t *bytes = code->bytes;
	/* An operand of 4 bytes at offset i goes to address + i + 4 + operand. */
	uint32_t sum = (uint32_t)(target - code->address - 4), operand;

	for (size_t i = from + 1; i < code->n_bytes; i++) {
		if (code->n_bytes - i >= sizeof(operand)) {
			memcpy(&operand, bytes + i, sizeof(operand));
			if (le32toh(operand) + (uint32_t)i == sum)
				return i - 1;
		}
		if (is_near(code->address + i, target) &&
		    code->address + i + 1 + (uint64_t)(int8_t)bytes[i] == target)
			return i - 1;
	}
	return SIZE_MAX;
}
