/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/profile: byte orders, what is taken for one, and its names.
 */
#include "support.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/symbolize.h"

enum { N_WORDS = 20 };

static struct ut_reading read_words(const void *words, size_t len, const char *format)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_input in = {.path = "-", .bytes = {words, len}, .limits = &limits};
	struct ut_reading r = {0};

	in.diags = &r.diags;
	r.rc = pd_ingest_bytes(&in, format ? pd_format_find(format) : NULL, &r.profiles, &r.err);
	return r;
}

/* A step of 16, ticks at 0, 16 and 64, and the last counter. */
static void fill(uint32_t *words, bool is_big)
{
	static const uint32_t values[N_WORDS] = {
		[0] = 16, [1] = 7, [2] = 1000, [5] = 3, [N_WORDS - 1] = 2,
	};

	for (size_t i = 0; i < N_WORDS; i++)
		words[i] = is_big ? htobe32(values[i]) : htole32(values[i]);
}

static void test_orders(void **state)
{
	uint32_t words[N_WORDS];

	(void)state;
	for (int is_big = 0; is_big < 2; is_big++) {
		struct ut_reading r;
		const struct pd_recording *rec;

		fill(words, is_big);
		r = read_words(words, sizeof(words), NULL);
		assert_int_equal(r.rc, PD_OK);
		assert_string_equal(r.profiles.items[0]->format, "proc-profile");
		assert_true(r.profiles.items[0]->events[0].total == 1012);
		rec = r.profiles.items[0]->recording;
		assert_int_equal(rec->n_sites, 4);
		assert_int_equal(rec->sites[1].address, 16);
		assert_int_equal(rec->counts[1].sum, 1000);
		assert_int_equal(rec->sites[2].address, 64);
		assert_int_equal(rec->dsos[rec->sites[2].dso].kind, PD_DSO_KERNEL);
		assert_int_equal(rec->dsos[rec->sites[3].dso].kind, PD_DSO_UNKNOWN);
		ut_reading_done(&r);
	}
}

/* Names of a list whose _stext stands anywhere: "name=ticks ...", in its order. */
static void assert_names(const char *map, const char *want)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	const struct pd_symbolize_options options = {.limits = &limits};
	char *folder = ut_folder_new();
	const char *path = ut_path(folder, "System.map");
	const struct pd_symbol_places places = {.images = &path, .n_images = 1};
	uint32_t words[N_WORDS];
	struct ut_reading r;
	char *have;

	fill(words, false);
	ut_write_file(path, map, strlen(map));
	r = read_words(words, sizeof(words), NULL);
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(pd_symbolize(r.profiles.items[0], &places, &options, &r.diags, &r.err),
			 PD_OK);
	have = ut_dump_ticks(&r);
	ut_assert_text(map, have, want);
	free(have);
	ut_reading_done(&r);
	ut_folder_free(folder);
}

static void test_names(void **state)
{
	(void)state;
	assert_names("c0100000 T _stext\nc0100010 T f\nc0100030 T g\nc0100800 T _etext\n",
		     ":1012 _stext=7 f=1000 g=3 [unknown]=2");
	/* Code that stands where the offsets are, as numbers, is not meant. */
	assert_names("00000000 t a\n00000010 t b\n00000040 t c\nc0100000 T _stext\nc0100008 d f\n"
		     "c0100030 T g\nc0100800 T _etext\n",
		     ":1012 _stext=7 f=1000 g=3 [unknown]=2");
	/* Without _stext, nothing is known. */
	assert_names("00000000 T a\n00000010 T f\n", ":1012 [unknown]=1010 [unknown]=2");
}

static void test_others(void **state)
{
	uint32_t words[N_WORDS];
	struct ut_reading r;

	(void)state;
	fill(words, false);
	words[0] = htole32(24);
	r = read_words(words, sizeof(words), NULL);
	assert_int_equal(r.rc, PD_ERR_UNRECOGNISED);
	ut_reading_done(&r);
	r = read_words(words, sizeof(words), "proc-profile");
	assert_int_equal(r.rc, PD_ERR_FORMAT);
	ut_reading_done(&r);
	/* Too few zeros: not the counters of a kernel. */
	for (size_t i = 0; i < N_WORDS; i++)
		words[i] = htole32(16);
	r = read_words(words, sizeof(words), NULL);
	assert_int_equal(r.rc, PD_ERR_UNRECOGNISED);
	ut_reading_done(&r);
	/* Small numbers of the other byte order. */
	fill(words, true);
	words[0] = htole32(16);
	r = read_words(words, sizeof(words), NULL);
	assert_int_equal(r.rc, PD_ERR_UNRECOGNISED);
	ut_reading_done(&r);
	r = read_words(words, 4, "proc-profile");
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	r = read_words(words, 3, "proc-profile");
	assert_int_equal(r.rc, PD_ERR_FORMAT);
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
