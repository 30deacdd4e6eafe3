/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers to and from text. strtod() of the C library, in the C locale, is the
 * second opinion on rounding.
 */
#include "support.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static locale_t c_locale;

static void test_scan(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		double want;
	} cases[] = {
		{"", 0, 0}, {"-", 0, 0}, {"+", 0, 0}, {".", 0, 0}, {"-.", 0, 0}, {"e5", 0, 0},
		{".e5", 0, 0}, {" 1", 0, 0}, {"inf", 0, 0}, {"nan", 0, 0}, {"x", 0, 0},
		{"--1", 0, 0}, {"0", 1, 0}, {"12", 2, 12}, {"+12", 3, 12}, {"-3.5", 4, -3.5},
		{"20.", 3, 20}, {".5", 2, 0.5}, {"-.5", 3, -0.5}, {"1.2.3", 3, 1.2},
		{"1e6", 3, 1e6}, {"1E6", 3, 1e6}, {"1e+6", 4, 1e6}, {"1e-6", 4, 1e-6},
		{"1e", 1, 1}, {"1e+", 1, 1}, {"1e-x", 1, 1}, {"1ex", 1, 1}, {"1.e2", 4, 100},
		{"12k", 2, 12}, {"1,000", 1, 1}, {"0x10", 1, 0}, {"007", 3, 7},
		{"1e400", 0, 0}, {"-1e400", 0, 0}, {"1e99999999999999999999", 0, 0},
		{"1e-400", 6, 0}, {"1e-99999999999999999999", 23, 0},
		{"0e400", 5, 0}, {"0e99999999999", 13, 0},
		{"1.7976931348623157e308", 22, DBL_MAX}, {"1.7976931348623159e308", 0, 0},
		{"4.9e-324", 8, 4.9406564584124654e-324}, {"2e-324", 6, 0},
		{"2.2250738585072011e-308", 23, 2.2250738585072011e-308},
		{"9007199254740991", 16, 9007199254740991.0},
		{"9007199254740992", 16, 9007199254740992.0},
		{"9007199254740993", 16, 9007199254740992.0},
		{"9007199254740994", 16, 9007199254740994.0},
		{"9007199254740995", 16, 9007199254740996.0},
		{"9007199254740993.0000000000000000000000001", 42, 9007199254740994.0},
		{"123456789012345678", 18, 123456789012345678.0},
		{"18446744073709551615", 20, 18446744073709551616.0},
		{"18446744073709551616", 20, 18446744073709551616.0},
		{"184467440737095516150000", 24, 1.8446744073709552e23},
		{"0.1234567890123456789012345", 27, 0.12345678901234568},
		{"0.00000000000000000000000000000000001", 37, 1e-35},
		{"100000000000000000000000000000", 30, 1e29},
		{"1e22", 4, 1e22}, {"1e23", 4, 1e23}, {"1e-22", 5, 1e-22}, {"3e-23", 5, 3e-23},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].in);
		char *exact = malloc(len ? len : 1);
		double x = -77;

		memcpy(exact, cases[i].in, len);
		if (pd_num_scan((struct pd_span){exact, len}, &x) != cases[i].len)
			fail_msg("\"%s\": found length %zu, expected %zu", cases[i].in,
				 pd_num_scan((struct pd_span){exact, len}, &x), cases[i].len);
		/* Nothing is stored where there is no number. */
		ut_assert_same(x, cases[i].len ? cases[i].want : -77);
		x = -77;
		assert_int_equal(pd_num_parse((struct pd_span){exact, len}, &x),
				 len && cases[i].len == len);
		ut_assert_same(x, len && cases[i].len == len ? cases[i].want : -77);
		free(exact);
	}
}

static void test_signs(void **state)
{
	double x = 1;

	(void)state;
	assert_int_equal(pd_num_scan(pd_span_of("-0"), &x), 2);
	assert_true(x == 0 && signbit(x));
	assert_int_equal(pd_num_scan(pd_span_of("0.0"), &x), 3);
	assert_true(x == 0 && !signbit(x));
}

