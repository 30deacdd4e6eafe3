/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of functions: what keys and hashes see and what they do not; and that
 * any bytes of any machine are read to their end. How texts compare with objdump's is
 * tests/images' business.
 */
#include "image/insns.h"

#include <elf.h>
#include <stdlib.h>

#include "support.h"

/* An image of one code section, a function in it, and some data. */
struct fixture {
	struct pd_image image;
	struct pd_section sections[3];
	struct pd_symbol symbols[3];
	struct pd_reloc relocs[1];
};

static void init(struct fixture *f, uint16_t machine, uint64_t address, const uint8_t *bytes,
		 size_t n_bytes)
{
	static const uint8_t data[] = "\0a text of some length\0and another";

	*f = (struct fixture){
		.image = {.elf_machine = machine,
			  .is_64bit = machine != EM_386 && machine != EM_ARM,
			  .machine = "Test", .path = "test"},
	};
	f->sections[1] = (struct pd_section){
		.name = pd_strtab_intern_str(&f->image.strings, ".text"), .address = address,
		.n_bytes = n_bytes, .bytes = bytes, .is_loaded = true, .is_code = true,
	};
	f->sections[2] = (struct pd_section){
		.name = pd_strtab_intern_str(&f->image.strings, ".rodata"), .address = 0x20000000,
		.n_bytes = sizeof(data), .bytes = data, .is_loaded = true,
	};
	f->symbols[0] = (struct pd_symbol){
		.name = pd_strtab_intern_str(&f->image.strings, "foo"), .section = 1,
		.address = address, .n_bytes = n_bytes, .reach = address + n_bytes,
	};
	f->image.sections = f->sections;
	f->image.n_sections = 3;
	f->image.symbols = f->symbols;
	f->image.n_symbols = 1;
	f->image.relocs = f->relocs;
}

static void done(struct fixture *f)
{
	pd_strtab_done(&f->image.strings);
	pd_arena_done(&f->image.arena);
}

static struct pd_insns read_all(struct fixture *f, enum pd_asm_syntax syntax)
{
	struct pd_insn_reader *reader = NULL;
	struct pd_insns insns = {0}, alone = {0};

	assert_int_equal(pd_insn_reader_new(&f->image, syntax, &reader, NULL), PD_OK);
	assert_int_equal(pd_insns_read(reader, 0, &insns, NULL), PD_OK);
	assert_int_equal(pd_insns_hash(reader, 0, &alone, NULL), PD_OK);
	assert_int_equal(alone.n, insns.n);
	assert_true(alone.hash == insns.hash);
	pd_insns_done(&alone);
	pd_insn_reader_free(reader);
	return insns;
}

/* mov $0x20000001,%edi; jmp back; nop */
static const uint8_t text_ref[] = {0xbf, 1, 0, 0, 0x20, 0xeb, 0xf9, 0x90};
/* mov $0x20000001,%esi; jmp back */
static const uint8_t other_register[] = {0xbe, 1, 0, 0, 0x20, 0xeb, 0xf9};
/* mov $0x2000002,%edi; jmp back */
static const uint8_t other_number[] = {0xbf, 2, 0, 0, 2, 0xeb, 0xf9};

static void test_x86(void **state)
{
	struct fixture f;
	struct pd_insns a, b;

	(void)state;
	init(&f, EM_X86_64, 0x10000000, text_ref, sizeof(text_ref));
	a = read_all(&f, PD_ASM_ATT);
	assert_int_equal(a.n, 2); /* less the padding */
	assert_string_equal(a.items[0].text, "movl   $\"a text of some length\",%edi");
	assert_string_equal(a.items[1].text, "jmp    foo");
	done(&f);

	/* Elsewhere, and in the other syntax, it is the same. */
	init(&f, EM_X86_64, 0x10ff0000, text_ref, sizeof(text_ref));
	b = read_all(&f, PD_ASM_INTEL);
	assert_true(a.hash == b.hash);
	assert_true(a.items[0].key == b.items[0].key && a.items[1].key == b.items[1].key);
	assert_string_equal(b.items[0].text, "mov    edi,\"a text of some length\"");
	pd_insns_done(&b);
	done(&f);

	init(&f, EM_X86_64, 0x10000000, other_register, sizeof(other_register));
	b = read_all(&f, PD_ASM_ATT);
	assert_true(a.hash != b.hash);
	assert_true(a.items[0].key == b.items[0].key);
	pd_insns_done(&b);
	done(&f);

	init(&f, EM_X86_64, 0x10000000, other_number, sizeof(other_number));
	b = read_all(&f, PD_ASM_ATT);
	assert_true(a.hash != b.hash);
	assert_true(a.items[0].key != b.items[0].key);
	assert_true(a.items[0].mnemonic == b.items[0].mnemonic);
	pd_insns_done(&b);
	pd_insns_done(&a);
	done(&f);
}

/* lea 0(%rip),%rax with a relocation; ret */
static const uint8_t relocated[] = {0x48, 0x8d, 5, 0, 0, 0, 0, 0xc3};

static void test_relocated(void **state)
{
	struct pd_insns insns;
	struct fixture f;

	(void)state;
	init(&f, EM_X86_64, 0, relocated, sizeof(relocated));
	f.image.is_relocatable = true;
	f.image.n_relocs = 1;
	f.relocs[0] = (struct pd_reloc){
		.section = 1, .address = 3, .symbol = PD_NO_INDEX,
		.name = pd_strtab_intern_str(&f.image.strings, "jiffies"), .target_address = 8,
	};
	insns = read_all(&f, PD_ASM_ATT);
	assert_string_equal(insns.items[0].text, "leaq   jiffies+0x8(%rip),%rax");
	pd_insns_done(&insns);
	insns = read_all(&f, PD_ASM_INTEL);
	assert_string_equal(insns.items[0].text, "lea    rax,[rip + jiffies+0x8]");
	pd_insns_done(&insns);
	done(&f);
}

