/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols for addresses: ends, aliases, and which of several covers an address. What
 * is expected follows from perf's rules, by hand.
 */
#include "image/lookup.h"

#include <stdlib.h>

#include "support.h"

static void add(struct pd_lookup *l, uint64_t start, uint64_t end, const char *name,
		unsigned flags)
{
	const struct pd_lookup_symbol s = {
		.start = start, .end = end, .name = name, .n_name = PD_LOOKUP_NUL,
		.flags = (uint16_t)flags,
	};

	pd_lookup_add(l, &s);
}

/* "name name ? name": the symbols of ascending addresses; the caller frees it. */
static char *find(struct pd_lookup *l, struct pd_lookup_range range, const uint64_t *addresses,
		  size_t n, uint64_t shift)
{
	struct pd_site *sites = calloc(n, sizeof(*sites));
	uint32_t *found = calloc(n, sizeof(*found));
	struct pd_buf out = {0};

	for (size_t i = 0; i < n; i++)
		sites[i].address = addresses[i];
	assert_true(pd_lookup_find(l, range, sites, n, shift, found));
	for (size_t i = 0; i < n; i++) {
		struct pd_span name = pd_span_of("?");

		if (found[i] != PD_LOOKUP_NONE)
			name = pd_lookup_name(l, found[i]);
		pd_buf_printf(&out, "%s%.*s", i ? " " : "", PD_SPAN_ARG(name));
	}
	free(sites);
	free(found);
	return out.ptr;
}

#define assert_found(l, range, shift, want, ...)                                              \
	do {                                                                                  \
		const uint64_t at_[] = {__VA_ARGS__};                                         \
		char *have_ = find(l, range, at_, sizeof(at_) / sizeof(at_[0]), shift);       \
		assert_string_equal(have_, want);                                             \
		free(have_);                                                                  \
	} while (0)

static void test_ends(void **state)
{
	struct pd_lookup l = {.budget = 1 << 20};

	(void)state;
	/* Out of order; b has no size and reaches to c; c has one, and a gap behind it. */
	add(&l, 0x300, 0x310, "c", 0);
	add(&l, 0x100, 0x120, "a", 0);
	add(&l, 0x200, 0x200, "b", 0);
	/* The last one reaches to the end of the page behind its own. */
	add(&l, 0x1234, 0x1234, "z", 0);
	assert_int_equal(pd_lookup_settle(&l, NULL), PD_OK);
	assert_found(&l, pd_lookup_all(&l), 0, "? a a ? b b c ? z z ?", 0xff, 0x100, 0x11f, 0x120,
		     0x200, 0x2ff, 0x30f, 0x310, 0x1234, 0x2fff, 0x3000);
	/* Shifted, and beyond 64 bits: */
	assert_found(&l, pd_lookup_all(&l), 0x110, "a b ? a", 0x0, 0x100, UINT64_MAX - 0x10,
		     UINT64_MAX);
	assert_found(&l, pd_lookup_all(&l), -(uint64_t)0x1000, "? a b", 0x10, 0x1100, 0x1200);
	pd_lookup_done(&l);
}

