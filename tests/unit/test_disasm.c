/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions: lengths, kinds and targets of the branches of each machine. The
 * bytes are llvm-mc's; what they mean is llvm-objdump's word (version 14), in the
 * comments.
 */
#include "image/disasm.h"

#include <elf.h>
#include <stdlib.h>

#include "support.h"

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})

struct machine {
	uint16_t elf_machine;
	bool is_64bit, is_big_endian;
};

static struct pd_image image_of(struct machine machine)
{
	return (struct pd_image){
		.elf_machine = machine.elf_machine,
		.is_64bit = machine.is_64bit,
		.is_big_endian = machine.is_big_endian,
		.machine = "Test",
	};
}

/*
 * All instructions as "OFFSET:LENGTH [KIND [TARGET]] ..."; those that are no branch
 * have no kind.
 */
static void dump(struct machine machine, uint64_t address, const uint8_t *bytes, size_t n_bytes,
		 struct pd_buf *out)
{
	static const char *const kinds[] = {
		[PD_INSN_CALL] = " call",
		[PD_INSN_JUMP] = " jump",
		[PD_INSN_CONDITIONAL] = " cond",
		[PD_INSN_OTHER] = "",
	};
	struct pd_image image = image_of(machine);
	struct pd_section section = {.address = address, .n_bytes = n_bytes};
	struct pd_disasm *disasm = NULL;
	struct pd_machine_code code;
	struct pd_insn insn;
	/* Exactly as long as it says, so that a read beyond it is noticed. */
	uint8_t *copy = malloc(n_bytes);

	assert_non_null(copy);
	memcpy(copy, bytes, n_bytes);
	section.bytes = copy;
	image.sections = &section;
	image.n_sections = 1;
	code = pd_machine_code_of(&image, 0);
	assert_int_equal(pd_disasm_open(&image, &disasm, NULL), PD_OK);
	for (size_t i = 0; i < n_bytes; i += insn.n_bytes) {
		struct pd_insn_text text;

		pd_disasm_at(disasm, &code, i, &insn);
		assert_true(insn.n_bytes && insn.n_bytes <= n_bytes - i && insn.offset == i);
		pd_buf_printf(out, "%s%zx:%u%s", i ? "; " : "", i, insn.n_bytes, kinds[insn.kind]);
		if (insn.has_target)
			pd_buf_printf(out, " %llx", (unsigned long long)insn.target);
		text = pd_disasm_text(disasm, &code, &insn);
		assert_true(text.mnemonic && *text.mnemonic && text.operands);
	}
	pd_disasm_close(disasm);
	free(copy);
}

#define check(machine, address, want, ...)                                                    \
	check_at(machine, address, want, BYTES(__VA_ARGS__), __LINE__)
static void check_at(struct machine machine, uint64_t address, const char *want,
		     const uint8_t *bytes, size_t n_bytes, int line)
{
	struct pd_buf out = {0};

	dump(machine, address, bytes, n_bytes, &out);
	ut_assert_text_at("instructions", out.ptr, want, __FILE__, line);
	pd_buf_done(&out);
}

