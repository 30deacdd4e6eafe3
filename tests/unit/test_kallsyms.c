/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kallsyms that a kernel carries, in tables made up here as
 * scripts/kallsyms.c of Linux makes them.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "image/kernel.h"

static const struct pd_limits usual = PD_LIMITS_DEFAULT;

static void image_done(struct pd_image *image)
{
	pd_arena_done(&image->arena);
	pd_strtab_done(&image->strings);
}

static void put(struct pd_buf *b, uint64_t x, unsigned n_bytes, bool is_big_endian)
{
	for (unsigned i = 0; i < n_bytes; i++)
		pd_buf_add_char(b, (char)(x >> 8 * (is_big_endian ? n_bytes - 1 - i : i)));
}

enum { N_NAMES = 600, N_BEHIND = 3000 };

struct shape {
	const char *name;
	unsigned word, marker_bytes;
	bool is_big_endian, is_new_order, is_negative, has_seqs, is_elf;
	unsigned n_gap; /* bytes between names and markers */
	unsigned n_long; /* bytes of the name of number 5 but for its first */
};

static void align(struct pd_buf *b, const struct shape *s)
{
	pd_buf_add_fill(b, '\0', (s->word - b->len % s->word) % s->word);
}

/*
 * Two objects and 598 functions "f2" to "f599", of 16 bytes each; that of number 5
 * has a name of 299 characters. Tokens: 1 is "Tf"; 2 is "aa"; characters are
 * themselves; others are texts of their number, "_200".
 */
static void add_offsets(struct pd_buf *b, const struct shape *s)
{
	align(b, s);
	for (int i = 0; i < N_NAMES; i++) {
		int offset = s->is_negative ? (i < 2 ? 16 * i : -1 - 16 * i) : 16 * i;

		put(b, (uint32_t)offset, 4, s->is_big_endian);
	}
	align(b, s);
	put(b, s->word == 8 ? 0xffffffff81000000 : 0xc1000000, s->word, s->is_big_endian);
}

static void add_names(struct pd_buf *b, const struct shape *s)
{
	struct pd_buf names = {0}, markers = {0};

	for (int i = 0; i < N_NAMES; i++) {
		char name[64];
		int len = snprintf(name, sizeof(name), i < 2 ? "Dobject%d" : "\001%d", i);

		if (i % 256 == 0)
			put(&markers, names.len, s->marker_bytes, s->is_big_endian);
		if (i == 5) {
			/* A length of two bytes: the lower seven bits come first. */
			put(&names, 0x80 | ((s->n_long + 1) & 0x7f), 1, false);
			put(&names, (s->n_long + 1) >> 7, 1, false);
			pd_buf_add_char(&names, '\001');
			pd_buf_add_fill(&names, '\002', s->n_long);
			continue;
		}
		put(&names, (uint64_t)len, 1, false);
		pd_buf_add(&names, name, (size_t)len);
	}
	align(b, s);
	put(b, N_NAMES, 4, s->is_big_endian);
	align(b, s);
	pd_buf_add(b, names.ptr, names.len);
	align(b, s);
	pd_buf_add_fill(b, '\0', s->n_gap);
	pd_buf_add(b, markers.ptr, markers.len);
	pd_buf_done(&names);
	pd_buf_done(&markers);
}

static void add_tokens(struct pd_buf *b, const struct shape *s)
{
	struct pd_buf index = {0};
	size_t start;

	align(b, s);
	start = b->len;
	for (int i = 0; i < 256; i++) {
		put(&index, b->len - start, 2, s->is_big_endian);
		if (i == 1)
			pd_buf_add_str(b, "Tf");
		else if (i == 2)
			pd_buf_add_str(b, "aa");
		else if (i > ' ' && i < 127)
			pd_buf_add_char(b, (char)i);
		else
			pd_buf_printf(b, "_%d", i);
		pd_buf_add_char(b, '\0');
	}
	align(b, s);
	pd_buf_add(b, index.ptr, index.len);
	pd_buf_done(&index);
}

