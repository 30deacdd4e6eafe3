/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call sites of small images made by hand. Bytes are those of the GNU assembler
 * and of llvm-mc; comments are `objdump -d`.
 */
#include "image/calls.h"

#include <elf.h>
#include <stdlib.h>

#include "support.h"

enum { MAX_SECTIONS = 4, MAX_SYMBOLS = 8, MAX_RELOCS = 8 };

/* An image, and room for what it points to. */
struct fixture {
	struct pd_image image;
	struct pd_section sections[MAX_SECTIONS];
	struct pd_symbol symbols[MAX_SYMBOLS];
	struct pd_reloc relocs[MAX_RELOCS];
	uint8_t *bytes[MAX_SECTIONS];
};

static void begin(struct fixture *f, uint16_t machine, bool is_64bit, bool is_big_endian)
{
	memset(f, 0, sizeof(*f));
	f->image.elf_machine = machine;
	f->image.is_64bit = is_64bit;
	f->image.is_big_endian = is_big_endian;
	f->image.machine = "Test";
	f->image.sections = f->sections;
	f->image.symbols = f->symbols;
	f->image.relocs = f->relocs;
}

/* Bytes are copied to just as much memory, so that a read beyond them is noticed. */
static void add_section(struct fixture *f, uint64_t address, const void *bytes, size_t n_bytes)
{
	uint32_t i = f->image.n_sections++;

	assert_true(i < MAX_SECTIONS);
	f->bytes[i] = malloc(n_bytes);
	assert_non_null(f->bytes[i]);
	memcpy(f->bytes[i], bytes, n_bytes);
	f->sections[i] = (struct pd_section){
		.address = address,
		.n_bytes = n_bytes,
		.bytes = f->bytes[i],
		.is_loaded = true,
		.is_code = true,
	};
}

static void add_symbol(struct fixture *f, uint32_t section, uint64_t address, uint64_t n_bytes)
{
	uint32_t i = f->image.n_symbols++;

	assert_true(i < MAX_SYMBOLS);
	f->symbols[i] = (struct pd_symbol){
		.section = section, .address = address, .n_bytes = n_bytes};
}

static void add_reloc(struct fixture *f, uint32_t section, uint64_t address, uint32_t symbol,
		      uint32_t name)
{
	uint32_t i = f->image.n_relocs++;

	assert_true(i < MAX_RELOCS);
	f->relocs[i] = (struct pd_reloc){
		.section = section, .address = address, .symbol = symbol, .name = {name},
	};
}

static void end(struct fixture *f)
{
	for (uint32_t i = 0; i < MAX_SECTIONS; i++)
		free(f->bytes[i]);
}

/* Sites as "[SECTION/]ADDRESS KIND CALLER"; the caller is a symbol's number, or "-". */
static void check_calls(struct pd_calls *calls, const char *want, int line)
{
	static const char *const kinds[] = {
		[PD_CALL_CALL] = "call", [PD_CALL_JUMP] = "jump", [PD_CALL_CONDITIONAL] = "cond"};
	struct pd_buf out = {0};

	for (size_t i = 0; i < calls->n; i++) {
		const struct pd_call *call = &calls->items[i];

		pd_buf_add_str(&out, i ? "; " : "");
		if (call->section)
			pd_buf_printf(&out, "%u/", call->section);
		pd_buf_printf(&out, "%llx %s ", (unsigned long long)call->address,
			      kinds[call->kind]);
		if (call->caller == PD_NO_INDEX)
			pd_buf_add_char(&out, '-');
		else
			pd_buf_printf(&out, "%u", call->caller);
	}
	pd_buf_add_char(&out, '\n');
	out.ptr[out.len - 1] = '\0';
	ut_assert_text_at("sites", out.ptr, want, __FILE__, line);
	pd_buf_done(&out);
	pd_calls_done(calls);
}

#define check_sites(f, symbol, want) check_sites_at(f, symbol, want, __LINE__)
static void check_sites_at(const struct fixture *f, uint32_t symbol, const char *want, int line)
{
	struct pd_calls calls = {0};

	assert_int_equal(pd_calls_find(&f->image, symbol, &calls, NULL), PD_OK);
	check_calls(&calls, want, line);
}