static void test_x86(void **state)
{
	const struct machine x64 = {EM_X86_64, true, false}, x32 = {EM_386, false, false};

	(void)state;
	check(x64, 0xffffffff81000000,
	      "0:5 call ffffffff81000105; 5:5 jump ffffffff8100000a; a:6 cond ffffffff81000000; "
	      "10:2 cond ffffffff81000032; 12:2 cond ffffffff81000014; 14:2 call; 16:2 jump; "
	      "18:6 call; 1e:6; 24:4; 28:1; 29:2 cond ffffffff8100002a; 2b:1",
	      0xe8, 0x00, 0x01, 0x00, 0x00,       /* call +0x100 */
	      0xe9, 0x00, 0x00, 0x00, 0x00,       /* jmp +0 */
	      0x0f, 0x84, 0xf0, 0xff, 0xff, 0xff, /* je -0x10 */
	      0xe3, 0x20,                         /* jrcxz +0x20 */
	      0xe2, 0x00,                         /* loop +0 */
	      0xff, 0xd0,                         /* call *%rax */
	      0xff, 0xe0,                         /* jmp *%rax */
	      0xff, 0x15, 0x00, 0x01, 0x00, 0x00, /* call *0x100(%rip) */
	      0xc7, 0xf8, 0x00, 0x00, 0x00, 0x00, /* xbegin +0 */
	      0xf3, 0x0f, 0x1e, 0xfa,             /* endbr64 */
	      0x06,                               /* none in this mode */
	      0x75, 0xff,                         /* jne -1 */
	      0xe8);                              /* a call that is cut */
	/* With prefixes: data16 data16 rex.W call; bnd call, bnd jmp; cs call; je,pn; rex call. */
	check(x64, 0,
	      "0:8 call 108; 8:6 call 10e; e:6 jump 114; 14:6 call 11a; 1a:7 cond 121; "
	      "21:6 call 127",
	      0x66, 0x66, 0x48, 0xe8, 0x00, 0x01, 0x00, 0x00,
	      0xf2, 0xe8, 0x00, 0x01, 0x00, 0x00,
	      0xf2, 0xe9, 0x00, 0x01, 0x00, 0x00,
	      0x2e, 0xe8, 0x00, 0x01, 0x00, 0x00,
	      0x2e, 0x0f, 0x84, 0x00, 0x01, 0x00, 0x00,
	      0x40, 0xe8, 0x00, 0x01, 0x00, 0x00);
	/* vpsubsb %xmm1,%xmm2,%xmm3 has the opcode of a call. */
	check(x64, 0, "0:4; 4:1", 0xc5, 0xe9, 0xe8, 0xd9, 0x90);
	/* Addresses have 32 bits: call, and 06 is push %es. */
	check(x32, 0xfffffff0, "0:5 call 5; 5:1", 0xe8, 0x10, 0x00, 0x00, 0x00, 0x06);
}

static void test_aarch64(void **state)
{
	static const char want[] =
		"0:4 call 100; 4:4 jump 104; 8:4 cond 108; c:4 cond 10c; 10:4 cond 110; 14:4 call; "
		"18:4; 1c:4 jump; 20:4; 24:4 call 20; 28:2";

	(void)state;
	for (int is_big = 0; is_big <= 1; is_big++)
		check(((struct machine){EM_AARCH64, true, is_big}), 0, want,
		      0x40, 0x00, 0x00, 0x94,  /* bl 0x100 */
		      0x40, 0x00, 0x00, 0x14,  /* b 0x104 */
		      0x00, 0x08, 0x00, 0x54,  /* b.eq 0x108 */
		      0x00, 0x08, 0x00, 0xb4,  /* cbz x0, 0x10c */
		      0x00, 0x08, 0x18, 0x37,  /* tbnz w0, #3, 0x110 */
		      0x20, 0x00, 0x3f, 0xd6,  /* blr x1 */
		      0xc0, 0x03, 0x5f, 0xd6,  /* ret */
		      0x60, 0x00, 0x1f, 0xd6,  /* br x3 */
		      0x00, 0x08, 0x00, 0x10,  /* adr x0, #256 */
		      0xff, 0xff, 0xff, 0x97,  /* bl 0x20 */
		      0x00, 0x00);
}

static void test_arm(void **state)
{
	(void)state;
	check(((struct machine){EM_ARM, false, false}), 0,
	      "0:4 call 108; 4:4 jump 10c; 8:4 cond 110; c:4 call 114; 10:4 call 118; "
	      "14:4 call 11e; 18:4 jump 18; 1c:4",
	      0x40, 0x00, 0x00, 0xeb,  /* bl 0x108 */
	      0x40, 0x00, 0x00, 0xea,  /* b 0x10c */
	      0x40, 0x00, 0x00, 0x0a,  /* beq 0x110 */
	      0x40, 0x00, 0x00, 0x1b,  /* blne 0x114 */
	      0x40, 0x00, 0x00, 0xfa,  /* blx 0x118 */
	      0x40, 0x00, 0x00, 0xfb,  /* blx 0x11e */
	      0xfe, 0xff, 0xff, 0xea,  /* b 0x18 */
	      0x1e, 0xff, 0x2f, 0xe1); /* bx lr */
	/* Addresses have 32 bits. */
	check(((struct machine){EM_ARM, false, false}), 0xfffffff8, "0:4 call 100", 0x40, 0x00,
	      0x00,
	      0xeb);
	/* Linked for a big-endian ARM: instructions are little-endian all the same. */
	check(((struct machine){EM_ARM, false, true}), 0, "0:4 call 108", 0x40, 0x00, 0x00, 0xeb);
}

