/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers to and from text. The fast path of reading is exact: a mantissa of
 * at most 2^53 times or over a power of ten of at most 10^22 are both doubles,
 * so one operation rounds correctly (W. D. Clinger, "How to read floating point
 * numbers accurately", 1990). All else goes through strtod_l in the C locale.
 */
#include "base/num.h"

#include <float.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static const double powers_of_10[] = {
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* strtod in the C locale, for text that is known to be a decimal number. */
static bool slow_parse(struct pd_span s, double *ret_x)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *text = c ? malloc(s.len + 1) : NULL;
	double x = HUGE_VAL;

	if (text) {
		memcpy(text, s.ptr, s.len);
		text[s.len] = '\0';
		x = strtod_l(text, NULL, c);
	}
	free(text);
	if (c)
		freelocale(c);
	if (!isfinite(x))
		return false;
	*ret_x = x;
	return true;
}

/* What was read of a number: its value is mantissa * 10^exponent. */
struct decimal {
	uint64_t mantissa;
	int exponent;
	bool is_exact; /* no digit was dropped */
	bool any;      /* there was a digit */
};

static size_t scan_digits(struct pd_span s, size_t i, bool is_fraction, struct decimal *d)
{
	for (; i < s.len && pd_is_digit(s.ptr[i]); i++) {
		unsigned digit = (unsigned)(s.ptr[i] - '0');

		d->any = true;
		if (d->mantissa > (UINT64_MAX - digit) / 10) {
			d->is_exact = false;
			continue;
		}
		d->mantissa = 10 * d->mantissa + digit;
		d->exponent -= is_fraction;
	}
	return i;
}

/* "e+12" at i: the exponent is added; i itself if there is none. */
static size_t scan_exponent(struct pd_span s, size_t i, struct decimal *d)
{
	size_t j = i + 1;
	bool minus = false;
	int e = 0;

	if (j < s.len && (s.ptr[j] == '+' || s.ptr[j] == '-'))
		minus = s.ptr[j++] == '-';
	if (j >= s.len || !pd_is_digit(s.ptr[j]))
		return i;
	for (; j < s.len && pd_is_digit(s.ptr[j]); j++)
		if (e < 10000)
			e = 10 * e + (s.ptr[j] - '0');
	d->exponent += minus ? -e : e;
	return j;
}

/*
 * Most numbers are a few digits with a point in between: the same, without
 * asking for each digit whether it still fits. 0 if the number is another kind.
 */
static size_t scan_short(struct pd_span s, double *ret_x)
{
	const size_t max_digits = 15; /* any such number is below 2^53 */
	uint64_t mantissa = 0;
	size_t i = 0, n = 0, n_decimals = 0;

	for (; i < s.len && pd_is_digit(s.ptr[i]) && n < max_digits; i++, n++)
		mantissa = 10 * mantissa + (uint64_t)(s.ptr[i] - '0');
	if (n && i < s.len && s.ptr[i] == '.')
		for (i++; i < s.len && pd_is_digit(s.ptr[i]) && n < max_digits; i++, n++) {
			mantissa = 10 * mantissa + (uint64_t)(s.ptr[i] - '0');
			n_decimals++;
		}
	if (!n || n == max_digits || (i < s.len && ((s.ptr[i] | 0x20) == 'e' || s.ptr[i] == '.')))
		return 0;
	*ret_x = (double)mantissa / powers_of_10[n_decimals];
	return i;
}

size_t pd_num_scan(struct pd_span s, double *ret_x)
{
	struct decimal d = {.is_exact = true};
	bool minus = s.len && s.ptr[0] == '-';
	size_t i = scan_short(s, ret_x);
	double x;

	if (i)
		return i;
	i = scan_digits(s, minus || (s.len && s.ptr[0] == '+'), false, &d);
	if (i < s.len && s.ptr[i] == '.')
		i = scan_digits(s, i + 1, true, &d);
	if (!d.any)
		return 0;
	if (i < s.len && (s.ptr[i] | 0x20) == 'e')
		i = scan_exponent(s, i, &d);
	if (!d.is_exact || d.mantissa > (uint64_t)PD_COUNT_MAX || abs(d.exponent) > 22)
		return slow_parse(pd_span_sub(s, 0, i), ret_x) ? i : 0;
	x = (double)d.mantissa;
	x = d.exponent < 0 ? x / powers_of_10[-d.exponent] : x * powers_of_10[d.exponent];
	*ret_x = minus ? -x : x;
	return i;
}