#define check_undefined(f, name, want) check_undefined_at(f, name, want, __LINE__)
static void check_undefined_at(const struct fixture *f, uint32_t name, const char *want, int line)
{
	struct pd_calls calls = {0};

	assert_int_equal(pd_calls_find_undefined(&f->image, (pd_str){name}, &calls, NULL), PD_OK);
	check_calls(&calls, want, line);
}

static const uint8_t x86[] = {
	/* <target>, to 100b */
	0x90,                                     /* 1000: nop */
	0xe8, 0xfa, 0xff, 0xff, 0xff,             /* 1001: call 1000 <target> */
	0xeb, 0xf8,                               /* 1006: jmp 1000 <target> */
	0x75, 0xf6,                               /* 1008: jne 1000 <target> */
	0xc3,                                     /* 100a: ret */
	/* a hole */
	0xe8, 0xf0, 0xff, 0xff, 0xff,             /* 100b: call 1000 <target> */
	0xc3,                                     /* 1010: ret */
	0xcc,                                     /* 1011: int3 */
	/* <caller>, to 1045 */
	0xe8, 0xe9, 0xff, 0xff, 0xff,             /* 1012: call 1000 <target> */
	0x75, 0xe7,                               /* 1017: jne 1000 <target> */
	0xeb, 0xe5,                               /* 1019: jmp 1000 <target> */
	0x48, 0xb8, 0x00, 0xe8, 0xdd, 0xff, 0xff, /* 101b: movabs $0xffffffdde800,%rax */
	0xff, 0x00, 0x00,                         /*       has e8 dd ff ff ff, "call 1000" */
	0x48, 0x8d, 0x05, 0xd4, 0xff, 0xff, 0xff, /* 1025: lea -0x2c(%rip),%rax # 1000 <target> */
	0xff, 0x15, 0xce, 0xff, 0xff, 0xff,       /* 102c: call *-0x32(%rip) # 1000 <target> */
	0xff, 0x25, 0xc8, 0xff, 0xff, 0xff,       /* 1032: jmp *-0x38(%rip) # 1000 <target> */
	0xe8, 0xc4, 0xff, 0xff, 0xff,             /* 1038: call 1001 <target+0x1> */
	0xff, 0xd0,                               /* 103d: call *%rax */
	0x06,                                     /* 103f: (bad) */
	0xe8, 0xbb, 0xff, 0xff, 0xff,             /* 1040: call 1000 <target> */
	/* <outer>, to 1051 */
	0xe8, 0xb6, 0xff, 0xff, 0xff,             /* 1045: call 1000 <target> */
	/* <inner>, to 104c */
	0xeb, 0xb4,                               /* 104a: jmp 1000 <target> */
	0xe8, 0xaf, 0xff, 0xff, 0xff,             /* 104c: call 1000 <target> */
	/* a hole */
	0xe9, 0xaa, 0xff, 0xff, 0xff,             /* 1051: jmp 1000 <target> */
	0xcc,                                     /* 1056: int3 */
};

static void make_x86(struct fixture *f)
{
	begin(f, EM_X86_64, true, false);
	add_section(f, 0x1000, x86, sizeof(x86));
	add_symbol(f, 0, 0x1000, 0x0b); /* 0: target */
	add_symbol(f, 0, 0x1012, 0x33); /* 1: caller */
	add_symbol(f, 0, 0x1045, 0x0c); /* 2: outer */
	add_symbol(f, 0, 0x104a, 0x02); /* 3: inner */
}

static void test_x86(void **state)
{
	static const char want[] =
		"1001 call 0; 100b call -; 1012 call 1; 1017 cond 1; 1019 jump 1; 1040 call 1; "
		"1045 call 2; 104a jump 3; 104c call 2; 1051 jump -";
	struct fixture f;

	(void)state;
	make_x86(&f);
	check_sites(&f, 0, want);
	check_sites(&f, 1, "");
	/* The section, and its symbols, where the kernel is, at 0, and at the end. */
	for (int i = 0; i < 3; i++) {
		static const uint64_t places[] = {0xffffffff81001000, 0, -(uint64_t)sizeof(x86)};
		struct pd_calls calls = {0};

		f.sections[0].address = places[i];
		for (uint32_t j = 0; j < 4; j++) {
			static const uint64_t offsets[] = {0, 0x12, 0x45, 0x4a};

			f.symbols[j].address = places[i] + offsets[j];
		}
		assert_int_equal(pd_calls_find(&f.image, 0, &calls, NULL), PD_OK);
		for (size_t j = 0; j < calls.n; j++)
			calls.items[j].address += 0x1000 - places[i];
		check_calls(&calls, want, __LINE__);
	}
	end(&f);
}