static void test_powerpc(void **state)
{
	static const char want[] =
		"0:4 call 100; 4:4 jump 104; 8:4 cond 108; c:4 cond 10c; 10:4 call 100; 14:4; "
		"18:4; 1c:4 call 11c; 20:4 call 120; 24:4 cond 124; 28:4 jump 100; 2c:4 jump 20";

	(void)state;
	for (int is_64bit = 0; is_64bit <= 1; is_64bit++)
		check(((struct machine){is_64bit ? EM_PPC64 : EM_PPC, is_64bit, true}), 0, want,
		      0x48, 0x00, 0x01, 0x01,  /* bl 0x100 */
		      0x48, 0x00, 0x01, 0x00,  /* b 0x104 */
		      0x41, 0x82, 0x01, 0x00,  /* bt 2, 0x108 */
		      0x42, 0x00, 0x01, 0x00,  /* bdnz 0x10c */
		      0x48, 0x00, 0x01, 0x03,  /* bla 256 */
		      0x4e, 0x80, 0x04, 0x21,  /* bctrl */
		      0x4e, 0x80, 0x00, 0x20,  /* blr */
		      0x40, 0x82, 0x01, 0x01,  /* bfl 2, 0x11c */
		      0x42, 0x9f, 0x01, 0x01,  /* bcl 20, 31, 0x120 */
		      0x40, 0xfe, 0x01, 0x00,  /* bf+ 30, 0x124 */
		      0x48, 0x00, 0x01, 0x02,  /* ba 256 */
		      0x4b, 0xff, 0xff, 0xf4); /* b 0x20 */
	check(((struct machine){EM_PPC64, true, false}), 0x1000, "0:4 call 1100; 4:4 cond 1104",
	      0x01, 0x01, 0x00, 0x48,  /* bl 0x1100 */
	      0x00, 0x01, 0x82, 0x41); /* bt 2, 0x1104 */
}

static void test_s390(void **state)
{
	(void)state;
	check(((struct machine){EM_S390, true, true}), 0,
	      "0:6 call 100; 6:4 call 106; a:6 jump 10a; 10:4 jump 110; 14:4 cond 114; "
	      "18:6 cond 118; 1e:4 cond 11e; 22:6 cond 122; 28:6 cond 128; 2e:6; "
	      "34:2; 36:2; 38:6 cond 138; "
	      "3e:4 cond 13e; 42:6 cond 142; 48:6; 4e:4 jump 4e; 52:2; 54:2",
	      0xc0, 0xe5, 0x00, 0x00, 0x00, 0x80, /* brasl %r14, 0x100 */
	      0xa7, 0xe5, 0x00, 0x80,             /* bras %r14, 0x106 */
	      0xc0, 0xf4, 0x00, 0x00, 0x00, 0x80, /* jg 0x10a */
	      0xa7, 0xf4, 0x00, 0x80,             /* j 0x110 */
	      0xa7, 0x84, 0x00, 0x80,             /* je 0x114 */
	      0xc0, 0x74, 0x00, 0x00, 0x00, 0x80, /* jgne 0x118 */
	      0xa7, 0x16, 0x00, 0x80,             /* brct %r1, 0x11e */
	      0xec, 0x12, 0x00, 0x80, 0x80, 0x76, /* crje %r1, %r2, 0x122 */
	      0xec, 0x18, 0x00, 0x80, 0x02, 0x7c, /* cgije %r1, 2, 0x128 */
	      0xc0, 0x10, 0x00, 0x00, 0x00, 0x80, /* larl %r1, 0x12e */
	      0x0d, 0xe1,                         /* basr %r14, %r1 */
	      0x07, 0xfe,                         /* br %r14 */
	      0xcc, 0x16, 0x00, 0x00, 0x00, 0x80, /* brcth %r1, 0x138 */
	      0x85, 0x12, 0x00, 0x80,             /* brxle %r1, %r2, 0x13e */
	      0xec, 0x12, 0x00, 0x80, 0x80, 0x77, /* clrje %r1, %r2, 0x142 */
	      0xc0, 0x04, 0x00, 0x00, 0x00, 0x80, /* brcl 0, 0x148: never */
	      0xa7, 0xf4, 0x00, 0x00,             /* j 0x4e */
	      0xc0, 0xe5, 0x00, 0x00);            /* cut */
}

