/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interned strings: equal bytes have one id, others have another, whatever the
 * table holds and however it grows.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/strtab.h"

static void test_none(void **state)
{
	struct pd_strtab t = {0};

	(void)state;
	assert_int_equal(pd_strtab_intern(&t, pd_span_of("")).id, 0);
	assert_int_equal(pd_strtab_intern(&t, (struct pd_span){NULL, 0}).id, 0);
	assert_int_equal(pd_strtab_intern_str(&t, "").id, 0);
	assert_int_equal(pd_strtab_intern_str(&t, NULL).id, 0);
	assert_int_equal(pd_strtab_find(&t, pd_span_of("a")).id, 0);
	assert_string_equal(pd_strtab_get(&t, (pd_str){0}), "");
	assert_int_equal(pd_strtab_span(&t, (pd_str){0}).len, 0);
	assert_string_equal(pd_strtab_get(&t, (pd_str){1}), "");
	assert_int_equal(t.n, 0);
	assert_false(t.failed);
	pd_strtab_done(&t);
	pd_strtab_done(NULL);
}

/* Strings of every length up to 80, each differing from "xxx..." in one byte. */
static void test_every_length_and_place(void **state)
{
	enum { MAX_LEN = 80 };
	struct pd_strtab t = {0};
	uint32_t n = 0;

	(void)state;
	for (int round = 0; round < 2; round++) {
		uint32_t id = 0;

		for (size_t len = 1; len <= MAX_LEN; len++)
			for (size_t at = 0; at <= len; at++) {
				char *s = malloc(len); /* of just that size, without a NUL */
				struct pd_span span = {s, len};

				memset(s, 'x', len);
				if (at < len)
					s[at] = 'y';
				if (round)
					assert_int_equal(pd_strtab_find(&t, span).id, id + 1);
				else
					assert_int_equal(pd_strtab_find(&t, span).id, 0);
				assert_int_equal(pd_strtab_intern(&t, span).id, ++id);
				assert_memory_equal(pd_strtab_span(&t, (pd_str){id}).ptr, s, len);
				assert_int_equal(pd_strtab_span(&t, (pd_str){id}).len, len);
				assert_int_equal(strlen(pd_strtab_get(&t, (pd_str){id})), len);
				free(s);
			}
		if (!round)
			n = t.n;
		assert_int_equal(t.n, n);
		assert_int_equal(id, n);
	}
	pd_strtab_done(&t);
}

static void test_growth(void **state)
{
	enum { N = 50000 };
	struct pd_strtab t = {0};
	const char *first = NULL;
	char name[32];

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		(void)snprintf(name, sizeof(name), "function_%u", i * 7919u);
		assert_int_equal(pd_strtab_intern_str(&t, name).id, i + 1);
		if (!i)
			first = pd_strtab_get(&t, (pd_str){1});
	}
	/* Pointers live as long as the table. */
	assert_ptr_equal(pd_strtab_get(&t, (pd_str){1}), first);
	for (uint32_t i = 0; i < N; i++) {
		(void)snprintf(name, sizeof(name), "function_%u", i * 7919u);
		assert_int_equal(pd_strtab_find(&t, pd_span_of(name)).id, i + 1);
		assert_string_equal(pd_strtab_get(&t, (pd_str){i + 1}), name);
	}
	assert_int_equal(pd_strtab_find(&t, pd_span_of("function_")).id, 0);
	assert_int_equal(t.n, N);
	pd_strtab_done(&t);
	assert_int_equal(t.n, 0);
	assert_int_equal(pd_strtab_intern_str(&t, "again").id, 1);
	pd_strtab_done(&t);
}

/*
 * Two strings whose hashes are equal in the 32 bits that the table keeps: of
 * 300000 there are about ten such pairs.
 */
static void test_equal_hashes(void **state)
{
	enum { N = 300000 };
	struct pd_strtab t = {0};
	uint32_t *slots = calloc(1u << 20, sizeof(*slots)), n_pairs = 0;
	char name[32], other[32];

	(void)state;
	assert_non_null(slots);
	for (uint32_t i = 1; i <= N; i++) {
		int len = snprintf(name, sizeof(name), "name%u", i);
		uint32_t hash = (uint32_t)pd_hash_bytes(name, (size_t)len), at = hash >> 12;
		uint32_t before = slots[at];

		slots[at] = i;
		if (!before)
			continue;
		len = snprintf(other, sizeof(other), "name%u", before);
		if ((uint32_t)pd_hash_bytes(other, (size_t)len) != hash)
			continue;
		n_pairs++;
		assert_int_not_equal(pd_strtab_intern_str(&t, name).id,
				     pd_strtab_intern_str(&t, other).id);
		assert_string_equal(pd_strtab_get(&t, pd_strtab_find(&t, pd_span_of(name))), name);
		assert_string_equal(pd_strtab_get(&t, pd_strtab_find(&t, pd_span_of(other))),
				    other);
	}
	assert_true(n_pairs > 0);
	free(slots);
	pd_strtab_done(&t);
}

/* Copies have the same ids, and go on as the original would. */
static void test_copy(void **state)
{
	struct pd_strtab from = {0}, t = {0};
	char s[16];

	(void)state;
	pd_strtab_reserve(&from, 1000);
	for (int i = 1; i <= 50000; i++) {
		(void)snprintf(s, sizeof(s), "name%d", i);
		assert_int_equal(pd_strtab_intern_str(&from, s).id, i);
	}
	assert_true(pd_strtab_copy(&t, &from));
	pd_strtab_done(&from);
	assert_int_equal(t.n, 50000);
	for (int i = 1; i <= 60000; i++) {
		(void)snprintf(s, sizeof(s), "name%d", i);
		assert_int_equal(pd_strtab_intern_str(&t, s).id, i);
		assert_string_equal(pd_strtab_get(&t, (pd_str){(uint32_t)i}), s);
	}
	pd_strtab_done(&t);
}

static void test_bytes(void **state)
{
	struct pd_strtab t = {0};
	pd_str a = pd_strtab_intern(&t, (struct pd_span){"a\0b", 3});
	pd_str b = pd_strtab_intern(&t, (struct pd_span){"a\0c", 3});

	(void)state;
	assert_int_not_equal(a.id, b.id);
	assert_int_not_equal(a.id, pd_strtab_intern_str(&t, "a").id);
	assert_int_equal(pd_strtab_span(&t, a).len, 3);
	assert_memory_equal(pd_strtab_span(&t, a).ptr, "a\0b", 4);
	assert_int_equal(pd_strtab_intern(&t, (struct pd_span){"\0", 1}).id, 4);
	assert_int_equal(pd_strtab_intern(&t, (struct pd_span){"\0\0", 2}).id, 5);
	pd_strtab_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_every_length_and_place),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_equal_hashes),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