/* Symbols that are no function have no sites of their own, and hide none. */
static void test_kinds(void **state)
{
	struct fixture f;

	(void)state;
	make_x86(&f);
	f.symbols[1].kind = PD_SYMBOL_PADDING;
	f.symbols[3].kind = PD_SYMBOL_MARKER;
	f.symbols[2].n_bytes = 0x11; /* to 1056 */
	check_sites(&f, 0,
		    "1001 call 0; 100b call -; 1012 call -; 1017 cond -; 1019 jump -; 1040 call -; "
		    "1045 call 2; 104a jump 2; 104c call 2; 1051 jump 2");
	/* No section without a function is searched, nor one that is no code. */
	for (uint32_t i = 0; i < 4; i++)
		f.symbols[i].kind = PD_SYMBOL_OBJECT;
	check_sites(&f, 0, "");
	for (uint32_t i = 0; i < 4; i++)
		f.symbols[i].kind = PD_SYMBOL_FUNCTION;
	f.sections[0].is_code = false;
	check_sites(&f, 0, "");
	end(&f);
}

/* Symbols that overlap, and not one in the other: the one that begins last has it. */
static void test_overlaps(void **state)
{
	struct fixture f;

	(void)state;
	make_x86(&f);
	f.symbols[0].n_bytes = 0x17; /* to 1017: the first call of caller, which begins later */
	f.symbols[1].n_bytes = 0x38; /* to 104a: outer begins later */
	f.symbols[2].n_bytes = 0x09; /* to 104e, from which inner takes the start */
	f.symbols[3].n_bytes = 0x0c; /* to 1056 */
	check_sites(&f, 0,
		    "1001 call 0; 100b call 0; 1012 call 1; 1017 cond 1; 1019 jump 1; 1040 call 1; "
		    "1045 call 2; 104a jump 3; 104c call 3; 1051 jump 3");
	/* The same address twice, as no image has it. */
	f.symbols[1].address = f.symbols[0].address;
	f.symbols[1].n_bytes = 0x12;
	f.symbols[2].n_bytes = f.symbols[3].n_bytes = 0;
	check_sites(&f, 0,
		    "1001 call 1; 100b call 1; 1012 call 0; 1017 cond -; 1019 jump -; 1040 call -; "
		    "1045 call -; 104a jump -; 104c call -; 1051 jump -");
	end(&f);
}

/* A symbol begins within an instruction: on the operand, or in it. */
static void test_cut_instruction(void **state)
{
	static const uint8_t code[] = {
		0xc3,                         /* 0: ret */
		0x90,                         /* 1: nop */
		0xe8, 0xf9, 0xff, 0xff, 0xff, /* 2: call 0 */
		0x90,                         /* 7: nop */
	};
	struct fixture f;

	(void)state;
	begin(&f, EM_X86_64, true, false);
	add_section(&f, 0, code, sizeof(code));
	add_symbol(&f, 0, 0, 1);
	add_symbol(&f, 0, 1, 7);
	add_symbol(&f, 0, 3, 1);
	for (f.symbols[2].address = 3; f.symbols[2].address < 7; f.symbols[2].address++)
		check_sites(&f, 0, "2 call 1");
	/* The function ends in its midst: it is none of it. */
	f.image.n_symbols = 2;
	f.symbols[1].n_bytes = 3;
	check_sites(&f, 0, "");
	end(&f);
}

/* Far targets, backward and forward: more than 127 bytes, in another section. */
static void test_far(void **state)
{
	static const uint8_t calls[] = {
		0xe8, 0xfb, 0x0f, 0x00, 0x00,       /* 1000: call 2000 */
		0x0f, 0x84, 0xf5, 0x0f, 0x00, 0x00, /* 1005: je 2000 */
		0xe9, 0xf0, 0x0f, 0x00, 0x00,       /* 100b: jmp 2000 */
	};
	uint8_t target[0x100] = {0xc3};
	struct fixture f;

	(void)state;
	/* At 20fb: call 2000. At 2080: jmp 2000 by one byte. */
	memcpy(target + 0xfb, "\xe8\x00\xff\xff\xff", 5);
	memset(target + 1, 0x90, 0xfa);
	memcpy(target + 0x7e, "\xeb\x80", 2);
	begin(&f, EM_X86_64, true, false);
	add_section(&f, 0x1000, calls, sizeof(calls));
	add_section(&f, 0x2000, target, sizeof(target));
	add_symbol(&f, 0, 0x1000, sizeof(calls));
	add_symbol(&f, 1, 0x2000, 1);
	add_symbol(&f, 1, 0x2001, sizeof(target) - 1);
	check_sites(&f, 1,
		    "1000 call 0; 1005 cond 0; 100b jump 0; 1/207e jump 2; 1/20fb call 2");
	end(&f);
}