static void test_mips(void **state)
{
	(void)state;
	check(((struct machine){EM_MIPS, false, true}), 0x80100000,
	      "0:4 call 80000100; 4:4 jump 80000100; 8:4 cond 8010010c; c:4 call 80100110; "
	      "10:4 call 80100114; 14:4 jump 80100118; 18:4 cond 8010011c; 1c:4; 20:4; "
	      "24:4 cond 80100128; 28:4 cond 8010012c; 2c:4 cond 80100130; 30:4; "
	      "34:4 cond 800fff38; 38:4 cond 800fff3c",
	      0x0c, 0x00, 0x00, 0x40,  /* jal 0x100 */
	      0x08, 0x00, 0x00, 0x40,  /* j 0x100 */
	      0x10, 0x85, 0x00, 0x40,  /* beq $4, $5, 260 */
	      0x04, 0x91, 0x00, 0x40,  /* bgezal $4, 260 */
	      0x04, 0x11, 0x00, 0x40,  /* bal 260 */
	      0x10, 0x00, 0x00, 0x40,  /* b 260 */
	      0x10, 0x60, 0x00, 0x40,  /* beqz $3, 260 */
	      0x03, 0xe0, 0x00, 0x08,  /* jr $ra */
	      0x03, 0x20, 0xf8, 0x09,  /* jalr $25 */
	      0x45, 0x01, 0x00, 0x40,  /* bc1t 260 */
	      0x18, 0x80, 0x00, 0x40,  /* blez $4, 260 */
	      0x04, 0x83, 0x00, 0x40,  /* bgezl $4, 260 */
	      0x04, 0x88, 0x00, 0x03,  /* tgei $4, 3 */
	      0x50, 0x85, 0xff, 0xc0,  /* beql $4, $5, -252 */
	      0x45, 0x00, 0xff, 0xc0); /* bc1f -252 */
	check(((struct machine){EM_MIPS, true, false}), 0xffffffff80100000,
	      "0:4 call ffffffff80000100", 0x40, 0x00, 0x00, 0x0c);
	/* Release 6. */
	check(((struct machine){EM_MIPS, true, true}), 0,
	      "0:4 jump 104; 4:4 call 108; 8:4 cond 10c; c:4 cond ffffffffffffff10; 10:4 cond 114; "
	      "14:4",
	      0xc8, 0x00, 0x00, 0x40,  /* bc 260 */
	      0xe8, 0x00, 0x00, 0x40,  /* balc 260 */
	      0xd8, 0x80, 0x00, 0x40,  /* beqzc $4, 260 */
	      0xf8, 0x9f, 0xff, 0xc0,  /* bnezc $4, -252 */
	      0x45, 0x21, 0x00, 0x40,  /* bc1eqz $f1, 260 */
	      0xf8, 0x04, 0x00, 0x00); /* jialc $4, 0 */
}

