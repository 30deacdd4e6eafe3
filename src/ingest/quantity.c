/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities. Contract: quantity.h.
 */
#include "ingest/quantity.h"

#include "base/num.h"

enum { MAX_DIGITS = 64 }; /* of a number with commas */

static const struct {
	const char *word;
	double factor;
	const char *unit;
	enum pd_better better;
	bool is_cased; /* "b" is no "B" */
} units[] = {
	{"ns", 1, "ns", PD_BETTER_LOWER, false},
	{"nsec", 1, "ns", PD_BETTER_LOWER, false},
	{"nanosecond", 1, "ns", PD_BETTER_LOWER, false},
	{"us", 1e3, "ns", PD_BETTER_LOWER, false},
	{"\xc2\xb5s", 1e3, "ns", PD_BETTER_LOWER, false},
	{"\xce\xbcs", 1e3, "ns", PD_BETTER_LOWER, false},
	{"usec", 1e3, "ns", PD_BETTER_LOWER, false},
	{"microsec", 1e3, "ns", PD_BETTER_LOWER, false},
	{"microsecond", 1e3, "ns", PD_BETTER_LOWER, false},
	{"ms", 1e6, "ns", PD_BETTER_LOWER, true},
	{"msec", 1e6, "ns", PD_BETTER_LOWER, false},
	{"millisec", 1e6, "ns", PD_BETTER_LOWER, false},
	{"millisecond", 1e6, "ns", PD_BETTER_LOWER, false},
	{"s", 1e9, "ns", PD_BETTER_LOWER, true},
	{"sec", 1e9, "ns", PD_BETTER_LOWER, false},
	{"second", 1e9, "ns", PD_BETTER_LOWER, false},
	{"min", 60e9, "ns", PD_BETTER_LOWER, false},
	{"minute", 60e9, "ns", PD_BETTER_LOWER, false},
	{"hour", 3600e9, "ns", PD_BETTER_LOWER, false},
	{"B", 1, "bytes", PD_BETTER_LOWER, true},
	{"byte", 1, "bytes", PD_BETTER_LOWER, false},
	{"KB", 1024, "bytes", PD_BETTER_LOWER, false},
	{"KiB", 1024, "bytes", PD_BETTER_LOWER, false},
	{"kbyte", 1024, "bytes", PD_BETTER_LOWER, false},
	{"MB", 1048576, "bytes", PD_BETTER_LOWER, true},
	{"MiB", 1048576, "bytes", PD_BETTER_LOWER, false},
	{"mbyte", 1048576, "bytes", PD_BETTER_LOWER, false},
	{"GB", 1073741824, "bytes", PD_BETTER_LOWER, true},
	{"GiB", 1073741824, "bytes", PD_BETTER_LOWER, false},
	{"TB", 1099511627776, "bytes", PD_BETTER_LOWER, true},
	{"TiB", 1099511627776, "bytes", PD_BETTER_LOWER, false},
	{"%", 1, "percent", PD_BETTER_UNKNOWN, false},
	{"percent", 1, "percent", PD_BETTER_UNKNOWN, false},
	{"fault", 1, "faults", PD_BETTER_LOWER, false},
	{"cycle", 1, "cycles", PD_BETTER_LOWER, false},
	{"tick", 1, "ticks", PD_BETTER_LOWER, false},
	{"lps", 1, "lps", PD_BETTER_HIGHER, false},
	{"lpm", 1, "lpm", PD_BETTER_HIGHER, false},
	{"iops", 1, "iops", PD_BETTER_HIGHER, false},
	{"tps", 1, "tps", PD_BETTER_HIGHER, false},
	{"fps", 1, "fps", PD_BETTER_HIGHER, false},
	{"mips", 1, "mips", PD_BETTER_HIGHER, false},
	{"mflops", 1, "mflops", PD_BETTER_HIGHER, false},
};

/* A word of the table, also with the "s" of a plural. */
static bool find_unit(struct pd_span word, struct pd_unit_word *ret_unit)
{
	struct pd_span single = word;

	if (word.len > 3 && (word.ptr[word.len - 1] | 0x20) == 's')
		single.len--;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const char *w = units[i].word;

		if (units[i].is_cased
			    ? !pd_span_eq(word, w)
			    : !pd_span_eq_nocase(word, w) && !pd_span_eq_nocase(single, w))
			continue;
		*ret_unit = (struct pd_unit_word){units[i].factor, pd_span_of(units[i].unit),
						  units[i].better, true};
		return true;
	}
	return false;
}

