/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Demangled names; what is expected is c++filt's and rustfilt's word.
 */
#include "image/demangle.h"

#include "support.h"

/* The name demangled, as a C string in buf. */
static const char *demangled(struct pd_span name, struct pd_buf *buf)
{
	struct pd_span out = pd_demangle(name, buf);

	if (out.ptr != buf->ptr) { /* as it was */
		assert_ptr_equal(out.ptr, name.ptr);
		assert_int_equal(out.len, name.len);
		buf->len = 0;
		pd_buf_add(buf, out.ptr, out.len);
	}
	pd_buf_add_char(buf, '\0');
	return buf->ptr;
}

static void test_names(void **state)
{
	static const char *const cases[][2] = {
		/* C++ */
		{"_Z3fooi", "foo(int)"},
		{"_ZN3foo3barEv", "foo::bar()"},
		{"_ZTV3foo", "vtable for foo"},
		{"_ZNKSt6vectorIiSaIiEE4sizeEv",
		 "std::vector<int, std::allocator<int> >::size() const"},
		{"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()() const"},
		{"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo()"},
		/* Suffixes stay as they are, for families of them. */
		{"_Z3fooi.cold", "foo(int).cold"},
		{"_ZN3foo3barEv.part.0", "foo::bar().part.0"},
		{"_ZN3foo3barEv.constprop.0.isra.0.cold", "foo::bar().constprop.0.isra.0.cold"},
		{"_Z3fooi.llvm.1234567890", "foo(int).llvm.1234567890"},
		/* Rust, legacy: without the hash; dots of its own, and suffixes */
		{"_ZN3foo3bar17h930b740aa94f1d3aE", "foo::bar"},
		{"_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE.llvm.1234",
		 "core::fmt::Write::write_fmt.llvm.1234"},
		{"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		 "17h930b740aa94f1d3aE",
		 "<Test + 'static as foo::Bar<Test>>::bar"},
		/* Rust, v0 */
		{"_RNvC6_123foo3bar", "123foo::bar"},
		{"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
		{"_RNvNtCs1234_7mycrate3foo3bar.llvm.99", "mycrate::foo::bar.llvm.99"},
		{"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
		 "utf8_idents::\341\203\241\341\203\220\341\203\255\341\203\233\341\203\224\341\203"
		 "\232\341\203\220\341\203\223_\341\203\222\341\203\224\341\203\233\341\203\240\341"
		 "\203\230\341\203\224\341\203\232\341\203\230_\341\203\241\341\203\220\341\203\223"
		 "\341\203\230\341\203\232\341\203\230"},
		/* Others */
		{"", ""},
		{"do_page_fault", "do_page_fault"},
		{"foo.cold", "foo.cold"},
		{"_", "_"},
		{"_Z", "_Z"},
		{"_R", "_R"},
		{"_Z.cold", "_Z.cold"},
		{"_ZN3foo", "_ZN3foo"},
		{"_RANDOM", "_RANDOM"},
		{"_ZN3foo3barEv junk", "_ZN3foo3barEv junk"},
		{"_Z99999999999999999999foo", "_Z99999999999999999999foo"},
	};
	struct pd_buf buf = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ut_assert_text(cases[i][0], demangled(pd_span_of(cases[i][0]), &buf), cases[i][1]);
	/* Only len bytes count, and a NUL among them is part of no mangled name. */
	ut_assert_text("cut", demangled((struct pd_span){"_Z3fooii", 7}, &buf), "foo(int)");
	ut_assert_text("NULL", demangled((struct pd_span){NULL, 0}, &buf), "");
	assert_true(pd_demangle((struct pd_span){"_Z3foov\0", 8}, &buf).ptr != buf.ptr);
	pd_buf_done(&buf);
}

/* That a name comes back as it is, and that this takes no time and memory to speak of. */
static void assert_refused(const struct pd_buf *name)
{
	struct pd_buf buf = {0};
	struct pd_span out;

	assert_false(name->failed);
	out = pd_demangle(pd_buf_span(name), &buf);
	assert_ptr_equal(out.ptr, name->ptr);
	assert_int_equal(out.len, name->len);
	assert_true(buf.cap <= 1 << 20);
	/* It works as before. */
	assert_true(pd_span_eq(pd_demangle(pd_span_of("_Z3fooi"), &buf), "foo(int)"));
	pd_buf_done(&buf);
}

/* f(A<int,int>, A<1,1>, A<2,2>, ...): each parameter has the one before it twice. */
static void test_bomb_cpp(void **state)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct pd_buf name = {0};

	(void)state;
	pd_buf_add_str(&name, "_Z1f1AIiiES_IS0_S0_E");
	for (size_t i = 1; digits[i]; i++)
		pd_buf_printf(&name, "S_IS%c_S%c_E", digits[i], digits[i]);
	assert_refused(&name);
	pd_buf_done(&name);
}

