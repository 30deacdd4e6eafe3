/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols of an image: kinds by name, aliases, and what covers a place.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "image/symbols.h"

static void kinds_by_name(void **state)
{
	enum { F = PD_SYMBOL_FUNCTION, O = PD_SYMBOL_OBJECT, M = PD_SYMBOL_MARKER };
	enum { P = PD_SYMBOL_PADDING };
	static const struct {
		const char *name;
		int of_function, of_object;
	} cases[] = {
		{"schedule", F, O},
		{"vfs_read", F, O},
		{"__schedule", F, O},
		{"", F, O},
		{"__pfx_schedule", P, O},
		{"__cfi_schedule", P, O},
		{"__pfx", F, O},
		{"__UNIQUE_ID_license123", M, M},
		{"__UNIQUE_ID___addressable_init_module7", M, M},
		{"__BTF_ID__struct__sock__42", M, M},
		{"__ksymtab_kfree", M, M},
		{"__noinstr_text_start", M, M},
		{"__sched_text_end", M, M},
		{"_text_start", F, O},
		{"_stext", M, M},
		{"_etext", M, M},
		{"_text", M, M},
		{"_textual", F, O},
		{"vermagic", M, M},
		{"__start_tty", F, M},
		{"__stop_tty", F, M},
		{"__start___ksymtab", F, M},
		{"__end_rodata", F, M},
		{"__per_cpu_start", M, M},
		{"end", F, O},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_span name = pd_span_of(cases[i].name);
		int of_function = (int)pd_symbol_kind_of_name(name, PD_SYMBOL_FUNCTION);
		int of_object = (int)pd_symbol_kind_of_name(name, PD_SYMBOL_OBJECT);

		if (of_function != cases[i].of_function || of_object != cases[i].of_object)
			fail_msg("%s: kind %d as a function, %d as an object", cases[i].name,
				 of_function, of_object);
	}
	assert_int_equal(pd_symbol_kind_of_name(pd_span_of("__pfx_x"), PD_SYMBOL_MARKER), M);
	assert_int_equal(pd_symbol_kind_of_name(pd_span_of("_text"), PD_SYMBOL_PADDING), P);
}

static void mapping_symbols(void **state)
{
	static const char *const are[] = {"$x", "$d", "$a", "$t", "$x.12", "$d.realdata", ".LC0",
					  ".L12", "$xrv64i2p1", "__kvm_nvhe_$x", "L0\001"};
	static const char *const are_not[] = {"", "$", "x", "$y", "$xy", "$data", "L0", "schedule",
					      ".text", "__kvm_nvhe_init", "$drv"};

	(void)state;
	for (size_t i = 0; i < sizeof(are) / sizeof(are[0]); i++)
		if (!pd_symbol_is_mapping(pd_span_of(are[i])))
			fail_msg("%s is a mapping symbol", are[i]);
	for (size_t i = 0; i < sizeof(are_not) / sizeof(are_not[0]); i++)
		if (pd_symbol_is_mapping(pd_span_of(are_not[i])))
			fail_msg("%s is no mapping symbol", are_not[i]);
}

/* binding: g(lobal), w(eak) or l(ocal); kind: of enum pd_symbol_kind. */
struct given {
	const char *name, *file;
	uint32_t section;
	uint64_t address, n_bytes;
	int kind;
	char binding;
};

static void settle(struct pd_image *image, const struct given *given, size_t n)
{
	struct pd_raw_symbol *raw = calloc(n + 1, sizeof(*raw));
	struct pd_error err = {0};

	*image = (struct pd_image){0};
	assert_non_null(raw);
	for (size_t i = 0; i < n; i++)
		raw[i] = (struct pd_raw_symbol){
			.name = pd_strtab_intern_str(&image->strings, given[i].name),
			.file = pd_strtab_intern_str(&image->strings, given[i].file),
			.section = given[i].section,
			.address = given[i].address,
			.n_bytes = given[i].n_bytes,
			.kind = (enum pd_symbol_kind)given[i].kind,
			.is_global = given[i].binding == 'g',
			.is_weak = given[i].binding == 'w',
		};
	assert_int_equal(pd_symbols_settle(image, raw, n, &err), PD_OK);
	free(raw);
}

static void image_done(struct pd_image *image)
{
	pd_arena_done(&image->arena);
	pd_strtab_done(&image->strings);
}