static void test_aliases(void **state)
{
	enum { W = PD_LOOKUP_WEAK, G = PD_LOOKUP_GLOBAL };
	static const struct {
		const char *a, *b, *want;
		unsigned a_flags, b_flags;
		uint64_t a_size, b_size;
	} cases[] = {
		{"a", "b", "b", G, 0, 0, 8},       /* one has a size */
		{"a", "b", "b", W, 0, 8, 8},       /* weak loses, */
		{"a", "b", "a", 0, W, 8, 8},
		{"a", "b", "b", 0, G, 8, 8},       /* global wins, */
		{"long_local", "g", "g", 0, G, 80, 8}, /* whatever its size */
		{"__a", "_b", "_b", G, G, 8, 8},   /* fewer underscores */
		{"read", "readlong", "readlong", G, G, 8, 8}, /* longer */
		{"aa", "bb", "aa", G, G, 8, 8},    /* the earlier one */
		{"SyS_x", "sys_x", "sys_x", G, G, 8, 8},
		/* Of several without a size only the last one gets an end. */
		{"alpha", "b", "b", G, 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_lookup l = {.budget = 1 << 20};

		add(&l, 0x10, 0x10 + cases[i].a_size, cases[i].a, cases[i].a_flags);
		add(&l, 0x10, 0x10 + cases[i].b_size, cases[i].b, cases[i].b_flags);
		add(&l, 0x100, 0x110, "next", 0);
		assert_int_equal(pd_lookup_settle(&l, NULL), PD_OK);
		assert_int_equal(l.n, 2);
		assert_found(&l, pd_lookup_all(&l), 0, cases[i].want, 0x10);
		pd_lookup_done(&l);
	}
}

/* Names are compared as they are shown: the mangled one is longer, and shorter when shown. */
static void test_demangled_aliases(void **state)
{
	struct pd_lookup l = {.budget = 1 << 20, .demangles = true};

	(void)state;
	add(&l, 0x10, 0x20, "_ZN3foo3barEv", PD_LOOKUP_GLOBAL);
	add(&l, 0x10, 0x20, "plain_name", PD_LOOKUP_GLOBAL);
	add(&l, 0x30, 0x40, "_Z3fooi.cold", 0);
	add(&l, 0x50, 0x60, "puts", PD_LOOKUP_PLT);
	add(&l, 0x70, 0x80, "_Z3fooi", PD_LOOKUP_PLT);
	assert_int_equal(pd_lookup_settle(&l, NULL), PD_OK);
	assert_found(&l, pd_lookup_all(&l), 0, "plain_name foo puts@plt foo@plt", 0x10, 0x30, 0x50,
		     0x70);
	pd_lookup_done(&l);
}

static void test_nested(void **state)
{
	struct pd_lookup l = {.budget = 1 << 20};

	(void)state;
	add(&l, 0x00, 0x100, "outer", 0);
	add(&l, 0x10, 0x40, "middle", 0);
	add(&l, 0x20, 0x30, "inner", 0);
	add(&l, 0x38, 0x60, "across", 0);
	add(&l, 0xa0, 0xa8, "late", 0);
	assert_int_equal(pd_lookup_settle(&l, NULL), PD_OK);
	assert_found(&l, pd_lookup_all(&l), 0,
		     "outer middle inner middle across across outer late outer ?", 0x0f, 0x10, 0x2f,
		     0x30, 0x38, 0x5f, 0x60, 0xa7, 0xa8, 0x100);
	pd_lookup_done(&l);
}

static void test_broken_names(void **state)
{
	/* Many aliases, whose names are ends of one long name: each has all of it to compare. */
	enum { N = 20000 };
	char *name = malloc(N + 1);
	struct pd_lookup l = {.budget = 16 * N};
	struct pd_error err = {0};

	(void)state;
	memset(name, 'a', N);
	name[N] = '\0';
	for (int i = 0; i < N; i++)
		add(&l, 0x10, 0x20, name + i, 0);
	assert_int_equal(pd_lookup_settle(&l, &err), PD_ERR_FORMAT);
	pd_lookup_done(&l);
	free(name);
}

static void test_kallsyms(void **state)
{
	/* By kallsyms(5): sizes are distances; of aliases the last line of a used type wins. */
	static const char text[] =
		"0000000000000000 A fixed_percpu_data\n"
		"ffffffff81000000 T _stext\n"
		"ffffffff81000000 T _text\n"
		"ffffffff81000100 t local\n"
		"ffffffff81000200 T first_alias\n"
		"ffffffff81000200 t last_alias\n"
		"ffffffff81000200 r not_code\n"
		"ffffffff81000280 T $mapping\n"
		"ffffffff81000300 W weak\n"
		"no line of it\n"
		"ffffffffc0002000 t b_begin\t[b_mod]\n"
		"ffffffffc0000010 t a_begin\t[a_mod]\n"
		"ffffffffc0000100 t a_next\t[a_mod]\n"
		"ffffffffc0002040 t b_next\t[b_mod]\n"
		"ffffffffc0009000 t last";
	struct pd_lookup l = {.reference = "_stext"};
	struct pd_lookup_range kernel;

	(void)state;
	assert_int_equal(pd_lookup_read_kallsyms(&l, pd_span_of(text), NULL), PD_OK);
	assert_true(l.has_reference);
	assert_true(l.reference_start == 0xffffffff81000000);
	kernel = pd_lookup_range_of(&l, pd_span_of(""));
	assert_found(&l, kernel, 0, "_text local last_alias last_alias weak ?", 0xffffffff81000000,
		     0xffffffff810001ff, 0xffffffff81000200, 0xffffffff81000280,
		     /* before a module's symbol it ends with the next page */
		     0xffffffff81001fff, 0xffffffff81002000);
	assert_found(&l, pd_lookup_range_of(&l, pd_span_of("a_mod")), 0xffffffffc0000000,
		     "? a_begin a_next ?", 0x0, 0xff, 0x1fff, 0x2000);
	assert_found(&l, pd_lookup_range_of(&l, pd_span_of("b_mod")), 0,
		     "b_begin b_next b_next ?", 0xffffffffc0002000, 0xffffffffc0002040,
		     0xffffffffc0003fff, 0xffffffffc0004000);
	assert_int_equal(pd_lookup_range_of(&l, pd_span_of("c_mod")).n, 0);
	pd_lookup_done(&l);
}

static void test_bad_kallsyms(void **state)
{
	static const struct {
		const char *text;
		int rc;
	} cases[] = {
		{"", PD_ERR_FORMAT},
		{"\x7f" "ELF", PD_ERR_FORMAT},
		{"ffffffff81000000", PD_ERR_FORMAT},
		{"ffffffff81000000 T ", PD_ERR_FORMAT},
		{"11112222333344445 T above_64_bits\n", PD_ERR_FORMAT},
		/* As the kernel shows them to users without privileges. */
		{"0000000000000000 T _text\n0000000000000000 t x\t[m]\n", PD_ERR_EMPTY},
		{"ffffffff81000000 T x", PD_OK},
		{"ffffffff81000000 T x\t[", PD_OK},
		{"ffffffff81000000 T x\t[]\n", PD_OK},
		{"ffffffffffffffff T last\n", PD_OK},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_lookup l = {0};

		assert_int_equal(pd_lookup_read_kallsyms(&l, pd_span_of(cases[i].text), NULL),
				 cases[i].rc);
		pd_lookup_done(&l);
	}
}

static void test_jit(void **state)
{
	static const char text[] =
		"1000 20 first\n"
		"0x1020 0x10 LazyCompile:~step app.js:12\n"
		"1040 0 empty\n"
		"zz 10 none\n"
		"1060 10\n"
		"1080 10 \n"
		"2000 10 old\n"
		"2000 20 new\n"
		"fffffffffffffff0 100 wraps";
	struct pd_lookup l = {0};

	(void)state;
	assert_int_equal(pd_lookup_read_jit(&l, pd_span_of(text), NULL), PD_OK);
	assert_found(&l, pd_lookup_all(&l), 0,
		     "first LazyCompile:~step app.js:12 ? empty ? ? ? new new ? wraps", 0x101f,
		     0x1020, 0x1030, 0x1040, 0x1041, 0x1060, 0x1080, 0x2000, 0x201f, 0x2020,
		     0xfffffffffffffff8);
	pd_lookup_done(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_demangled_aliases),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_broken_names),
		cmocka_unit_test(test_kallsyms),
		cmocka_unit_test(test_bad_kallsyms),
		cmocka_unit_test(test_jit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