/*
 * A module. Names 7 and 8 are defined elsewhere. Without a relocation the bits tell,
 * within the section; with one they do not.
 */
static void test_relocatable(void **state)
{
	static const uint8_t text[] = {
		0xe8, 0x00, 0x00, 0x00, 0x00,       /*  0: call: elsewhere, 7 */
		0xe9, 0x00, 0x00, 0x00, 0x00,       /*  5: jmp: symbol 2 */
		0x0f, 0x84, 0x00, 0x00, 0x00, 0x00, /*  a: je: elsewhere, 8 */
		0xe8, 0x01, 0x00, 0x00, 0x00,       /* 10: call 16: symbol 1 */
		0xc3,                               /* 15: ret */
		/* symbol 1 */
		0xff, 0x15, 0x00, 0x00, 0x00, 0x00, /* 16: call *0(%rip): elsewhere, 7 */
		0xe8, 0x00, 0x00, 0x00, 0x00,       /* 1c: call: symbol 1, recursion */
		0xe9, 0x00, 0x00, 0x00, 0x00,       /* 21: jmp: symbol 1, a loop */
		0xe9, 0xeb, 0xff, 0xff, 0xff,       /* 26: jmp 16 by its bits, elsewhere in truth */
	};
	static const uint8_t cold[] = {
		0xc3,                         /* 0: ret */
		0xe8, 0x00, 0x00, 0x00, 0x00, /* 1: call: elsewhere, 7 */
		0xe8, 0xf5, 0xff, 0xff, 0xff, /* 6: call 0 by its bits */
		0xe9, 0x00, 0x00, 0x00, 0x00, /* b: jmp: symbol 1 */
	};
	struct fixture f;

	(void)state;
	begin(&f, EM_X86_64, true, false);
	f.image.is_relocatable = true;
	add_section(&f, 0, text, sizeof(text));
	add_section(&f, 0, cold, sizeof(cold));
	add_symbol(&f, 0, 0, 0x16);
	add_symbol(&f, 0, 0x16, 0x15);
	add_symbol(&f, 1, 0, sizeof(cold));
	add_reloc(&f, 0, 0x01, PD_NO_INDEX, 7);
	add_reloc(&f, 0, 0x06, 2, 0);
	add_reloc(&f, 0, 0x0c, PD_NO_INDEX, 8);
	add_reloc(&f, 0, 0x18, PD_NO_INDEX, 7);
	add_reloc(&f, 0, 0x1d, 1, 0);
	add_reloc(&f, 0, 0x22, 1, 0);
	add_reloc(&f, 0, 0x27, PD_NO_INDEX, 0);
	add_reloc(&f, 1, 0x02, PD_NO_INDEX, 7);
	check_sites(&f, 0, "");
	check_sites(&f, 1, "10 call 0; 1c call 1");
	check_sites(&f, 2, "5 jump 0; 1/6 call 2");
	check_undefined(&f, 7, "0 call 0; 1/1 call 2");
	check_undefined(&f, 8, "a cond 0");
	check_undefined(&f, 9, "");
	f.relocs[7] = (struct pd_reloc){.section = 1, .address = 0x0c, .symbol = 1};
	check_sites(&f, 1, "10 call 0; 1c call 1; 1/b jump 2");
	/* Linked, it has no relocations, and nothing is elsewhere. */
	f.image.is_relocatable = false;
	f.image.n_relocs = 0;
	check_undefined(&f, 7, "");
	end(&f);
}