static void make_kernel(struct pd_buf *b, const struct shape *s)
{
	if (s->is_elf) {
		pd_buf_add(b, "\x7f" "ELF", 4);
		pd_buf_add_char(b, s->word == 8 ? 2 : 1);
		pd_buf_add_char(b, s->is_big_endian ? 2 : 1);
	}
	pd_buf_add_fill(b, '\xcc', 1001);
	/* A table that is none. */
	pd_buf_add(b, "0\0001\0002\0003\0004\0005\0006\0007\0008\0009", 20);
	if (!s->is_new_order)
		add_offsets(b, s);
	add_names(b, s);
	if (s->has_seqs)
		for (int i = 0; i < N_NAMES; i++)
			put(b, (uint64_t)(N_NAMES - i), 3, true);
	add_tokens(b, s);
	if (s->is_new_order)
		add_offsets(b, s);
	/* Room for offsets, that are none. */
	for (uint32_t i = 0; i < N_BEHIND / 4; i++)
		put(b, i * 2654435761u, 4, false);
}

static const struct shape shapes[] = {
	{"6.1 of x86-64", 8, 4, false, false, true, true, true, 0, 149},
	{"6.12 of x86-64", 8, 4, false, true, true, false, true, 0, 149},
	{"6.12 Image of arm64", 8, 4, false, true, false, false, false, 0, 149},
	{"4.19 Image of arm64", 8, 8, false, false, false, false, false, 0, 149},
	{"6.1 of i386", 4, 4, false, false, false, true, true, 0, 149},
	{"6.12 of s390", 8, 4, true, true, false, false, true, 0, 149},
	{"6.1 of powerpc", 4, 4, true, false, false, false, true, 0, 149},
};

enum { N_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static void kallsyms(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		uint64_t base = s->word == 8 ? 0xffffffff81000000 : 0xc1000000;
		/* The last one has no size, nor the last object before the way to the base. */
		uint32_t n_objects = s->is_negative ? 1 : 2, n = 0;
		struct pd_buf kernel = {0};
		struct pd_image image = {0};
		struct pd_error err = {0};

		make_kernel(&kernel, s);
		if (pd_kallsyms_read(pd_buf_span(&kernel), &usual, &image, &err) != PD_OK)
			fail_msg("%s: %s", s->name, err.msg);
		assert_true(image.is_approximate);
		assert_int_equal(image.n_symbols, n_objects + N_NAMES - 3);
		for (uint32_t k = n_objects; k < image.n_symbols; k++) {
			const struct pd_symbol *symbol = &image.symbols[k];
			const char *name = pd_strtab_get(&image.strings, symbol->name);
			int no = (int)(k - n_objects) + 2;
			char want[16];

			snprintf(want, sizeof(want), "f%d", no);
			if (no == 5)
				assert_int_equal(strlen(name), 1 + 2 * 149);
			else
				ut_assert_text(s->name, name, want);
			assert_int_equal(symbol->address, base + 16 * (uint64_t)no);
			assert_int_equal(symbol->n_bytes, 16);
			assert_int_equal(symbol->kind, PD_SYMBOL_FUNCTION);
			n++;
		}
		assert_int_equal(n, N_NAMES - 3);
		ut_assert_text(s->name, pd_strtab_get(&image.strings, image.symbols[0].name),
			       "object0");
		assert_int_equal(image.symbols[0].address, s->is_negative ? 0 : base);
		image_done(&image);
		pd_buf_done(&kernel);
	}
}

static int read_copy(struct pd_span kernel)
{
	char *exact = malloc(kernel.len + !kernel.len);
	struct pd_image image = {0};
	struct pd_error err = {0};
	int rc;

	assert_non_null(exact);
	memcpy(exact, kernel.ptr, kernel.len);
	rc = pd_kallsyms_read((struct pd_span){exact, kernel.len}, &usual, &image, &err);
	assert_int_equal(rc, err.code);
	image_done(&image);
	free(exact);
	return rc;
}

