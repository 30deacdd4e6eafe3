/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classes of instructions, as the manuals of the processors have them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>

#include "image/insn_classes.h"

enum {
	CALL = 1 << PD_CLASS_CALL,
	BRANCH = 1 << PD_CLASS_BRANCH,
	LOAD = 1 << PD_CLASS_LOAD,
	STORE = 1 << PD_CLASS_STORE,
	LOCKED = 1 << PD_CLASS_LOCKED,
	VECTOR = 1 << PD_CLASS_VECTOR,
};

struct want {
	const char *text;
	unsigned classes;
	enum pd_insn_kind kind;
};

static void check(uint16_t machine, const struct want *wants, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pd_insn_line insn = {.text = wants[i].text, .kind = wants[i].kind};

		if (pd_insn_classes(machine, &insn) != wants[i].classes)
			fail_msg("%s: 0x%x, want 0x%x", wants[i].text,
				 pd_insn_classes(machine, &insn), wants[i].classes);
	}
}

#define CHECK(machine, wants) check((machine), (wants), sizeof(wants) / sizeof((wants)[0]))

static void test_x86(void **state)
{
	static const struct want wants[] = {
		{"movq   %rax,%rbx", 0, PD_INSN_OTHER},
		{"movq   8(%rax),%rbx", LOAD, PD_INSN_OTHER},
		{"movq   %rbx,8(%rax,%rcx,4)", STORE, PD_INSN_OTHER},
		{"movq   8(%rax,%rcx,4),%rbx", LOAD, PD_INSN_OTHER},
		{"movq   jiffies(%rip),%rax", LOAD, PD_INSN_OTHER},
		{"movl   %gs:0x1234,%eax", LOAD, PD_INSN_OTHER},
		{"movl   $1,8(%rax)", STORE, PD_INSN_OTHER},
		{"addl   $1,8(%rax)", LOAD | STORE, PD_INSN_OTHER},
		{"addl   8(%rax),%ecx", LOAD, PD_INSN_OTHER},
		{"cmpq   %rax,highest_memmap_pfn(%rip)", LOAD, PD_INSN_OTHER},
		{"testb  $2,8(%rdi)", LOAD, PD_INSN_OTHER},
		{"cmpxchgl %ecx,(%rdi)", LOAD | STORE, PD_INSN_OTHER},
		{"lock cmpxchgl %ecx,(%rdi)", LOAD | STORE | LOCKED, PD_INSN_OTHER},
		{"lock incl (%rdi)", LOAD | STORE | LOCKED, PD_INSN_OTHER},
		{"xchgl  %eax,(%rdi)", LOAD | STORE | LOCKED, PD_INSN_OTHER},
		{"xchgw  %ax,%ax", 0, PD_INSN_OTHER},
		{"mfence ", LOCKED, PD_INSN_OTHER},
		{"leaq   8(%rax),%rbx", 0, PD_INSN_OTHER},
		{"nopw   (%rax)", 0, PD_INSN_OTHER},
		{"pushq  %rbx", 0, PD_INSN_OTHER},
		{"pushq  8(%rax)", LOAD, PD_INSN_OTHER},
		{"movaps %xmm0,(%rsp)", STORE | VECTOR, PD_INSN_OTHER},
		{"vpaddd %ymm0,%ymm1,%ymm2", VECTOR, PD_INSN_OTHER},
		{"rep stosq %rax,%es:(%rdi)", STORE, PD_INSN_OTHER},
		{"callq  kfree", CALL, PD_INSN_CALL},
		{"callq  *8(%rax)", CALL, PD_INSN_CALL},
		{"jne    3a", BRANCH, PD_INSN_CONDITIONAL},
		{"jmp    2f", BRANCH, PD_INSN_JUMP},
		{"", 0, PD_INSN_OTHER},
	};

	(void)state;
	CHECK(EM_X86_64, wants);
	CHECK(EM_386, wants);
}

static void test_arm64(void **state)
{
	static const struct want wants[] = {
		{"ldr    x0, [x1]", LOAD, PD_INSN_OTHER},
		{"stp    x29, x30, [sp, #-16]!", STORE, PD_INSN_OTHER},
		{"ldxr   w0, [x1]", LOAD | LOCKED, PD_INSN_OTHER},
		{"stxr   w2, w0, [x1]", STORE | LOCKED, PD_INSN_OTHER},
		{"dmb    ish", LOCKED, PD_INSN_OTHER},
		{"add    v0.4s, v1.4s, v2.4s", VECTOR, PD_INSN_OTHER},
		{"add    x0, x1, x2", 0, PD_INSN_OTHER},
		{"bl     kfree", CALL, PD_INSN_CALL},
		{"cbz    x0, 3a", BRANCH, PD_INSN_CONDITIONAL},
	};

	(void)state;
	CHECK(EM_AARCH64, wants);
}

static void test_others(void **state)
{
	static const struct want wants[] = {
		{"lwz    r3, 4(r1)", LOAD, PD_INSN_OTHER},
		{"std    r3, 4(r1)", STORE, PD_INSN_OTHER},
		{"add    r3, r4, r5", 0, PD_INSN_OTHER},
		{"bl     kfree", CALL, PD_INSN_CALL},
	};

	(void)state;
	CHECK(EM_PPC64, wants);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_arm64),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
