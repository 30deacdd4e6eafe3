/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking for bytes 64 at a time, against one byte at a time.
 * test_scan_portable.c is the same without the processor's help.
 */
#include "support.h"

#include "io/scan.h"

/* All answers for 64 bytes. */
static void check(const char *p)
{
	uint64_t newlines = 0, odd = 0, blanks = 0, have = 0;
	bool has_tab = false, is_plain;

	for (int i = 0; i < PD_SCAN_BYTES; i++) {
		unsigned char c = (unsigned char)p[i];

		newlines |= (uint64_t)(c == '\n') << i;
		odd |= (uint64_t)((c < 0x20 && c != '\t') || c >= 0x80) << i;
		blanks |= (uint64_t)(c == ' ') << i;
		has_tab = has_tab || c == '\t';
	}
	assert_true(pd_scan_byte(p, '\n') == newlines);
	assert_true(pd_scan_odd(p) == odd);
	is_plain = pd_scan_words(p, &have);
	assert_int_equal(is_plain, !odd && !has_tab);
	assert_true(have == blanks);
}

static void test_every_byte_at_every_place(void **state)
{
	static const char backgrounds[] = {'x', '\t', '\n', ' ', '\x08', '\x0b', '\0', '\xff'};

	(void)state;
	for (size_t k = 0; k < sizeof(backgrounds); k++)
		for (int at = 0; at < PD_SCAN_BYTES; at++)
			for (int c = 0; c < 256; c++) {
				char block[PD_SCAN_BYTES];

				memset(block, backgrounds[k], sizeof(block));
				block[at] = (char)c;
				check(block);
			}
}

static void test_random_bytes(void **state)
{
	struct ut_random r = {0x5ca9};

	(void)state;
	for (int round = 0; round < 5000; round++) {
		char block[PD_SCAN_BYTES + 8];

		for (size_t i = 0; i < sizeof(block); i++)
			block[i] = (char)ut_random_below(&r, round % 2 ? 256 : 40);
		check(block + round % 8);
		for (int c = 0; c < 256; c++) {
			uint64_t want = 0;

			for (int i = 0; i < PD_SCAN_BYTES; i++)
				want |= (uint64_t)(block[i] == (char)c) << i;
			assert_true(pd_scan_byte(block, (char)c) == want);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_byte_at_every_place),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