bool pd_num_parse(struct pd_span s, double *ret_x)
{
	double x;

	if (!s.len || pd_num_scan(s, &x) != s.len)
		return false;
	*ret_x = x;
	return true;
}

enum { EASY_DIGITS = 18 }; /* any number of so many digits is below 2^64 */

bool pd_num_parse_count(struct pd_span s, double *ret_x)
{
	uint64_t n = 0;
	size_t i = 0;
	double x;

	for (; i < s.len && i < EASY_DIGITS && pd_is_digit(s.ptr[i]); i++)
		n = 10 * n + (uint64_t)(s.ptr[i] - '0');
	if (i && i == s.len) {
		if (n > (uint64_t)PD_COUNT_MAX)
			return false;
		*ret_x = (double)(int64_t)n;
		return true;
	}
	if (!s.len || !(pd_is_digit(s.ptr[0]) || s.ptr[0] == '.') || !pd_num_parse(s, &x) ||
	    x > PD_COUNT_MAX)
		return false;
	*ret_x = x;
	return true;
}

bool pd_num_parse_u64(struct pd_span s, uint64_t *ret_x)
{
	uint64_t x = 0;

	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!pd_is_digit(s.ptr[i]) || __builtin_mul_overflow(x, 10, &x) ||
		    __builtin_add_overflow(x, s.ptr[i] - '0', &x))
			return false;
	*ret_x = x;
	return true;
}

bool pd_num_parse_hex(struct pd_span s, uint64_t *ret_x)
{
	uint64_t x = 0;

	if (pd_span_starts(s, "0x"))
		s = pd_span_sub(s, 2, s.len);
	if (!s.len)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		int digit = pd_is_digit(c) ? c - '0' :
			(c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;

		if (digit < 0 || x >> 60)
			return false;
		x = x << 4 | (uint64_t)digit;
	}
	*ret_x = x;
	return true;
}

/* printf writes the locale's decimal point, of any length; ours is ".". */
static void fix_point(char *s)
{
	char *from = s + (*s == '-'), *to;

	while (pd_is_digit(*from))
		from++;
	if (!*from || *from == 'e')
		return;
	to = from;
	while (*from && !pd_is_digit(*from))
		from++;
	*to++ = '.';
	memmove(to, from, strlen(from) + 1);
}

/* A whole number: most are, and printf is slow. */
static char *write_whole(int64_t x, char buf[PD_NUM_LEN])
{
	uint64_t rest = x < 0 ? -(uint64_t)x : (uint64_t)x;
	char digits[20], *to = buf;
	int n = 0;

	do {
		digits[n++] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (x < 0)
		*to++ = '-';
	while (n)
		*to++ = digits[--n];
	*to = '\0';
	return buf;
}

char *pd_num_shortest(double x, char buf[PD_NUM_LEN])
{
	if (x == trunc(x) && fabs(x) < 1e15)
		return write_whole((int64_t)x, buf);
	/* So many digits always read back but for denormals, which have fewer bits. */
	for (int digits = fabs(x) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		double back;

		(void)snprintf(buf, PD_NUM_LEN, "%.*g", digits, x);
		fix_point(buf);
		if (digits == 17 || (pd_num_parse(pd_span_of(buf), &back) && back == x))
			break;
	}
	return buf;
}

char *pd_num_fixed(double x, int decimals, char buf[PD_NUM_LEN])
{
	(void)snprintf(buf, PD_NUM_LEN, "%.*f", decimals, x);
	fix_point(buf);
	if (buf[0] == '-' && strspn(buf + 1, "0.") == strlen(buf + 1))
		memmove(buf, buf + 1, strlen(buf));
	return buf;
}