static void test_counts(void **state)
{
	static const struct {
		const char *in;
		bool is_count;
		double want;
	} cases[] = {
		{"0", true, 0}, {"12", true, 12}, {"000000000000000000012", true, 12},
		{"123456789012345", true, 123456789012345.0},
		{"1234567890123456", true, 1234567890123456.0},
		{"9007199254740992", true, PD_COUNT_MAX}, {"9007199254740993", false, 0},
		{"9007199254740994", false, 0}, {"1e16", false, 0}, {"1e15", true, 1e15},
		{"99999999999999999999999", false, 0}, {"1.5", true, 1.5}, {".5", true, 0.5},
		{"20.", true, 20}, {"", false, 0}, {"-1", false, 0}, {"+1", false, 0},
		{"-0", false, 0}, {".", false, 0}, {"1 ", false, 0}, {"1x", false, 0},
		{"x", false, 0}, {"123456789012345x", false, 0}, {"1e999", false, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double x = -77;

		if (pd_num_parse_count(pd_span_of(cases[i].in), &x) != cases[i].is_count)
			fail_msg("\"%s\"", cases[i].in);
		ut_assert_same(x, cases[i].is_count ? cases[i].want : -77);
	}
}

static void test_integers(void **state)
{
	static const struct {
		const char *in;
		bool is_decimal, is_hex;
		uint64_t decimal, hex;
	} cases[] = {
		{"", false, false, 0, 0}, {"0", true, true, 0, 0}, {"10", true, true, 10, 16},
		{"ff", false, true, 0, 255}, {"0xFF", false, true, 0, 255},
		{"0x", false, false, 0, 0}, {"0X1", false, false, 0, 0},
		{"-1", false, false, 0, 0}, {"+1", false, false, 0, 0}, {"1 ", false, false, 0, 0},
		{"g", false, false, 0, 0}, {"@", false, false, 0, 0}, {"`", false, false, 0, 0},
		{"18446744073709551615", true, false, UINT64_MAX, 0},
		{"18446744073709551616", false, false, 0, 0},
		{"184467440737095516150", false, false, 0, 0},
		{"ffffffffffffffff", false, true, 0, UINT64_MAX},
		{"10000000000000000", true, false, 10000000000000000u, 0},
		{"0000000000000000000000ff", false, true, 0, 255},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t x = 77, y = 77;

		if (pd_num_parse_u64(pd_span_of(cases[i].in), &x) != cases[i].is_decimal ||
		    pd_num_parse_hex(pd_span_of(cases[i].in), &y) != cases[i].is_hex)
			fail_msg("\"%s\"", cases[i].in);
		assert_true(x == (cases[i].is_decimal ? cases[i].decimal : 77));
		assert_true(y == (cases[i].is_hex ? cases[i].hex : 77));
	}
}

/* A decimal of up to 25 digits, with or without point and exponent. */
static void random_decimal(struct ut_random *r, char *text)
{
	unsigned n = 1 + ut_random_below(r, 25), point = ut_random_below(r, 2 * n);
	char *p = text;

	if (!ut_random_below(r, 4))
		*p++ = '-';
	for (unsigned i = 0; i < n; i++) {
		if (i == point)
			*p++ = '.';
		*p++ = (char)('0' + ut_random_below(r, 10));
	}
	*p = '\0';
	if (!ut_random_below(r, 3))
		(void)sprintf(p, "e%d", (int)ut_random_below(r, 60) - 30);
	else if (!ut_random_below(r, 8))
		(void)sprintf(p, "E%+d", (int)ut_random_below(r, 700) - 350);
}

static void check_rounding(uint64_t seed)
{
	struct ut_random r = {seed};

	for (int i = 0; i < 6000; i++) {
		char text[64];
		double want, have = -77;

		random_decimal(&r, text);
		want = strtod_l(text, NULL, c_locale);
		if (pd_num_parse(pd_span_of(text), &have) != (bool)isfinite(want) ||
		    (isfinite(want) && (have != want || signbit(have) != signbit(want))))
			fail_msg("\"%s\": found %.17g, expected %.17g", text, have, want);
	}
}

static void test_rounding(void **state)
{
	(void)state;
	check_rounding(0xabcdef);
}

static void check_shortest(double x)
{
	char text[PD_NUM_LEN], shorter[64];
	double back = -77;

	assert_ptr_equal(pd_num_shortest(x, text), text);
	assert_true(strlen(text) < PD_NUM_LEN);
	if (!pd_num_parse(pd_span_of(text), &back) || back != x)
		fail_msg("%.17g became \"%s\"", x, text);
	if (x == 0 || (x == trunc(x) && fabs(x) < 1e15))
		return;
	/* One digit less does not read back. */
	for (int n = 1; n <= 17; n++) {
		locale_t before = uselocale(c_locale);

		(void)snprintf(shorter, sizeof(shorter), "%.*e", n - 1, x);
		(void)uselocale(before);
		if (pd_num_parse(pd_span_of(shorter), &back) && back == x) {
			int n_digits = 0;

			for (const char *p = text + strcspn(text, "123456789");
			     *p && *p != 'e'; p++)
				n_digits += pd_is_digit(*p);
			if (n_digits > n)
				fail_msg("\"%s\" has %d digits, %s has %d", text, n_digits,
					 shorter, n);
			return;
		}
	}
	fail_msg("%.17g does not read back at all", x);
}

static void test_shortest(void **state)
{
	static const struct {
		double x;
		const char *want;
	} cases[] = {
		{0, "0"}, {-0.0, "0"}, {1304, "1304"}, {-5, "-5"}, {0.1, "0.1"}, {0.5, "0.5"},
		{-2.25, "-2.25"}, {1e300, "1e+300"}, {999999999999999.0, "999999999999999"},
		{1e15, "1e+15"}, {9007199254740991.0, "9007199254740991"}, {0.1 + 0.2,
		 "0.30000000000000004"}, {1.0 / 3, "0.3333333333333333"}, {1e-7, "1e-07"},
		{4.9406564584124654e-324, "5e-324"}, {DBL_MIN, "2.2250738585072014e-308"},
		{DBL_MAX, "1.7976931348623157e+308"},
	};
	struct ut_random r = {0x1357};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[PD_NUM_LEN];

		ut_assert_text("shortest", pd_num_shortest(cases[i].x, text), cases[i].want);
		check_shortest(cases[i].x);
	}
	for (int i = 0; i < 6000; i++) {
		uint64_t bits = ut_random_next(&r);
		double x;

		if (i % 8 == 0) /* denormals */
			bits &= UINT64_C(0x800fffffffffffff);
		if (i % 16 == 0)
			bits >>= ut_random_below(&r, 60);
		memcpy(&x, &bits, sizeof(x));
		if (isfinite(x))
			check_shortest(x);
		check_shortest(trunc(1e6 * (double)(bits >> 40)) / 100);
	}
}

