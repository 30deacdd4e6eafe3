/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Padding: what fills holes is told from code. The fillers of x86 are those that
 * gas 2.40 writes for .p2align, as objdump shows them.
 */
#include "image/padding.h"

#include <stdlib.h>

#include "support.h"

/* Whether these n bytes of a machine are padding, in a block just as long. */
static bool is_padding(const char *machine, const uint8_t *bytes, size_t n)
{
	struct pd_image image = {.machine = machine};
	struct pd_section section = {.n_bytes = n};
	uint8_t *copy = malloc(n);
	struct pd_hole_reader *r = pd_hole_reader_new(&image);
	bool ret;

	assert_non_null(copy);
	assert_non_null(r);
	memcpy(copy, bytes, n);
	section.bytes = copy;
	ret = pd_hole_is_padding(r, &section, 0, n);
	pd_hole_reader_free(r);
	free(copy);
	return ret;
}

/* So many bytes as one instruction; a hole is some of the longest and then a shorter one. */
static const uint8_t of_gas[][11] = {
	{0x90},
	{0x66, 0x90},
	{0x0f, 0x1f, 0x00},
	{0x0f, 0x1f, 0x40, 0x00},
	{0x0f, 0x1f, 0x44, 0x00, 0x00},
	{0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
	{0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
	{0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	{0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	{0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	{0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
};

static void test_nops_of_gas(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 33; n++) {
		uint8_t hole[34];
		size_t at = 0;

		for (; n - at > 11; at += 11)
			memcpy(hole + at, of_gas[10], 11);
		memcpy(hole + at, of_gas[n - at - 1], n - at);
		assert_true(is_padding("x86-64", hole, n));
		assert_true(is_padding("i386", hole, n));
		assert_false(is_padding("AArch64", hole, n));
		assert_false(is_padding("RISC-V", hole, n));
		hole[n] = 0xc3; /* ret */
		assert_false(is_padding("x86-64", hole, n + 1));
	}
}

static void test_other_fillers(void **state)
{
	static const uint8_t int3[12] = {0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
					 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc};
	static const uint8_t zeros[12], nop[8] = {0x1f, 0x20, 0x03, 0xd5, 0x1f, 0x20, 0x03, 0xd5};
	/* A nop that pads the end of a function, int3 behind it, and the beginning of one. */
	static const uint8_t mixed[] = {0x66, 0x90, 0xcc, 0xcc, 0x00, 0x00, 0x0f, 0x1f, 0x00};
	static const uint8_t code[] = {0xcc, 0xcc, 0x55, 0x48, 0x89, 0xe5};

	(void)state;
	assert_true(is_padding("x86-64", int3, sizeof(int3)));
	assert_false(is_padding("AArch64", int3, sizeof(int3)));
	assert_false(is_padding("RISC-V", int3, sizeof(int3)));
	assert_true(is_padding("x86-64", zeros, sizeof(zeros)));
	assert_true(is_padding("AArch64", zeros, sizeof(zeros)));
	assert_true(is_padding("RISC-V", zeros, sizeof(zeros)));
	assert_true(is_padding("AArch64", nop, sizeof(nop)));
	assert_false(is_padding("x86-64", nop, sizeof(nop)));
	assert_true(is_padding("x86-64", mixed, sizeof(mixed)));
	assert_false(is_padding("x86-64", code, sizeof(code)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nops_of_gas),
		cmocka_unit_test(test_other_fillers),
	};

	return cmocka_run_group_tests_name("padding", tests, NULL, NULL);
}
