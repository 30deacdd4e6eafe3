/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of instructions. Contract: insn_classes.h.
 */
#include "image/insn_classes.h"

#include <elf.h>
#include <string.h>

#include "base/text.h"

const char *const pd_insn_class_names[PD_N_CLASSES] = {
	[PD_CLASS_CALL] = "calls",     [PD_CLASS_BRANCH] = "branches",
	[PD_CLASS_LOAD] = "loads",     [PD_CLASS_STORE] = "stores",
	[PD_CLASS_LOCKED] = "locked",  [PD_CLASS_VECTOR] = "vector",
};

static bool starts_with_one_of(struct pd_span s, const char *const *words)
{
	for (; *words; words++)
		if (pd_span_starts(s, *words))
			return true;
	return false;
}

/* x86: memory is "disp(base,index,scale)", "%gs:disp", or an address without "$". */
static bool is_memory(struct pd_span operand)
{
	operand = pd_span_trim(operand);
	if (!operand.len || *operand.ptr == '$' || *operand.ptr == '*')
		return false;
	return *operand.ptr != '%' || pd_span_find(operand, ":") != SIZE_MAX ||
	       pd_span_find(operand, "(") != SIZE_MAX;
}

/* Whether memory is the last operand, and one before it: commas in parentheses part none. */
static void find_memory(struct pd_span operands, bool *ret_is_last, bool *ret_is_before)
{
	size_t from = 0;
	int depth = 0;

	*ret_is_before = false;
	for (size_t i = 0; i < operands.len; i++) {
		depth += operands.ptr[i] == '(' ? 1 : operands.ptr[i] == ')' ? -1 : 0;
		if (operands.ptr[i] != ',' || depth != 0)
			continue;
		*ret_is_before |= is_memory(pd_span_sub(operands, from, i));
		from = i + 1;
	}
	*ret_is_last = is_memory(pd_span_sub(operands, from, operands.len));
}

static bool is_vector(struct pd_span operands)
{
	return pd_span_find(operands, "%xmm") != SIZE_MAX ||
	       pd_span_find(operands, "%ymm") != SIZE_MAX ||
	       pd_span_find(operands, "%zmm") != SIZE_MAX;
}

static unsigned classes_of_x86(struct pd_span mnemonic, struct pd_span operands)
{
	/* They name memory and leave it alone, or read what they seem to write. */
	static const char *const no_access[] = {"lea", "nop", "prefetch", "clflush", NULL};
	static const char *const only_reads[] = {"cmpb", "cmpw", "cmpl", "cmpq", "test",
						 "btb", "btw", "btl", "btq", "push", "ucomi",
						 "comi", "mul", "div", "idiv", "imul", NULL};
	static const char *const only_writes[] = {"mov", "vmov", "set", "pop", "stos", NULL};
	static const char *const barriers[] = {"mfence", "lfence", "sfence", NULL};
	bool is_last, is_before;
	unsigned classes = is_vector(operands) ? 1u << PD_CLASS_VECTOR : 0;

	find_memory(operands, &is_last, &is_before);
	/* xchg with memory locks without saying so. */
	if (starts_with_one_of(mnemonic, barriers) ||
	    (pd_span_starts(mnemonic, "xchg") && (is_last || is_before)))
		classes |= 1u << PD_CLASS_LOCKED;
	if (starts_with_one_of(mnemonic, no_access))
		return classes;
	if (is_before || (is_last && !starts_with_one_of(mnemonic, only_writes)))
		classes |= 1u << PD_CLASS_LOAD;
	if (is_last && !starts_with_one_of(mnemonic, only_reads))
		classes |= 1u << PD_CLASS_STORE;
	return classes;
}

static unsigned classes_of_arm64(struct pd_span mnemonic, struct pd_span operands)
{
	static const char *const loads[] = {"ld", NULL};
	static const char *const stores[] = {"st", NULL};
	static const char *const locked[] = {"ldx", "ldax", "stx", "stlx", "cas", "swp", "ldadd",
					     "ldclr", "ldset", "ldeor", "dmb", "dsb", NULL};
	unsigned classes = 0;

	classes |= starts_with_one_of(mnemonic, loads) ? 1u << PD_CLASS_LOAD : 0;
	classes |= starts_with_one_of(mnemonic, stores) ? 1u << PD_CLASS_STORE : 0;
	classes |= starts_with_one_of(mnemonic, locked) ? 1u << PD_CLASS_LOCKED : 0;
	if (operands.len > 1 && (*operands.ptr == 'v' || *operands.ptr == 'q') &&
	    pd_is_digit(operands.ptr[1]))
		classes |= 1u << PD_CLASS_VECTOR;
	return classes;
}

static unsigned classes_of_others(struct pd_span mnemonic)
{
	static const char *const loads[] = {"ld", "lw", "lb", "lh", "lg", "lm", NULL};
	static const char *const stores[] = {"st", "sw", "sb", "sh", "sd", NULL};

	return (starts_with_one_of(mnemonic, loads) ? 1u << PD_CLASS_LOAD : 0) |
	       (starts_with_one_of(mnemonic, stores) ? 1u << PD_CLASS_STORE : 0);
}

unsigned pd_insn_classes(uint16_t elf_machine, const struct pd_insn_line *insn)
{
	struct pd_span text = pd_span_of(insn->text), mnemonic, operands;
	size_t blank = strcspn(insn->text, " \t");
	unsigned classes = 0;

	if (insn->kind == PD_INSN_CALL)
		classes = 1u << PD_CLASS_CALL;
	else if (insn->kind != PD_INSN_OTHER)
		classes = 1u << PD_CLASS_BRANCH;
	mnemonic = pd_span_sub(text, 0, blank);
	operands = pd_span_trim(pd_span_sub(text, blank, text.len));
	/* "lock cmpxchg ...", "rep stos ..." */
	if (pd_span_eq(mnemonic, "lock") || pd_span_starts(mnemonic, "rep")) {
		blank = strcspn(operands.ptr, " \t");
		if (pd_span_eq(mnemonic, "lock"))
			classes |= 1u << PD_CLASS_LOCKED;
		mnemonic = pd_span_sub(operands, 0, blank);
		operands = pd_span_trim(pd_span_sub(operands, blank, operands.len));
	}
	if (insn->kind != PD_INSN_OTHER)
		return classes;
	if (elf_machine == EM_X86_64 || elf_machine == EM_386)
		return classes | classes_of_x86(mnemonic, operands);
	if (elf_machine == EM_AARCH64)
		return classes | classes_of_arm64(mnemonic, operands);
	return classes | classes_of_others(mnemonic);
}
