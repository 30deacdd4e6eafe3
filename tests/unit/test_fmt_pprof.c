/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pprof reader: messages, words and texts, and how they may be broken.
 */
#include "support.h"

#include <endian.h>
#include <stdlib.h>

static struct ut_reading read_bytes(struct pd_span bytes)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r = {0};
	struct pd_input in = {.path = "in", .bytes = bytes, .limits = &limits, .diags = &r.diags};

	r.rc = pd_ingest_bytes(&in, NULL, &r.profiles, &r.err);
	return r;
}

/* The first profile: "EVENT=TOTAL ...: NAME@MODULE=SELF,SELF/INCLUSIVE,..." */
static char *dump(const struct ut_reading *r)
{
	const struct pd_profile *p = r->profiles.items[0];
	struct pd_buf b = {0};

	for (uint32_t e = 0; e < p->n_events; e++)
		pd_buf_printf(&b, "%s%s %s=%.10g", e ? " " : "",
			      pd_strtab_get(&p->strings, p->events[e].name),
			      pd_unit_name(p->events[e].unit), p->events[e].total);
	pd_buf_add_str(&b, p->holds_deltas ? " deltas:" : ":");
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		const struct pd_func *f = &p->funcs[i];

		pd_buf_printf(&b, " %s", pd_strtab_get(&p->strings, f->name));
		if (f->module.id)
			pd_buf_printf(&b, "@%s", pd_strtab_get(&p->strings, f->module));
		for (uint32_t e = 0; e < p->n_events; e++)
			pd_buf_printf(&b, "%c%.10g", e ? ',' : '=',
				      pd_profile_weight(p, i, e)->self);
		for (uint32_t e = 0; e < p->n_events && !(f->flags & PD_FUNC_LEFTOVER); e++)
			pd_buf_printf(&b, "%c%.10g", e ? ',' : '/',
				      pd_profile_weight(p, i, e)->inclusive);
	}
	return b.ptr;
}

static void assert_bytes(struct pd_span bytes, size_t n_diags, const char *want)
{
	struct ut_reading r = read_bytes(bytes);
	char *have;

	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(r.profiles.items[0]->format, "pprof");
	assert_int_equal(r.diags.n, n_diags);
	have = dump(&r);
	ut_assert_text(want, have, want);
	free(have);
	ut_reading_done(&r);
}

static void assert_text(const char *text, size_t n_diags, const char *want)
{
	assert_bytes(pd_span_of(text), n_diags, want);
}

static void put_varint(struct pd_buf *b, uint64_t x)
{
	for (; x >= 0x80; x >>= 7)
		pd_buf_add_char(b, (char)(x | 0x80));
	pd_buf_add_char(b, (char)x);
}

static void put_number(struct pd_buf *b, uint32_t field, uint64_t x)
{
	put_varint(b, field << 3);
	put_varint(b, x);
}

static void put_bytes(struct pd_buf *b, uint32_t field, struct pd_span bytes)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, bytes.len);
	pd_buf_add(b, bytes.ptr, bytes.len);
}

/* Puts a message of numbers: fields 1, 2, ...; 0 leaves one out. */
static void put_numbers(struct pd_buf *b, uint32_t field, const uint64_t *numbers, uint32_t n)
{
	struct pd_buf message = {0};

	for (uint32_t i = 0; i < n; i++)
		if (numbers[i])
			put_number(&message, i + 1, numbers[i]);
	put_bytes(b, field, pd_buf_span(&message));
	pd_buf_done(&message);
}

