/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes of images that are made by hand: which symbols are one row, and that
 * sections add up.
 */
#include "support.h"

#include <stdlib.h>

#include "analysis/sizes.h"
#include "base/num.h"
#include "image/symbols.h"

enum { TEXT = 1, INIT = 2, DATA = 3, EMPTY = 4, N_SECTIONS = 5, SECTION_BYTES = 1000 };

/* A symbol of a test's image. */
struct sym {
	const char *name, *file;
	uint32_t section;
	uint64_t address, n_bytes;
	bool is_local;
	uint32_t file_no;
};

static struct pd_image *make_image(const struct sym *syms, bool has_files)
{
	static const char *const names[N_SECTIONS] = {"", ".text", ".init.text", ".data",
						       ".empty"};
	struct pd_image *image = calloc(1, sizeof(*image));
	struct pd_raw_symbol *raw = calloc(100, sizeof(*raw));
	struct pd_error err = {0};
	uint8_t *bytes;
	size_t n = 0;

	assert_non_null(image);
	assert_non_null(raw);
	image->machine = "x86-64";
	image->elf_machine = 62;
	image->is_64bit = true;
	image->path = "made";
	image->has_files = has_files;
	image->n_sections = N_SECTIONS;
	image->sections = pd_arena_array(&image->arena, N_SECTIONS, sizeof(*image->sections));
	bytes = pd_arena_alloc(&image->arena, SECTION_BYTES);
	memset(bytes, 0x90, SECTION_BYTES / 2); /* the second half is zeros */
	for (uint32_t i = 1; i < N_SECTIONS; i++)
		image->sections[i] = (struct pd_section){
			.name = pd_strtab_intern_str(&image->strings, names[i]),
			.address = 0x1000 * i,
			.n_bytes = i == EMPTY ? 0 : SECTION_BYTES,
			.bytes = bytes,
			.is_loaded = true,
			.is_code = i != DATA,
		};
	for (; syms[n].name; n++)
		raw[n] = (struct pd_raw_symbol){
			.name = pd_strtab_intern_str(&image->strings, syms[n].name),
			.file = pd_strtab_intern_str(&image->strings, syms[n].file),
			.file_no = syms[n].file_no,
			.section = syms[n].section,
			.address = 0x1000 * syms[n].section + syms[n].address,
			.n_bytes = syms[n].n_bytes,
			.kind = pd_symbol_kind_of_name(pd_span_of(syms[n].name),
						       syms[n].section == DATA
							       ? PD_SYMBOL_OBJECT
							       : PD_SYMBOL_FUNCTION),
			.is_global = !syms[n].is_local,
		};
	assert_int_equal(pd_symbols_settle(image, raw, n, &err), PD_OK);
	free(raw);
	return image;
}

static const char *status_of(const struct pd_size_row *row)
{
	return pd_size_status_name(row->status);
}

static void add_number(struct pd_buf *out, double x)
{
	char text[PD_NUM_LEN];

	pd_buf_add_str(out, pd_is_known(x) ? pd_num_shortest(x, text) : "-");
}

/* "name (file) 10 12 grown: part 10 12; ..." a row; those that are the same only on wish. */
static void describe(const struct pd_sizes *s, bool wants_same, struct pd_buf *out)
{
	for (uint32_t i = 0; i < s->n_rows; i++) {
		const struct pd_size_row *row = &s->rows[i];

		if (row->status == PD_SIZE_SAME && !wants_same)
			continue;
		pd_buf_printf(out, "%s%s%s ", pd_strtab_get(&s->strings, row->name),
			      row->file.id ? "@" : "", pd_strtab_get(&s->strings, row->file));
		add_number(out, row->n_bytes[0]);
		pd_buf_add_char(out, ' ');
		add_number(out, row->n_bytes[1]);
		pd_buf_printf(out, " %s", status_of(row));
		for (uint32_t k = 0; k < row->n_parts && row->n_parts > 1; k++) {
			const struct pd_size_part *part = &s->parts[row->first_part + k];

			pd_buf_printf(out, " %s=", pd_strtab_get(&s->strings, part->name));
			add_number(out, part->n_bytes[0]);
			pd_buf_add_char(out, ',');
			add_number(out, part->n_bytes[1]);
		}
		for (uint32_t k = 0; k < row->n_aliases; k++)
			pd_buf_printf(out, " alias:%s",
				      pd_strtab_get(&s->strings,
						    s->aliases[row->first_alias + k]));
		pd_buf_add_char(out, '\n');
	}
}