static void test_fixed(void **state)
{
	static const struct {
		double x;
		int decimals;
		const char *want;
	} cases[] = {
		{0, 0, "0"}, {-0.0, 0, "0"}, {-0.0, 2, "0.00"}, {-0.4, 0, "0"}, {-0.04, 1, "0.0"},
		{-0.06, 1, "-0.1"}, {0.4, 0, "0"}, {0.6, 0, "1"}, {-0.6, 0, "-1"}, {0.5, 0, "0"},
		{1.5, 0, "2"}, {2.5, 0, "2"}, {0.125, 2, "0.12"}, {0.375, 2, "0.38"},
		{1.005, 2, "1.00"}, {99.95, 1, "100.0"}, {1234.5, 1, "1234.5"},
		{1e15, 0, "1000000000000000"}, {-1e-300, 20, "0.00000000000000000000"},
		{0.1, 20, "0.10000000000000000555"},
	};
	char text[PD_NUM_LEN];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ut_assert_text("fixed", pd_num_fixed(cases[i].x, cases[i].decimals, text),
			       cases[i].want);
	assert_int_equal(strlen(pd_num_fixed(-DBL_MAX, 20, text)), 1 + 309 + 1 + 20);
	assert_int_equal(text[310], '.');
}

static void test_sums(void **state)
{
	static const double parts[] = {0.1, 1e16, 0.2, -1e16, 0.3, 7, 1e-3, 12345.678};
	enum { N = sizeof(parts) / sizeof(parts[0]) };
	struct ut_random r = {0x99};
	double first = 0;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		struct pd_sum sum = {0};
		double shuffled[N];

		memcpy(shuffled, parts, sizeof(parts));
		for (uint32_t k = N; k > 1; k--) {
			uint32_t other = ut_random_below(&r, k);
			double x = shuffled[k - 1];

			shuffled[k - 1] = shuffled[other];
			shuffled[other] = x;
		}
		for (size_t i = 0; i < N; i++)
			pd_sum_add(&sum, shuffled[i]);
		if (!round)
			first = sum.high;
		ut_assert_same(sum.high, first);
	}
	assert_true(fabs(first - 12353.279) < 1e-11);
}