#define PUT(b, field, ...)                                                    \
	put_numbers(b, field, (const uint64_t[]){__VA_ARGS__},                \
		    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* A location with so many lines, all of function 1 but the first, of function 2. */
static void put_location(struct pd_buf *b, uint64_t id, uint64_t mapping, uint32_t n_lines)
{
	struct pd_buf message = {0};

	put_number(&message, 1, id);
	put_number(&message, 2, mapping);
	for (uint32_t i = 0; i < n_lines; i++)
		PUT(&message, 4, i ? 1 : 2);
	put_bytes(b, 4, pd_buf_span(&message));
	pd_buf_done(&message);
}

static void put_profile(struct pd_buf *b, uint32_t n_lines, uint64_t value)
{
	static const char *const strings[] = {"", "space", "kilobytes", "outer", "inner", "x.so"};
	static const uint64_t far = UINT64_MAX - 7;

	PUT(b, 1, 1, 2);
	PUT(b, 2, far, value);
	PUT(b, 2, 5, 1); /* a location that is not there */
	put_location(b, far, 9, n_lines);
	PUT(b, 3, 9, 0, 0, 0, 5);
	PUT(b, 5, 1, 3);
	PUT(b, 5, 2, 0, 4);
	for (size_t i = 0; i < 6; i++)
		put_bytes(b, 6, pd_span_of(strings[i]));
}

static void test_messages(void **state)
{
	struct pd_buf b = {0};
	struct ut_reading r;

	(void)state;
	put_profile(&b, 3, 7);
	assert_bytes(pd_buf_span(&b), 0, "space bytes=8192: inner@x.so=7168/7168 "
		     "outer@x.so=0/7168 [unknown]=1024");
	/* It is cut: what there is counts, whatever it is. */
	for (size_t len = 0; len < b.len; len++) {
		char *copy = malloc(len + 1);

		memcpy(copy, b.ptr, len);
		r = read_bytes((struct pd_span){copy, len});
		assert_true(r.rc == PD_OK || r.rc == PD_ERR_EMPTY || r.rc == PD_ERR_UNRECOGNISED);
		ut_reading_done(&r);
		free(copy);
	}
	b.len = 0;
	put_profile(&b, 0, (uint64_t)-7);
	assert_bytes(pd_buf_span(&b), 0, "space bytes=-6144 deltas: [unknown]@x.so=-7168 "
		     "[unknown]=1024");
	b.len = 0;
	put_profile(&b, 300, 7);
	assert_bytes(pd_buf_span(&b), 1, "space bytes=8192: inner@x.so=7168/7168 "
		     "outer@x.so=0/7168 [unknown]=1024");
	b.len = 0;
	put_profile(&b, 1, UINT64_C(1) << 54);
	assert_bytes(pd_buf_span(&b), 1, "space bytes=1024: [unknown]=1024");
	pd_buf_done(&b);
}

static void test_words(void **state)
{
	uint64_t words[] = {0, 3, 0, 1000, 0, 2, 2, 0x10, 0x20, 1, 1, 0x30, 0, 1, 0};
	enum { N = sizeof(words) / sizeof(words[0]) };
	struct pd_buf b = {0};

	(void)state;
	for (size_t i = 0; i < N; i++)
		words[i] = htole64(words[i]);
	pd_buf_add(&b, (const char *)words, sizeof(words));
	pd_buf_add_str(&b, "00000000-00000020 r-xp 00000000 00:00 1 /bin/a b (deleted)\n"
			   "0x20 f (x.java:12)\n");
	assert_bytes(pd_buf_span(&b), 0, "samples samples=3 cpu ns=3000000: f=0,0/2,2000000 "
		     "[unknown]@/bin/a b=2,2000000 [unknown]=1,1000000");
	assert_bytes((struct pd_span){b.ptr, 9 * 8}, 1, "samples samples=2 cpu ns=2000000: "
		     "[unknown]=2,2000000");
	pd_buf_done(&b);
}

static void test_old_texts(void **state)
{
	(void)state;
	assert_text("heap profile: 1: 8 [2: 16] @ heapprofile\n 1: 8 [2: 16] @ 0x15 0x2\n"
		    "1: 8\n\nMAPPED_LIBRARIES:\n10-20 r-xp 00000000 00:00 1 /lib/a\n", 1,
		    "alloc_objects events=2 alloc_space bytes=16 inuse_objects events=1 "
		    "inuse_space bytes=8: [unknown]@/lib/a=2,16,1,8");
	assert_text("goroutine profile: total 3\n3 @ 0x1 0x2\n#\t0x1\tf+0x2\t\t/a b.go:3\n"
		    "#\t0x2\tg+0x2\t/c.go:3\n# x\n", 0, "goroutine events=3: f=3/3 g=0/3");
}

#define HEAD "  flat  flat%   sum%        cum   cum%\n"

static void test_tables(void **state)
{
	(void)state;
	assert_text("Type: x/samples\nShowing top 2 nodes, 3, 50% of 8 total\n" HEAD
		    " 3 30% 30% 4 40% operator new(int)\n 0 0% 30% 3 30% g (inline)\n", 0,
		    "x/samples events=8: operator new(int)=3/4 g=0/3 [unlisted]=5");
	assert_text(HEAD " 1.5s 30% 30% 2mins 40% f a.c:3\n 0 0% 30% 20ms 30% f a.c:4\n"
		    "text\n 1s 1% 1% 1s 1% h\n", 0, "time ns=nan: f=1500000000/nan");
	assert_text("Total: 2.0 MB\n 1.0 50.0% 50.0% 1.0 50.0% f\n", 0,
		    "space bytes=2097152: f=1048576/1048576 [unlisted]=1048576");
	assert_text(HEAD " -2kB 30% 30% 2kB 40% f\n", 0, "space bytes=nan deltas: f=-2048/2048");
	assert_text("Type: cpu\n----+----\n  key: value\n 2ms f\n  g\n  f\n----+----\n nothing\n"
		    "----+----\n 1ms g (inline)\n", 1, "cpu ns=3000000: f=2000000/2000000 "
		    "g=1000000/3000000");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_old_texts),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