static void test_aarch64(void **state)
{
	static const uint8_t code[] = {
		0xff, 0xff, 0xff, 0x97, /* 8000: bl 7ffc */
		0x00, 0x00, 0x00, 0x94, /* 8004: bl 8004: recursion */
		0xff, 0xff, 0xff, 0x17, /* 8008: b 8004: a loop */
		0xfe, 0xff, 0xff, 0x97, /* 800c: bl 8004, in a hole */
		0xa1, 0xff, 0xff, 0x54, /* 8010: b.ne 8004 */
		0x80, 0xff, 0xff, 0xb4, /* 8014: cbz x0, 8004 */
		0xfb, 0xff, 0xff, 0x17, /* 8018: b 8004 */
		0xc0, 0x03, 0x5f, 0xd6, /* 801c: ret */
	};
	struct fixture f;

	(void)state;
	for (int is_big = 0; is_big <= 1; is_big++) {
		begin(&f, EM_AARCH64, true, is_big);
		add_section(&f, 0x8000, code, sizeof(code));
		add_symbol(&f, 0, 0x8004, 8);
		add_symbol(&f, 0, 0x8010, 16);
		check_sites(&f, 0,
			    "8004 call 0; 800c call -; 8010 cond 1; 8014 cond 1; 8018 jump 1");
		/* Odd sizes do not shift what follows. */
		f.symbols[0].n_bytes = 7;
		check_sites(&f, 0,
			    "8004 call 0; 800c call -; 8010 cond 1; 8014 cond 1; 8018 jump 1");
		end(&f);
	}
}

/* Bits of a branch tell a place in its own section only. */
static void test_aarch64_relocatable(void **state)
{
	static const uint8_t code[] = {
		0xc0, 0x03, 0x5f, 0xd6, /* 0: ret */
		0xff, 0xff, 0xff, 0x97, /* 4: bl 0 */
	};
	struct fixture f;

	(void)state;
	begin(&f, EM_AARCH64, true, false);
	f.image.is_relocatable = true;
	for (uint32_t i = 0; i < 2; i++) {
		add_section(&f, 0, code, sizeof(code));
		add_symbol(&f, i, 0, 4);
		add_symbol(&f, i, 4, 4);
	}
	check_sites(&f, 0, "4 call 1");
	check_sites(&f, 2, "1/4 call 3");
	add_reloc(&f, 0, 4, 2, 0);
	check_sites(&f, 0, "");
	check_sites(&f, 2, "4 call 1; 1/4 call 3");
	end(&f);
}

/* ELFv2: callers of the same module skip what sets r2 up. */
static void test_powerpc64(void **state)
{
	static const uint8_t code[] = {
		0x02, 0x00, 0x4c, 0x3c, /* 1000: addis r2,r12,2 */
		0x00, 0x80, 0x42, 0x38, /* 1004: addi r2,r2,-32768 */
		0x20, 0x00, 0x80, 0x4e, /* 1008: blr */
		0xfd, 0xff, 0xff, 0x4b, /* 100c: bl 1008 */
		0xf1, 0xff, 0xff, 0x4b, /* 1010: bl 1000 */
		0xf1, 0xff, 0xff, 0x4b, /* 1014: bl 1004 */
		0xf0, 0xff, 0x82, 0x41, /* 1018: beq 1008 */
		0xf1, 0xff, 0xff, 0x4b, /* 101c: bl 100c: recursion */
	};
	uint8_t swapped[sizeof(code)];
	struct fixture f;

	(void)state;
	for (size_t i = 0; i < sizeof(code); i++)
		swapped[i] = code[i ^ 3];
	for (int is_big = 0; is_big <= 1; is_big++) {
		begin(&f, EM_PPC64, true, is_big);
		add_section(&f, 0x1000, is_big ? swapped : code, sizeof(code));
		add_symbol(&f, 0, 0x1000, 12);
		add_symbol(&f, 0, 0x100c, 20);
		check_sites(&f, 0, "100c call 1; 1010 call 1; 1018 cond 1");
		check_sites(&f, 1, "101c call 1");
		end(&f);
	}
}

/* Instructions of several lengths: what looks like a call within one is none. */
static void test_s390(void **state)
{
	static const uint8_t code[] = {
		0x07, 0xfe,                         /* 1000: br %r14 */
		0xc0, 0x18, 0xa7, 0xe5, 0xff, 0xfe, /* 1002: iihf %r1,...: "bras %r14,1000" in it */
		0xc0, 0xe5, 0xff, 0xff, 0xff, 0xfc, /* 1008: brasl %r14,1000 */
		0xa7, 0xf4, 0xff, 0xf9,             /* 100e: j 1000 */
	};
	struct fixture f;

	(void)state;
	begin(&f, EM_S390, true, true);
	add_section(&f, 0x1000, code, sizeof(code));
	add_symbol(&f, 0, 0x1000, 2);
	add_symbol(&f, 0, 0x1002, 16);
	check_sites(&f, 0, "1008 call 1; 100e jump 1");
	end(&f);
}