/* "SECTION:ADDRESS+BYTES KIND NAME FILE g, alias, alias;" a symbol. */
static void assert_symbols(const char *what, const struct given *given, size_t n, const char *want)
{
	struct pd_image image;
	struct pd_buf b = {0};

	settle(&image, given, n);
	for (uint32_t i = 0; i < image.n_symbols; i++) {
		const struct pd_symbol *s = &image.symbols[i];

		pd_buf_printf(&b, "%s%u:%llu+%llu %d %s %s", i ? "; " : "", s->section,
			      (unsigned long long)s->address, (unsigned long long)s->n_bytes,
			      s->kind, pd_strtab_get(&image.strings, s->name),
			      pd_strtab_get(&image.strings, s->file));
		pd_buf_add_str(&b, s->is_global ? "g" : "l");
		for (uint32_t k = 0; k < s->n_aliases; k++)
			pd_buf_printf(&b, ", %s",
				      pd_strtab_get(&image.strings,
						    image.aliases[s->first_alias + k]));
	}
	ut_assert_text(what, b.len ? b.ptr : "", want);
	pd_buf_done(&b);
	image_done(&image);
}

#define ASSERT_SYMBOLS(what, given, want) \
	assert_symbols((what), (given), sizeof(given) / sizeof((given)[0]), (want))

static void one_symbol_for_each_place(void **state)
{
	enum { F = PD_SYMBOL_FUNCTION, O = PD_SYMBOL_OBJECT, M = PD_SYMBOL_MARKER };
	static const struct given sorted[] = {
		{"late", NULL, 2, 0, 1, F, 'l'},
		{"second", "b.c", 1, 64, 8, F, 'l'},
		{"first", "a.c", 1, 32, 16, F, 'g'},
	};
	static const struct given aliases[] = {
		{"a_local", "m.S", 1, 0, 40, F, 'l'}, {"__memcpy", NULL, 1, 0, 30, F, 'g'},
		{"weak", NULL, 1, 0, 40, F, 'w'},     {"memmove", NULL, 1, 0, 30, F, 'g'},
		{"memcpy", NULL, 1, 0, 30, F, 'g'},   {"memcpz", NULL, 1, 0, 30, F, 'g'},
	};
	static const struct given weak_first[] = {
		{"l", "x.c", 1, 0, 4, F, 'l'},
		{"weak", NULL, 1, 0, 4, F, 'w'},
	};
	static const struct given sizeless[] = {
		{"g", NULL, 1, 0, 0, F, 'g'},
		{"local", "x.c", 1, 0, 4, F, 'l'},
		{"nothing", NULL, 1, 8, 0, F, 'g'},
		{"nothing2", NULL, 1, 8, 0, F, 'g'},
	};
	static const struct given kinds[] = {
		{"marker", NULL, 1, 0, 4, M, 'g'},
		{"object", NULL, 1, 0, 4, O, 'g'},
		{"function", NULL, 1, 0, 4, F, 'l'},
		{"no_marker", NULL, 1, 8, 0, M, 'g'},
		{"function2", NULL, 1, 8, 4, F, 'l'},
	};
	static const struct given repeated[] = {
		{"twice", "b.c", 1, 0, 4, F, 'l'},   {"twice", "a.c", 1, 0, 4, F, 'l'},
		{"z_other", "a.c", 1, 0, 4, F, 'l'}, {"another", "a.c", 1, 0, 4, F, 'l'},
		{"another", "b.c", 1, 0, 4, F, 'l'},
	};

	(void)state;
	ASSERT_SYMBOLS("sorted", sorted,
		       "1:32+16 0 first a.cg; 1:64+8 0 second b.cl; 2:0+1 0 late l");
	ASSERT_SYMBOLS("aliases", aliases,
		       "1:0+40 0 memcpy g, __memcpy, a_local, memcpz, memmove, weak");
	ASSERT_SYMBOLS("weak", weak_first, "1:0+4 0 weak g, l");
	ASSERT_SYMBOLS("sizeless", sizeless, "1:0+4 0 local x.cl, g");
	ASSERT_SYMBOLS("kinds", kinds,
		       "1:0+4 0 function l; 1:0+4 1 object g; 1:0+4 2 marker g; "
		       "1:8+4 0 function2 l");
	ASSERT_SYMBOLS("repeated", repeated, "1:0+4 0 twice a.cl, another, z_other");
	assert_symbols("none", sorted, 0, "");
}

static void too_many(void **state)
{
	struct pd_image image = {0};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_symbols_settle(&image, NULL, UINT32_MAX, &err), PD_ERR_LIMIT);
}

static const char *found_name(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t i = pd_image_find(image, section, address);

	return i == PD_NO_INDEX ? "-" : pd_strtab_get(&image->strings, image->symbols[i].name);
}