static bool is_second(struct pd_span s)
{
	struct pd_unit_word w;

	return s.len && s.ptr[0] == 's' && find_unit(s, &w) && w.factor == 1e9;
}

struct pd_unit_word pd_unit_word(struct pd_span word)
{
	struct pd_unit_word w = {1, word, PD_BETTER_UNKNOWN, false}, part;
	size_t slash = pd_span_find(word, "/");

	if (find_unit(word, &w) || slash == SIZE_MAX || !slash)
		return w;
	if (is_second(pd_span_sub(word, slash + 1, word.len))) {
		w.better = PD_BETTER_HIGHER;
		w.is_known = true;
		w.unit.len = slash + 2; /* "ops/sec" -> "ops/s" */
		if (find_unit(pd_span_sub(word, 0, slash), &part) &&
		    pd_span_eq(part.unit, "bytes")) {
			w.factor = part.factor;
			w.unit = pd_span_of("bytes/s");
		}
	} else if (find_unit(pd_span_sub(word, 0, slash), &part)) {
		w = part;
	} else if (pd_span_eq(pd_span_sub(word, slash, word.len), "/op")) {
		w.better = PD_BETTER_LOWER;
		w.is_known = true;
	}
	return w;
}

double pd_unit_scale(const struct pd_unit_word *word, double x)
{
	double scaled = x * word->factor, whole = round(scaled);

	return fabs(scaled - whole) <= 4e-16 * fabs(scaled) ? whole : scaled;
}

/* The length of "1,254,992" at the start of s: digits with at least one comma; or 0. */
static size_t grouped_len(struct pd_span s)
{
	size_t i = 0, n_groups = 0;

	while (i < s.len && pd_is_digit(s.ptr[i]))
		i++;
	if (!i || i > 3)
		return 0;
	while (i + 3 < s.len && s.ptr[i] == ',' && pd_is_digit(s.ptr[i + 1]) &&
	       pd_is_digit(s.ptr[i + 2]) && pd_is_digit(s.ptr[i + 3]) &&
	       (i + 4 == s.len || !pd_is_digit(s.ptr[i + 4]))) {
		i += 4;
		n_groups++;
	}
	return n_groups ? i : 0;
}

size_t pd_quantity_scan(struct pd_span s, double *ret_x)
{
	char digits[MAX_DIGITS];
	size_t sign = s.len && (s.ptr[0] == '+' || s.ptr[0] == '-'), n = 0, len;
	struct pd_span plain = pd_span_sub(s, sign, s.len);
	double x;

	len = grouped_len(plain);
	if (len && len < MAX_DIGITS / 2) {
		for (size_t i = 0; i < len; i++)
			if (plain.ptr[i] != ',')
				digits[n++] = plain.ptr[i];
		if (len < plain.len && plain.ptr[len] == '.')
			do
				digits[n++] = plain.ptr[len++];
			while (len < plain.len && n < MAX_DIGITS && pd_is_digit(plain.ptr[len]));
		if (!pd_num_scan((struct pd_span){digits, n}, &x))
			return 0;
	} else {
		if (plain.len && (plain.ptr[0] == '-' || plain.ptr[0] == '+'))
			return 0;
		len = pd_num_scan(plain, &x);
		if (!len)
			return 0;
	}
	*ret_x = sign && s.ptr[0] == '-' ? -x : x;
	return sign + len;
}

bool pd_quantity_parse(struct pd_span s, struct pd_quantity *ret_quantity)
{
	struct pd_quantity q = {PD_UNKNOWN, {"", 0}, PD_BETTER_UNKNOWN};
	struct pd_unit_word w;
	struct pd_span word;
	size_t len = pd_quantity_scan(s, &q.value);

	if (!len)
		return false;
	word = pd_span_trim(pd_span_sub(s, len, s.len));
	if (word.len) {
		if (memchr(word.ptr, ' ', word.len) || memchr(word.ptr, '\t', word.len) ||
		    pd_is_digit(word.ptr[0]) || word.ptr[0] == '.' || word.ptr[0] == ',')
			return false;
		w = pd_unit_word(word);
		/* A word that is glued to its number is a unit only if it is known. */
		if (!w.is_known && !pd_is_blank(s.ptr[len]))
			return false;
		q.value = pd_unit_scale(&w, q.value);
		q.unit = w.unit;
		q.better = w.better;
	}
	*ret_quantity = q;
	return true;
}