static void check_accounts(const struct pd_sizes *s)
{
	for (uint32_t i = 0; i < s->n_accounts; i++) {
		const struct pd_size_account *a = &s->accounts[i];

		assert_int_equal(a->n_bytes[1] - a->n_bytes[0],
				 a->grown + a->shrunk + a->added + a->gone + a->objects +
					 a->padding + a->unnamed);
	}
}

/* Without rows for what is the same, the others and the totals are what they were. */
static void check_changes(const struct pd_size_side sides[2], const struct pd_sizes *all,
			  const struct pd_size_options *options)
{
	struct pd_size_options only = *options;
	struct pd_buf want = {0}, have = {0};
	struct pd_sizes *changes = NULL;
	struct pd_error err = {0};

	only.wants_only_changes = true;
	assert_int_equal(pd_sizes_compare(sides, &only, &changes, &err), PD_OK);
	describe(all, false, &want);
	describe(changes, false, &have);
	ut_assert_text("changes", have.ptr ? have.ptr : "", want.ptr ? want.ptr : "");
	assert_memory_equal(&changes->totals, &all->totals, sizeof(all->totals));
	check_accounts(changes);
	pd_buf_done(&want);
	pd_buf_done(&have);
	pd_sizes_free(changes);
}

/* Frees the images. */
static void assert_images(struct pd_image *images[2], const struct pd_size_options *options,
			  const char *want)
{
	const char *modules[] = {""};
	const struct pd_size_side sides[2] = {
		{"a", "a", &images[0], modules, 1},
		{"b", "b", &images[1], modules, 1},
	};
	struct pd_sizes *sizes = NULL;
	struct pd_error err = {0};
	struct pd_buf have = {0};

	if (pd_sizes_compare(sides, options, &sizes, &err) != PD_OK)
		fail_msg("%s", err.msg);
	describe(sizes, true, &have);
	ut_assert_text("rows", have.ptr ? have.ptr : "", want);
	check_accounts(sizes);
	check_changes(sides, sizes, options);
	pd_buf_done(&have);
	pd_sizes_free(sizes);
	for (int i = 0; i < 2; i++) {
		pd_strtab_done(&images[i]->strings);
		pd_arena_done(&images[i]->arena);
		free(images[i]);
	}
}

static void assert_sizes(const struct sym *base, const struct sym *next, bool has_files,
			 const struct pd_size_options *options, const char *want)
{
	struct pd_image *images[2] = {make_image(base, has_files), make_image(next, has_files)};

	assert_images(images, options, want);
}

static const struct pd_size_options usual = {.suffix = PD_SUFFIX_GROUP, .wants_objects = true};

static void test_states(void **state)
{
	(void)state;
	assert_sizes((struct sym[]){{"same", "", TEXT, 0, 10, 0, 0},
				    {"grows", "", TEXT, 16, 10, 0, 0},
				    {"shrinks", "", TEXT, 32, 10, 0, 0},
				    {"leaves", "", TEXT, 48, 10, 0, 0},
				    {"moves", "", TEXT, 64, 10, 0, 0},
				    {"object", "", DATA, 0, 8, 0, 0},
				    {0}},
		     (struct sym[]){{"same", "", TEXT, 100, 10, 0, 0},
				    {"grows", "", TEXT, 116, 14, 0, 0},
				    {"shrinks", "", TEXT, 132, 3, 0, 0},
				    {"comes", "", TEXT, 148, 20, 0, 0},
				    {"moves", "", INIT, 0, 12, 0, 0},
				    {"object", "", DATA, 0, 9, 0, 0},
				    {0}},
		     true, &usual,
		     "comes - 20 new\n"
		     "grows 10 14 grown\n"
		     "leaves 10 - gone\n"
		     "moves 10 12 moved\n"
		     "object 8 9 grown\n"
		     "same 10 10 same\n"
		     "shrinks 10 3 shrunk\n");
}