/* The same in Rust: tuples of twice the one before, by its place in the name. */
static void test_bomb_rust(void **state)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct pd_buf name = {0};
	size_t last;

	(void)state;
	pd_buf_add_str(&name, "_RINvC1a1b");
	last = name.len - 2;
	pd_buf_add_str(&name, "TllE");
	for (size_t i = 0; i < 50; i++) {
		size_t here = name.len - 2, high = last - 1;
		char place[3] = {digits[high / 62 % 62], digits[high % 62], '\0'};
		const char *p = high >= 62 ? place : place + 1;

		pd_buf_printf(&name, "TB%s_B%s_E", p, p);
		last = here;
	}
	pd_buf_add_char(&name, 'E');
	assert_refused(&name);
	pd_buf_done(&name);
}

static void test_deep(void **state)
{
	static const char *const parts[][3] = {
		/* begin, repeated, end */
		{"_Z1f", "P", "i"},
		{"_Z1f", "1AI", "i"},
		{"_ZN", "1a", "Ev"},
		{"_Z1fI", "X", "E"},
		{"_Z1f", "F", ""},
		{"_RMC1a", "R", "l"},
		{"_RNvC1a", "3foo", ""},
		{"_RINvC1a1b", "T", "E"},
		{"_RINvC1a1b", "B_", "E"},
		{"_ZN", "1a", "17h0123456789abcdefE"},
		{"_ZN", "5$u20$", "17h0123456789abcdefE"},
	};
	static const size_t counts[] = {100, 1000, 20000, 100000};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (size_t j = 0; j < sizeof(counts) / sizeof(counts[0]); j++) {
			struct pd_buf name = {0}, buf = {0};

			pd_buf_add_str(&name, parts[i][0]);
			for (size_t k = 0; k < counts[j]; k++)
				pd_buf_add_str(&name, parts[i][1]);
			pd_buf_add_str(&name, parts[i][2]);
			assert_true(pd_demangle(pd_buf_span(&name), &buf).len);
			assert_true(buf.len <= 2 * 65536);
			if (name.len > 65536)
				assert_refused(&name);
			pd_buf_done(&name);
			pd_buf_done(&buf);
		}
	}
}

/* Names with a few bytes changed, removed and doubled. */
static void test_mutations(void **state)
{
	static const char *const names[] = {
		"_ZNKSt6vectorIiSaIiEE4sizeEv",
		"_ZZ4mainENKUlvE_clEv.part.0",
		"_Z1f1AIiiES_IS0_S0_ES_IS1_S1_E",
		"_ZN3foo3bar17h930b740aa94f1d3aE.llvm.1",
		"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
		"_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3newCs15kBYyAo9fc_7mycrate",
	};
	static const char letters[] = "_ZNSTIEBRMXLJDdputsc0129.$K";
	struct ut_random random = {88172645463325252u};
	struct pd_buf buf = {0};

	(void)state;
	for (int round = 0; round < 60000; round++) {
		struct pd_buf name = {0};

		pd_buf_add_str(&name, names[round % 6]);
		for (uint32_t n = 1 + ut_random_below(&random, 4); n; n--) {
			size_t at = 2 + ut_random_below(&random, (uint32_t)name.len - 2);

			name.ptr[at] = letters[ut_random_below(&random, sizeof(letters) - 1)];
			if (!ut_random_below(&random, 4))
				pd_buf_add(&name, names[round % 6] + 2, 20);
		}
		assert_true(pd_demangle(pd_buf_span(&name), &buf).len);
		pd_buf_done(&name);
	}
	pd_buf_done(&buf);
}

/* As perf shows names: what is expected is the word of "c++filt -p -i". */
static void test_brief(void **state)
{
	static const char *const cases[][2] = {
		{"_Z3fooi", "foo"},
		{"_Z9walk_listmi.cold", "walk_list"},
		{"_ZL10hash_blockmim.constprop.0", "hash_block"},
		{"_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size"},
		{"_ZZ4mainENKUlvE_clEv", "main::{lambda()#1}::operator()"},
		{"_ZN3foo3bar17h930b740aa94f1d3aE", "foo::bar"},
		{"_RNvC6_123foo3bar", "123foo::bar"},
		{"walk_list.cold", "walk_list.cold"},
		{"clock_gettime@@GLIBC_2.17", "clock_gettime@@GLIBC_2.17"},
		{"_Zbroken", "_Zbroken"},
	};
	struct pd_buf buf = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_span out = pd_demangle_brief(pd_span_of(cases[i][0]), &buf);

		assert_int_equal(out.len, strlen(cases[i][1]));
		assert_memory_equal(out.ptr, cases[i][1], out.len);
	}
	pd_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),     cmocka_unit_test(test_bomb_cpp),
		cmocka_unit_test(test_bomb_rust), cmocka_unit_test(test_deep),
		cmocka_unit_test(test_mutations), cmocka_unit_test(test_brief),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