/* Cut anywhere within the tables there is nothing to read; damaged, anything but a crash. */
static void kallsyms_that_lie(void **state)
{
	struct ut_random random = {7};

	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		struct pd_buf kernel = {0};
		size_t end;

		make_kernel(&kernel, &shapes[i]);
		end = kernel.len - N_BEHIND;
		assert_int_equal(read_copy(pd_span_sub(pd_buf_span(&kernel), 0, end)), PD_OK);
		for (size_t len = 0; len < end; len += 13)
			assert_int_equal(read_copy(pd_span_sub(pd_buf_span(&kernel), 0, len)),
					 PD_ERR_EMPTY);
		assert_int_equal(read_copy(pd_span_sub(pd_buf_span(&kernel), 0, end - 1)),
				 PD_ERR_EMPTY);
		for (int round = 0; round < 1000; round++) {
			uint32_t at = ut_random_below(&random, (uint32_t)kernel.len);
			char old = kernel.ptr[at];

			kernel.ptr[at] = (char)ut_random_below(&random, 256);
			(void)read_copy(pd_buf_span(&kernel));
			kernel.ptr[at] = old;
		}
		pd_buf_done(&kernel);
	}
}

/* A name that is longer than any, once its tokens are texts. */
static void kallsyms_with_long_names(void **state)
{
	static const struct shape s = {
		.name = "long", .word = 8, .marker_bytes = 4, .is_new_order = true, .n_long = 300};
	struct pd_buf kernel = {0};
	size_t at;

	(void)state;
	make_kernel(&kernel, &s);
	assert_int_equal(read_copy(pd_buf_span(&kernel)), PD_OK);
	at = pd_span_find(pd_buf_span(&kernel), "\001\002\002");
	assert_true(at != SIZE_MAX);
	memset(kernel.ptr + at + 1, 200, 300); /* "_200": 1200 characters, of at most 1023 */
	assert_int_equal(read_copy(pd_buf_span(&kernel)), PD_ERR_FORMAT);
	pd_buf_done(&kernel);
}

/* Tables that do not say the same of each other are not the tables. */
static void kallsyms_that_disagree(void **state)
{
	struct shape s = {.name = "", .word = 8, .marker_bytes = 4, .is_new_order = true,
			  .n_long = 149};
	struct pd_buf kernel = {0};
	size_t index;

	(void)state;
	make_kernel(&kernel, &s);
	assert_int_equal(read_copy(pd_buf_span(&kernel)), PD_OK);
	/* The last of three markers stands before token 0, "_0". */
	index = pd_span_find(pd_buf_span(&kernel), "_0");
	assert_true(index != SIZE_MAX);
	for (index--; !kernel.ptr[index]; index--)
		;
	kernel.ptr[index - 1]++;
	assert_int_equal(read_copy(pd_buf_span(&kernel)), PD_ERR_EMPTY);
	pd_buf_done(&kernel);
	s.n_gap = 64;
	make_kernel(&kernel, &s);
	assert_int_equal(read_copy(pd_buf_span(&kernel)), PD_ERR_EMPTY);
	pd_buf_done(&kernel);
}

static void no_kallsyms(void **state)
{
	struct pd_image image = {0};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_kallsyms_read(pd_span_of("\x7f" "ELF"), &usual, &image, &err),
			 PD_ERR_EMPTY);
	ut_assert_text("message", err.msg,
		       "a kernel without a symbol table, and no kallsyms in it that can be read; "
		       "give its vmlinux with symbols, its System.map, or the /proc/kallsyms of a "
		       "machine that runs it");
	assert_int_equal(read_copy((struct pd_span){"", 0}), PD_ERR_EMPTY);
	image_done(&image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kallsyms),
		cmocka_unit_test(kallsyms_that_lie),
		cmocka_unit_test(kallsyms_with_long_names),
		cmocka_unit_test(kallsyms_that_disagree),
		cmocka_unit_test(no_kallsyms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