static void test_families(void **state)
{
	static const struct pd_size_options exact = {.suffix = PD_SUFFIX_EXACT};
	const struct sym base[] = {{"f", "f.c", TEXT, 0, 100, 0, 0},
				   {"f.cold", "f.c", TEXT, 500, 30, true, 0},
				   {"g", "f.c", TEXT, 100, 50, true, 0},
				   {0}};
	const struct sym next[] = {{"f", "f.c", TEXT, 0, 90, 0, 0},
				   {"f.constprop.0.isra.0.cold", "f.c", TEXT, 500, 5, true, 0},
				   {"g.part.0", "f.c", TEXT, 100, 60, true, 0},
				   {0}};

	(void)state;
	assert_sizes(base, next, true, &usual,
		     "f@f.c 130 95 shrunk f=100,90 f.cold=30,- f.constprop.0.isra.0.cold=-,5\n"
		     "g@f.c 50 60 grown g=50,- g.part.0=-,60\n");
	assert_sizes(base, next, true, &exact,
		     "f@f.c 100 90 shrunk\n"
		     "f.cold@f.c 30 - gone\n"
		     "f.constprop.0.isra.0.cold@f.c - 5 new\n"
		     "g@f.c 50 - gone\n"
		     "g.part.0@f.c - 60 new\n");
}

/* Statics of one name: by file; without DWARF by base name and order. */
static void test_equal_names(void **state)
{
	(void)state;
	assert_sizes((struct sym[]){{"put", "a/core.c", TEXT, 0, 10, true, 0},
				    {"put", "b/core.c", TEXT, 16, 20, true, 0},
				    {0}},
		     (struct sym[]){{"put", "b/core.c", TEXT, 16, 21, true, 0}, {0}}, true, &usual,
		     "put@a/core.c 10 - gone\n"
		     "put@b/core.c 20 21 grown\n");
	/* The third and fifth core.c have it here, the second and fourth there. */
	assert_sizes((struct sym[]){{"put", "core.c", TEXT, 0, 10, true, 2},
				    {"put", "core.c", TEXT, 16, 20, true, 4},
				    {0}},
		     (struct sym[]){{"put", "core.c", TEXT, 0, 11, true, 1},
				    {"put", "core.c", TEXT, 16, 22, true, 3},
				    {0}},
		     false, &usual,
		     "put@core.c 10 11 grown\n"
		     "put@core.c 20 22 grown\n");
	/* A cold part is local, but of the global function; a static of the name is not. */
	assert_sizes((struct sym[]){{"run", "", TEXT, 0, 10, 0, 0},
				    {"run.cold", "x.c", TEXT, 100, 5, true, 0},
				    {"run", "y.c", TEXT, 200, 7, true, 0},
				    {"run.cold", "y.c", TEXT, 300, 3, true, 0},
				    {0}},
		     (struct sym[]){{"run", "", TEXT, 0, 12, 0, 0},
				    {"run", "y.c", TEXT, 200, 7, true, 0},
				    {0}},
		     false, &usual,
		     "run 15 12 shrunk run=10,12 run.cold=5,-\n"
		     "run@y.c 10 7 shrunk run=7,7 run.cold=3,-\n");
}