static void what_covers_a_place(void **state)
{
	enum { F = PD_SYMBOL_FUNCTION, M = PD_SYMBOL_MARKER };
	/*
	 *	section 1:  outer   [100 ............................ 200)
	 *	            inner        [120 ........ 150)
	 *	            core              [130 140)
	 *	            crossing                  [145 ..... 170)
	 *	section 2:  [100 110)
	 */
	static const struct given given[] = {
		{"outer", NULL, 1, 100, 100, F, 'l'},   {"inner", NULL, 1, 120, 30, F, 'l'},
		{"core", NULL, 1, 130, 10, F, 'l'},     {"crossing", NULL, 1, 145, 25, F, 'l'},
		{"second", NULL, 2, 100, 10, F, 'l'},   {"mark", NULL, 2, 100, 12, M, 'l'},
		{"lying", NULL, 4, 10, UINT64_MAX, F, 'l'},
	};
	static const struct {
		uint32_t section;
		uint64_t address;
		const char *want;
	} cases[] = {
		{1, 99, "-"},          {1, 100, "outer"},    {1, 119, "outer"},
		{1, 120, "inner"},     {1, 130, "core"},     {1, 139, "core"},
		{1, 140, "inner"},     {1, 145, "crossing"}, {1, 169, "crossing"},
		{1, 170, "outer"},     {1, 199, "outer"},    {1, 200, "-"},
		{0, 150, "-"},         {2, 99, "-"},         {2, 100, "second"},
		{2, 109, "second"},    {2, 110, "mark"},     {2, 112, "-"},
		{2, 150, "-"},         {4, 10, "lying"},     {4, UINT64_MAX - 1, "lying"},
		{4, 9, "-"},           {5, 0, "-"},
	};
	struct pd_image image;

	(void)state;
	settle(&image, given, sizeof(given) / sizeof(given[0]));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *have = found_name(&image, cases[i].section, cases[i].address);

		if (strcmp(have, cases[i].want))
			fail_msg("%u:%llu is in %s, expected %s", cases[i].section,
				 (unsigned long long)cases[i].address, have, cases[i].want);
	}
	image_done(&image);
	settle(&image, given, 0);
	assert_int_equal(pd_image_find(&image, 0, 0), PD_NO_INDEX);
	image_done(&image);
}

/* The same as looking at all symbols, for intervals that lie in any way. */
static void finds_as_a_walk_does(void **state)
{
	enum { N = 60, SPACE = 200, N_SECTIONS = 3 };
	struct ut_random random = {42};

	(void)state;
	for (int round = 0; round < 100; round++) {
		struct given given[N];
		char names[N][8];
		struct pd_image image;

		for (int i = 0; i < N; i++) {
			snprintf(names[i], sizeof(names[i]), "f%d", i);
			given[i] = (struct given){
				names[i], NULL, ut_random_below(&random, N_SECTIONS),
				ut_random_below(&random, SPACE), ut_random_below(&random, 80),
				PD_SYMBOL_FUNCTION, 'l'};
		}
		settle(&image, given, N);
		for (uint32_t place = 0; place < N_SECTIONS * SPACE; place++) {
			uint32_t section = place / SPACE, want = PD_NO_INDEX;
			uint64_t address = place % SPACE;

			for (uint32_t i = 0; i < image.n_symbols; i++)
				if (image.symbols[i].section == section &&
				    image.symbols[i].address <= address &&
				    address - image.symbols[i].address < image.symbols[i].n_bytes)
					want = i;
			assert_int_equal(pd_image_find(&image, section, address), want);
		}
		image_done(&image);
	}
}

/* A million symbols, each in all before it, or all before one place: no quadratic walk. */
static void nested_deeply(void **state)
{
	enum { N = 1000000 };
	struct pd_image image = {0};
	struct pd_error err = {0};
	struct pd_raw_symbol *raw = calloc(N, sizeof(*raw));
	pd_str name = pd_strtab_intern_str(&image.strings, "f");

	(void)state;
	assert_non_null(raw);
	for (uint64_t i = 0; i < N; i++)
		raw[i] = (struct pd_raw_symbol){
			.name = name, .section = 1, .address = i, .n_bytes = 3 * N - 2 * i};
	assert_int_equal(pd_symbols_settle(&image, raw, N, &err), PD_OK);
	/* The i-th one ends at 3N - i: the place 3N - k is behind those from k on. */
	for (uint32_t k = 1; k < N; k++)
		assert_int_equal(pd_image_find(&image, 1, 3 * N - k), k - 1);
	assert_int_equal(pd_image_find(&image, 1, 3 * N), PD_NO_INDEX);
	free(raw);
	image_done(&image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_by_name),
		cmocka_unit_test(mapping_symbols),
		cmocka_unit_test(one_symbol_for_each_place),
		cmocka_unit_test(too_many),
		cmocka_unit_test(what_covers_a_place),
		cmocka_unit_test(finds_as_a_walk_does),
		cmocka_unit_test(nested_deeply),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