/* A relocation of both halves of a call, at the first; and one that says nothing. */
static void test_riscv_relocatable(void **state)
{
	static const uint8_t code[] = {
		0x97, 0x00, 0x00, 0x00, /* 0: auipc ra,0 */
		0xe7, 0x80, 0x00, 0x00, /* 4: jalr ra,0(ra) */
		0x17, 0x03, 0x00, 0x00, /* 8: auipc t1,0 */
		0x67, 0x00, 0x03, 0x00, /* c: jr t1 */
		0x82, 0x80,             /* 10: ret */
	};
	struct fixture f;

	(void)state;
	begin(&f, EM_RISCV, true, false);
	f.image.is_relocatable = true;
	add_section(&f, 0, code, sizeof(code));
	add_symbol(&f, 0, 0, 16);
	add_symbol(&f, 0, 16, 2);
	add_reloc(&f, 0, 0, PD_NO_INDEX, 7);
	add_reloc(&f, 0, 0, PD_NO_INDEX, 0);
	add_reloc(&f, 0, 8, 1, 0);
	check_undefined(&f, 7, "4 call 0");
	check_sites(&f, 0, ""); /* auipc and jalr of 0 would be a call of itself */
	check_sites(&f, 1, "c jump 0");
	end(&f);
}

/* Images that lie: nothing beyond the bytes is read, and nothing overflows. */
static void test_hostile(void **state)
{
	static const uint64_t values[] = {0,          1,          0xfff,     0x1000,
					  0x1056,     0x1057,     0x1058,    UINT32_MAX,
					  INT64_MAX,  UINT64_MAX, UINT64_MAX - 0x1000};
	enum { N = sizeof(values) / sizeof(values[0]) };
	struct fixture f;
	struct pd_calls calls = {0};
	struct pd_error err = {0};

	(void)state;
	make_x86(&f);
	for (size_t i = 0; i < N * N * 5; i++) {
		struct pd_symbol *symbol = &f.symbols[i % 4], kept = *symbol;

		symbol->address = values[i / 5 % N];
		symbol->n_bytes = values[i / 5 / N];
		f.image.is_relocatable = i & 1;
		f.image.elf_machine = i & 2 ? EM_X86_64 : EM_PPC64;
		for (uint32_t j = 0; j < 4; j++) {
			assert_int_equal(pd_calls_find(&f.image, j, &calls, NULL), PD_OK);
			pd_calls_done(&calls);
		}
		*symbol = kept;
	}
	f.image.is_relocatable = true;
	f.image.elf_machine = EM_X86_64;
	for (uint32_t i = 0; i < 8; i++) /* relocations everywhere and nowhere */
		add_reloc(&f, 0, values[i], i == 3 ? 1000 : 0, 0);
	assert_int_equal(pd_calls_find(&f.image, 0, &calls, NULL), PD_OK);
	pd_calls_done(&calls);
	f.image.n_relocs = 0;
	f.image.is_relocatable = false;
	/* No bytes, no section of that number, no sections at all, no such symbol. */
	f.sections[0].bytes = NULL;
	check_sites(&f, 0, "");
	f.sections[0].n_bytes = UINT64_MAX;
	check_sites(&f, 0, "");
	f.symbols[3].section = PD_NO_INDEX;
	check_sites(&f, 3, "");
	f.image.n_sections = 0;
	check_sites(&f, 0, "");
	assert_int_equal(pd_calls_find(&f.image, 4, &calls, &err), PD_ERR_INTERNAL);
	f.image.elf_machine = EM_VAX;
	assert_int_equal(pd_calls_find(&f.image, 0, &calls, NULL), PD_ERR_UNSUPPORTED);
	assert_null(calls.items);
	pd_calls_done(&calls);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_overlaps),
		cmocka_unit_test(test_cut_instruction),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_relocatable),
		cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_aarch64_relocatable),
		cmocka_unit_test(test_powerpc64),
		cmocka_unit_test(test_s390),
		cmocka_unit_test(test_riscv_relocatable),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