static void test_riscv(void **state)
{
	(void)state;
	check(((struct machine){EM_RISCV, true, false}), 0x10000,
	      "0:4 call 10100; 4:2 jump ff04; 6:4 cond 10046; a:2 cond ffca; c:2 jump 1004c; "
	      "e:2 cond 1004e; 10:2 cond fff0; 12:4; 16:4 call 11002; 1a:4; 1e:4 jump f02a; 22:4; "
	      "26:4 call; 2a:2; 2c:2; 2e:2 jump f830; 30:2",
	      0xef, 0x00, 0x00, 0x10, /* jal ra, 0x100 */
	      0x01, 0xb7,             /* c.j -0x100 */
	      0x63, 0x00, 0xb5, 0x04, /* beq a0, a1, 0x40 */
	      0x61, 0xf1,             /* c.bnez a0, -0x40 */
	      0x81, 0xa0,             /* c.j 0x40 */
	      0x21, 0xc1,             /* c.beqz a0, 0x40 */
	      0xe5, 0xf3,             /* c.bnez a5, -0x20 */
	      0x97, 0x10, 0x00, 0x00, /* auipc ra, 1 */
	      0xe7, 0x80, 0x00, 0xff, /* jalr ra, -16(ra) */
	      0x17, 0xf3, 0xff, 0xff, /* auipc t1, 1048575 */
	      0x67, 0x00, 0x03, 0x01, /* jalr zero, 16(t1) */
	      0x17, 0x15, 0x00, 0x00, /* auipc a0, 1 */
	      0xe7, 0x80, 0x00, 0xff, /* jalr ra, -16(ra): of another register */
	      0x82, 0x80,             /* c.jr ra */
	      0x05, 0x25,             /* c.addiw a0, 1 */
	      0x09, 0xb0,             /* c.j -0x7fe */
	      0xef, 0x00);            /* cut */
	check(((struct machine){EM_RISCV, false, false}), 0x1000, "0:2 call 1040; 2:2 call 804",
	      0x81, 0x20,  /* c.jal 0x40 */
	      0x09, 0x30); /* c.jal -0x7fe */
}

static void test_text(void **state)
{
	struct pd_section section = {.address = 0x1000, .n_bytes = 6};
	struct pd_image image = image_of((struct machine){EM_X86_64, true, false});
	struct pd_disasm *disasm = NULL;
	struct pd_machine_code code;
	struct pd_insn insn;
	struct pd_insn_text text;

	(void)state;
	section.bytes = (const uint8_t *)"\xe8\xfb\xff\xff\xff\x06"; /* call 1000; none */
	image.sections = &section;
	image.n_sections = 1;
	code = pd_machine_code_of(&image, 0);
	assert_int_equal(pd_disasm_open(&image, &disasm, NULL), PD_OK);
	pd_disasm_at(disasm, &code, 0, &insn);
	text = pd_disasm_text(disasm, &code, &insn);
	assert_int_equal(strncmp(text.mnemonic, "call", 4), 0); /* callq in version 4 */
	assert_string_equal(text.operands, "0x1000");
	pd_disasm_at(disasm, &code, 5, &insn);
	text = pd_disasm_text(disasm, &code, &insn);
	assert_string_equal(text.mnemonic, ".byte");
	assert_string_equal(text.operands, "0x06");
	pd_disasm_close(disasm);
	/* No such section, and one that has no bytes. */
	assert_int_equal(pd_machine_code_of(&image, 1).n_bytes, 0);
	section.bytes = NULL;
	assert_int_equal(pd_machine_code_of(&image, 0).n_bytes, 0);
}

static void test_unsupported(void **state)
{
	struct pd_image image = image_of((struct machine){EM_VAX, false, false});
	struct pd_disasm *disasm = NULL;
	struct pd_error err = {0};

	(void)state;
	image.machine = "VAX";
	assert_int_equal(pd_disasm_open(&image, &disasm, &err), PD_ERR_UNSUPPORTED);
	assert_string_equal(err.msg, "instructions of VAX (ELF machine 75) cannot be read in this "
				     "build");
	err = (struct pd_error){0};
	image.elf_machine = 0; /* a System.map */
	assert_int_equal(pd_disasm_open(&image, &disasm, &err), PD_ERR_UNSUPPORTED);
	assert_non_null(strstr(err.msg, "a listing of symbols"));
	assert_null(disasm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_powerpc),
		cmocka_unit_test(test_s390),
		cmocka_unit_test(test_mips),
		cmocka_unit_test(test_riscv),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_unsupported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