static void check_all(void)
{
	test_scan(NULL);
	test_counts(NULL);
	test_shortest(NULL);
	test_fixed(NULL);
	check_rounding(0x2468);
}

/* Under no locale does anything change. */
static void test_locales(void **state)
{
	static const char *const names[] = {"C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8",
					    "pt_BR.UTF-8", "ps_AF.UTF-8"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		locale_t l = newlocale(LC_ALL_MASK, names[i], (locale_t)0), before;

		if (!l)
			continue;
		before = uselocale(l);
		check_all();
		(void)uselocale(before);
		freelocale(l);
	}
}

/*
 * A locale that is made here, so that no machine is without one: its decimal
 * point is a comma, or of several bytes. Where localedef is missing there is
 * none, and test_locales has to do.
 */
static void check_made_locale(const char *point, const char *half)
{
	char *folder = ut_folder_new(), *command = NULL, *text = NULL;
	int n = asprintf(&text, "LC_NUMERIC\ndecimal_point \"%s\"\nthousands_sep \".\"\n"
				"grouping 3;3\nEND LC_NUMERIC\n", point);

	assert_true(n > 0);
	ut_write_file(ut_path(folder, "source"), text, (size_t)n);
	assert_true(asprintf(&command, "localedef -c -f UTF-8 -i %s/source %s/made "
				       ">/dev/null 2>&1", folder, folder) > 0);
	n = system(command); /* it warns of all that is missing */
	(void)setenv("LOCPATH", folder, 1);
	if (n != -1 && !access(ut_path(folder, "made/LC_NUMERIC"), R_OK)) {
		char number[8];

		assert_non_null(setlocale(LC_NUMERIC, "made"));
		(void)snprintf(number, sizeof(number), "%.1f", 0.5);
		assert_string_equal(number, half);
		check_all();
		assert_non_null(setlocale(LC_NUMERIC, "C"));
	}
	(void)unsetenv("LOCPATH");
	free(command);
	assert_true(asprintf(&command, "rm -rf %s/made", folder) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	free(text);
	ut_folder_free(folder);
}

static void test_decimal_comma(void **state)
{
	(void)state;
	check_made_locale(",", "0,5");
	check_made_locale("<U066B>", "0\xd9\xab" "5"); /* the Arabic one */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scan),
		cmocka_unit_test(test_signs),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_shortest),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_locales),
		cmocka_unit_test(test_decimal_comma),
	};

	int rc;

	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c_locale)
		return 99;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	freelocale(c_locale);
	return rc;
}