/* movl $0,0(%rip) with two relocations: one of what is stored to, one of what is stored */
static const uint8_t stored[] = {0xc7, 5, 0, 0, 0, 0, 0, 0, 0, 0};

static void test_two_relocations(void **state)
{
	static const char *const values[] = {"jiffies", "xtime", "jiffies"};
	struct pd_insns insns[3];
	struct fixture f;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct pd_reloc relocs[2];

		init(&f, EM_X86_64, 0, stored, sizeof(stored));
		f.image.is_relocatable = true;
		f.image.n_relocs = 2;
		f.image.relocs = relocs;
		for (int k = 0; k < 2; k++)
			relocs[k] = (struct pd_reloc){
				.section = 1, .address = 2 + 4 * (uint64_t)k, .symbol = PD_NO_INDEX,
				.name = pd_strtab_intern_str(&f.image.strings,
							     k ? values[i] : "place"),
			};
		insns[i] = read_all(&f, PD_ASM_ATT);
		assert_int_equal(insns[i].n, 1);
		done(&f);
	}
	assert_string_equal(insns[0].items[0].text, "movl   $0,place+0x4(%rip) <jiffies>");
	assert_true(insns[0].hash != insns[1].hash && insns[0].hash == insns[2].hash);
	assert_true(insns[0].items[0].key != insns[1].items[0].key);
	for (int i = 0; i < 3; i++)
		pd_insns_done(&insns[i]);
}

static void test_errors(void **state)
{
	struct pd_insn_reader *reader = NULL;
	struct pd_insns insns;
	struct fixture f;

	(void)state;
	init(&f, EM_SPARC, 0, relocated, sizeof(relocated));
	assert_int_equal(pd_insn_reader_new(&f.image, PD_ASM_ATT, &reader, NULL),
			 PD_ERR_UNSUPPORTED);
	done(&f);
	init(&f, EM_X86_64, 0x10000000, relocated, sizeof(relocated));
	assert_int_equal(pd_insn_reader_new(&f.image, PD_ASM_ATT, &reader, NULL), PD_OK);
	f.symbols[0].n_bytes = UINT64_MAX; /* it lies: as far as there are bytes */
	assert_int_equal(pd_insns_read(reader, 0, &insns, NULL), PD_OK);
	assert_int_equal(insns.n, 2);
	pd_insns_done(&insns);
	f.symbols[0].address = 0x10000000 + sizeof(relocated);
	assert_int_equal(pd_insns_read(reader, 0, &insns, NULL), PD_ERR_EMPTY);
	f.symbols[0].address = 1;
	assert_int_equal(pd_insns_read(reader, 0, &insns, NULL), PD_ERR_EMPTY);
	f.symbols[0].address = 0x10000000;
	f.sections[1].bytes = NULL;
	assert_int_equal(pd_insns_read(reader, 0, &insns, NULL), PD_ERR_EMPTY);
	pd_insn_reader_free(reader);
	done(&f);
}

/* Any bytes: instructions follow each other to the end, and twice the same comes out. */
static void test_any_bytes(void **state)
{
	static const uint16_t machines[] = {EM_X86_64, EM_386, EM_AARCH64, EM_ARM, EM_PPC64, EM_PPC,
					    EM_S390, EM_MIPS, EM_RISCV};
	struct ut_random r = {0xc0de};

	(void)state;
	for (uint32_t round = 0; round < 450; round++) {
		size_t n_bytes = 1 + ut_random_below(&r, 400);
		uint8_t *bytes = malloc(n_bytes);
		uint64_t address = round % 3 ? 0x10000000 : round % 2 ? 0 : UINT64_MAX - 1000;
		struct pd_insns a, b;
		struct fixture f;
		uint64_t at;

		assert_non_null(bytes);
		for (size_t i = 0; i < n_bytes; i++)
			bytes[i] = (uint8_t)ut_random_next(&r);
		init(&f, machines[round % 9], address, bytes, n_bytes);
		f.image.is_relocatable = round % 5 == 0;
		if (f.image.is_relocatable)
			f.sections[1].address = f.symbols[0].address = 0;
		f.image.n_relocs = round % 5 == 0;
		f.relocs[0] = (struct pd_reloc){
			.section = 1, .address = ut_random_below(&r, (uint32_t)n_bytes),
			.symbol = PD_NO_INDEX, .target_section = ut_random_below(&r, 4),
			.target_address = ut_random_next(&r),
		};
		a = read_all(&f, PD_ASM_ATT);
		b = read_all(&f, PD_ASM_INTEL);
		assert_int_equal(a.n, b.n);
		assert_true(a.n > 0 && a.hash == b.hash);
		at = f.symbols[0].address;
		for (uint32_t i = 0; i < a.n; i++) {
			assert_true(a.items[i].address == at && a.items[i].n_bytes);
			assert_true(a.items[i].key == b.items[i].key && a.items[i].text);
			at += a.items[i].n_bytes;
		}
		assert_true(at - f.symbols[0].address <= n_bytes);
		pd_insns_done(&a);
		pd_insns_done(&b);
		done(&f);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_relocated),
		cmocka_unit_test(test_two_relocations),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