/* A listing of nm knows no files: those of the other side must not part what is one name. */
static void test_listing(void **state)
{
	const struct sym elf[] = {{"put", "a.c", TEXT, 0, 10, true, 0},
				  {"put", "b.c", TEXT, 16, 20, true, 1},
				  {"run", "a.c", TEXT, 48, 7, true, 0},
				  {"run.cold", "a.c", TEXT, 64, 3, true, 0},
				  {0}};
	const struct sym list[] = {{"put", "", TEXT, 0, 11, true, 0},
				   {"put", "", TEXT, 16, 20, true, 0},
				   {"run", "", TEXT, 48, 7, true, 0},
				   {"run.cold", "", TEXT, 64, 3, true, 0},
				   {0}};
	struct pd_image *images[2] = {make_image(elf, false), make_image(list, false)};

	(void)state;
	/* Its sections are what is listed of them. */
	images[1]->elf_machine = 0;
	for (uint32_t i = 1; i < N_SECTIONS; i++)
		images[1]->sections[i].n_bytes = i == TEXT ? 11 + 20 + 7 + 3 : 0;
	assert_images(images, &usual,
		      "put 30 31 grown put=10,11 put=20,20\n"
		      "run 10 10 same run=7,7 run.cold=3,3\n");
}

static void test_aliases(void **state)
{
	(void)state;
	/* Which name comes first differs: __memcpy there is memcpy here. */
	assert_sizes((struct sym[]){{"memcpy", "", TEXT, 0, 10, 0, 0},
				    {"__memcpy", "", TEXT, 0, 10, true, 0},
				    {"other", "", TEXT, 0, 0, 0, 0},
				    {0}},
		     (struct sym[]){{"__memcpy", "", TEXT, 0, 13, 0, 0},
				    {"x_memcpy", "", TEXT, 0, 13, true, 0},
				    {0}},
		     true, &usual,
		     "memcpy 10 13 grown alias:__memcpy alias:other alias:x_memcpy\n");
}

static void test_sums(void **state)
{
	const struct sym base[] = {{"a", "mm/x.c", TEXT, 0, 10, 0, 0},
				   {"b", "mm/y.c", TEXT, 16, 20, 0, 0},
				   {"c", "", INIT, 0, 5, 0, 0},
				   {0}};
	const struct sym next[] = {{"a", "mm/x.c", TEXT, 0, 11, 0, 0},
				   {"b", "mm/y.c", INIT, 16, 20, 0, 0},
				   {"d", "top.c", TEXT, 32, 7, 0, 0},
				   {0}};
	struct pd_size_options options = usual;

	(void)state;
	options.by = PD_SIZE_BY_FILE;
	assert_sizes(base, next, true, &options,
		     "[no file] 5 - gone\nmm/x.c 10 11 grown\nmm/y.c 20 20 same\n"
		     "top.c - 7 new\n");
	options.by = PD_SIZE_BY_DIR;
	assert_sizes(base, next, true, &options,
		     ". - 7 new\n[no file] 5 - gone\nmm 30 31 grown\n");
}

/* Overlapping, nested and lying symbols: sections add up all the same. */
static void test_odd_symbols(void **state)
{
	(void)state;
	assert_sizes((struct sym[]){{"outer", "", TEXT, 0, 100, 0, 0},
				    {"inner", "", TEXT, 10, 20, 0, 0},
				    {"across", "", TEXT, 90, 50, 0, 0},
				    {"beyond", "", TEXT, 990, 500, 0, 0},
				    {"nowhere", "", TEXT, 5000, 8, 0, 0},
				    {"__pfx_outer", "", INIT, 0, 16, 0, 0},
				    {0}},
		     (struct sym[]){{"inner", "", TEXT, 600, UINT64_C(1) << 40, 0, 0}, {0}}, true,
		     &usual,
		     "across 50 - gone\n"
		     "beyond 500 - gone\n"
		     "inner 20 1099511627776 grown\n"
		     "nowhere 8 - gone\n"
		     "outer 100 - gone\n");
	assert_sizes((struct sym[]){{"none", "", EMPTY, 0, 10, 0, 0}, {0}},
		     (struct sym[]){{"none", "", TEXT, 0, 12, 0, 0}, {0}}, true, &usual,
		     "none 10 12 moved\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_equal_names), cmocka_unit_test(test_listing),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_odd_symbols),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
