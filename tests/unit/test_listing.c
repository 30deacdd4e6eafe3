/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings of symbols: System.map, kallsyms, nm.
 */
#include "support.h"

#include <stdlib.h>

#include "image/listing.h"

static void image_done(struct pd_image *image)
{
	pd_arena_done(&image->arena);
	pd_strtab_done(&image->strings);
}

static void dump_symbol(const struct pd_image *image, const struct pd_symbol *s, struct pd_buf *b)
{
	static const char kinds[] = "fomp";

	pd_buf_printf(b, "\n%llx+%llu %c %s", (unsigned long long)s->address,
		      (unsigned long long)s->n_bytes, kinds[s->kind],
		      pd_strtab_get(&image->strings, s->name));
	for (uint32_t i = 0; i < s->n_aliases; i++)
		pd_buf_printf(b, ",%s",
			      pd_strtab_get(&image->strings, image->aliases[s->first_alias + i]));
	if (s->file.id)
		pd_buf_printf(b, " (%s)", pd_strtab_get(&image->strings, s->file));
}

/*
 * "approximate" or "exact", then a line "SECTION BYTES FLAGS" for each section with
 * its symbols "ADDRESS+BYTES KIND NAME,ALIAS (FILE)" below; "error CODE: MESSAGE";
 * and last the number of diagnostics, unless there are none.
 */
static void assert_listing(const char *what, const char *text, const char *want)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_image image = {0};
	struct pd_diags diags = {0};
	struct pd_error err = {0};
	struct pd_buf b = {0};
	int rc = pd_listing_read(pd_span_of(text), &limits, &image, &diags, &err);

	if (rc == PD_OK)
		pd_buf_add_str(&b, image.is_approximate ? "approximate" : "exact");
	else
		pd_buf_printf(&b, "error %d: %s", rc, err.msg);
	for (uint32_t i = 0, k = 0; i < image.n_sections; i++) {
		const struct pd_section *s = &image.sections[i];

		pd_buf_printf(&b, "\n%s %llu %s%s%s", pd_strtab_get(&image.strings, s->name),
			      (unsigned long long)s->n_bytes, s->is_loaded ? "a" : "",
			      s->is_code ? "x" : "", s->is_writable ? "w" : "");
		for (; k < image.n_symbols && image.symbols[k].section == i; k++)
			dump_symbol(&image, &image.symbols[k], &b);
	}
	if (diags.n)
		pd_buf_printf(&b, "\n%zu diagnostics: %s", diags.n, diags.items[0].text);
	ut_assert_text(what, b.ptr, want);
	pd_buf_done(&b);
	pd_diags_done(&diags);
	image_done(&image);
}

static void system_map(void **state)
{
	(void)state;
	assert_listing("types and distances",
		       "0000000000000000 A absolute\n"
		       "0000000000000100 D per_cpu_thing\n"
		       "ffffffff81000000 T _text\n"
		       "ffffffff81000000 T startup_64\n"
		       "ffffffff81000000 T start_alias\n"
		       "ffffffff81000030 t helper.constprop.0\n"
		       "ffffffff81000040 W weak_function\n"
		       "ffffffff81000048 t __pfx_padded\n"
		       "ffffffff81000058 t padded\n"
		       "ffffffff81000060 T _etext\n"
		       "ffffffff81200000 R linux_banner\n"
		       "ffffffff81200010 r __UNIQUE_ID_x1\n"
		       "ffffffff81200014 r .LC0\n"
		       "ffffffff81200018 D data\n"
		       "ffffffff81200020 V weak_data\n"
		       "0000000000000000 w weak_undefined\n"
		       "ffffffff81200024 ? odd\n"
		       "ffffffff81200028 U undefined\n"
		       "ffffffff81200030 B bss\n"
		       "ffffffff81200038 b bss_too\n"
		       "ffffffff81200040 B _end\n",
		       "approximate\n"
		       ".data 24 aw\n"
		       "ffffffff81200018+8 o data\n"
		       "ffffffff81200020+16 o weak_data\n"
		       ".text 2097152 ax\n"
		       "ffffffff81000000+48 f startup_64,start_alias\n"
		       "ffffffff81000030+16 f helper.constprop.0\n"
		       "ffffffff81000040+8 f weak_function\n"
		       "ffffffff81000048+16 p __pfx_padded\n"
		       "ffffffff81000058+8 f padded\n"
		       "ffffffff81000060+2097056 m _etext\n"
		       ".rodata 24 a\n"
		       "ffffffff81200000+16 o linux_banner\n"
		       "ffffffff81200010+8 m __UNIQUE_ID_x1\n"
		       ".bss 16 aw\n"
		       "ffffffff81200030+8 o bss\n"
		       "ffffffff81200038+8 o bss_too");
	assert_listing("bytes of one section", /* the drawing in listing.c */
		       "00001000 t exit_foo\n"
		       "00001040 D table_end\n"
		       "00001040 t exit_bar\n"
		       "00001080 t exit_baz\n"
		       "000010c0 D first_data\n"
		       "000010c0 t end_label\n"
		       "000010d0 D second_data\n",
		       "approximate\n"
		       ".text 192 ax\n"
		       "1000+64 f exit_foo\n"
		       "1040+64 f exit_bar\n"
		       "1080+64 f exit_baz\n"
		       ".data 16 aw\n"
		       "10c0+16 o first_data");
	assert_listing("any order", "00001010 T b\n00001000 T a\n00001018 T c\n",
		       "approximate\n.text 24 ax\n1000+16 f a\n1010+8 f b");
	assert_listing("the way out of a section",
		       "00000000 D a\n00000010 D b\n04000011 T c\n04000021 T d\n08000021 T e\n",
		       "approximate\n.data 16 aw\n0+16 o a\n.text 67108880 ax\n"
		       "4000011+16 f c\n4000021+67108864 f d");
}

static void kallsyms(void **state)
{
	(void)state;
	assert_listing("modules",
		       "ffffffff81000000 T a\n"
		       "ffffffff81000010 T b\n"
		       "ffffffff81000020 T c\n"
		       "ffffffffc0000000 t m1\t[ext4]\n"
		       "ffffffffc0000008 t m2\t[ext4]\n"
		       "ffffffffc0000010 d m3\t[ext4]\n"
		       "ffffffffc0000018 d m4\t[ext4]\n"
		       "ffffffffc0000100 t m1\t[xfs]\n"
		       "ffffffffc0000110 t m5 [xfs]\n",
		       "approximate\n"
		       ".text 32 ax\n"
		       "ffffffff81000000+16 f a\n"
		       "ffffffff81000010+16 f b\n"
		       "[ext4] .text 16 ax\n"
		       "ffffffffc0000000+8 f m1\n"
		       "ffffffffc0000008+8 f m2\n"
		       "[ext4] .data 8 aw\n"
		       "ffffffffc0000010+8 o m3\n"
		       "[xfs] .text 16 ax\n"
		       "ffffffffc0000100+16 f m1");
	assert_listing("without privileges",
		       "0000000000000000 T a\n0000000000000000 T b\n0000000000000000 t m\t[ext4]\n",
		       "error -22: all addresses are 0, as /proc/kallsyms has them for users "
		       "without privileges: read it as root, and see kernel.kptr_restrict");
}

static void nm(void **state)
{
	(void)state;
	assert_listing("sizes",
		       "0000000000004018 0000000000000004 B a\n"
		       "0000000000001129 000000000000000b t z\n"
		       "0000000000001134 000000000000001b T main\n"
		       "0000000000001134 000000000000001b T main_too\n"
		       "0000000000001140 T label\n"
		       "0000000000001134 W label_of_main\n"
		       "                 w __gmon_start__\n"
		       "                 U printf@GLIBC_2.2.5\n"
		       "0000000000001150 0000000000000010 i memcpy\n"
		       "0000000000001160 0000000000000010 t memcpy_local\n"
		       "0000000000002000 0000000000000008 R r\n"
		       "0000000000003000 0000000000000008 u unique\n"
		       "0000000000003008 0000000000000008 C common\n",
		       "exact\n"
		       ".bss 4 aw\n"
		       "4018+4 o a\n"
		       ".text 70 ax\n"
		       "1129+11 f z\n"
		       "1134+27 f main,label_of_main,main_too\n"
		       "1150+16 f memcpy\n"
		       "1160+16 f memcpy_local\n"
		       ".rodata 8 a\n"
		       "2000+8 o r\n"
		       ".data 8 aw\n"
		       "3000+8 o unique");
	assert_listing("demangled",
		       "0000000000001000 0000000000000010 T operator new[](unsigned long)\n"
		       "0000000000001010 0000000000000010 t foo(int) [clone .cold]\n",
		       "exact\n.text 32 ax\n"
		       "1000+16 f operator new[](unsigned long)\n"
		       "1010+16 f foo(int) [clone .cold]");
	assert_listing("posix",
		       "_DYNAMIC d 3e10 \n"
		       "main T 1134 1b\n"
		       "a B 4018 4\n"
		       "foo(int, char) t 1100 10\n"
		       "__gmon_start__ w         \n"
		       "d D 5000 d\n",
		       "exact\n.data 13 aw\n5000+13 o d\n.text 43 ax\n"
		       "1100+16 f foo(int, char)\n1134+27 f main\n.bss 4 aw\n4018+4 o a");
	assert_listing("posix without sizes", "b T 10\na T 0\nc T 18\n",
		       "approximate\n.text 24 ax\n0+16 f a\n10+8 f b");
}

static void several_files(void **state)
{
	(void)state;
	assert_listing("an archive",
		       "\na.o:\n"
		       "0000000000000000 T f\n"
		       "0000000000000010 T g\n"
		       "0000000000000018 T h\n"
		       "\nlib.a[b.o]:\n"
		       "0000000000000000 T f\n"
		       "0000000000000020 T h\n",
		       "approximate\n"
		       "a.o .text 24 ax\n"
		       "0+16 f f (a.o)\n"
		       "10+8 f g (a.o)\n"
		       "b.o .text 32 ax\n"
		       "0+32 f f (b.o)");
	assert_listing("one file", "\nvmlinux-57:\n00001000 T f\n00001010 T g\n",
		       "approximate\n.text 16 ax\n1000+16 f f");
	assert_listing("a file behind rows", "00001000 T f\n00001010 T g\nx.o:\n0000100c T h\n",
		       "approximate\n.text 16 ax\n1000+16 f f\nx.o .text 0 ax");
}

static void odd_texts(void **state)
{
	(void)state;
	assert_listing("prose",
		       "00001000 T f\nThis is not a row.\n0000zz10 T h\n00001010\n00001020 T\n"
		       "00001010 T g\n",
		       "approximate\n.text 16 ax\n1000+16 f f\n4 diagnostics: expected an address, "
		       "a type and a name, found \"This is not a row.\"; line skipped");
	assert_listing("overlapping",
		       "00000000 00000010 T f\n00000000 00000020 T g\n00000000 00000020 T h\n",
		       "exact\n.text 32 ax\n0+32 f f,g,h\n"
		       "1 diagnostics: names with the address of another one, but not its size, "
		       "taken as one symbol with it: 1; if the listing is of a relocatable file, "
		       "give the file itself");
	assert_listing("one symbol", "00001000 T f\n",
		       "error -22: a listing of symbols, 1 of them defined, and none has a size");
	assert_listing("nothing", "",
		       "error -22: a listing of symbols, 0 of them defined, and none has a size");
	assert_listing("the end of addresses",
		       "fffffffffffffff0 T f\nffffffffffffffff T g\n10000000000000000 T h\n",
		       "approximate\n.text 15 ax\nfffffffffffffff0+15 f f\n"
		       "1 diagnostics: expected an address, a type and a name, "
		       "found \"10000000000000000 T h\"; line skipped");
}

static void limit_of_symbols(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_image image = {0};
	struct pd_error err = {0};
	struct pd_span text = pd_span_of("00001000 T f\n00001010 T g\n00001020 T h\n");

	(void)state;
	limits.n_functions = 2;
	assert_int_equal(pd_listing_read(text, &limits, &image, NULL, &err), PD_ERR_LIMIT);
	assert_string_equal(err.msg, "more than 2 symbols; --max-functions raises this limit");
	image_done(&image);
	limits.n_functions = 3;
	image = (struct pd_image){0};
	err = (struct pd_error){0};
	assert_int_equal(pd_listing_read(text, &limits, &image, NULL, &err), PD_OK);
	image_done(&image);
}

static void sniffed(void **state)
{
	static const char *const are[] = {
		"ffffffff81000000 T _stext\n", "ffffffff81000000 T _stext",
		"0000000000000000 A fixed_percpu_data\nffffffff81000000 T _stext\nffffff",
		"\n\na.o:\n0000000000000000 T main\n", "00001129 0000000b t z\n",
		"main T 1134 1b\n",
		"                 U printf\n                 w x\n0000000000001129 T main\n",
		"ffffffffc0300010 t foo\t[ext4]\r\n",
	};
	static const char *const are_not[] = {
		"", "\n", "ffffffff81000000\n", "ffffffff81000000 _stext\n", "Hello:\n",
		"                 U printf\n", "\177ELF\2\1\1",
		"00000000c0100080 schedule                            42   0.1094\n",
		"ffffffff81000000 T _stext\nsome prose\nffffffff81000010 T b\n",
		"main;foo;bar 12\n", " 23991 total                                      0.0257\n",
		"# Overhead  Command\n", "ffffffff81000000 TT _stext\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(are) / sizeof(are[0]); i++)
		if (!pd_listing_sniff(pd_span_of(are[i])))
			fail_msg("a listing: %s", are[i]);
	for (size_t i = 0; i < sizeof(are_not) / sizeof(are_not[0]); i++)
		if (pd_listing_sniff(pd_span_of(are_not[i])))
			fail_msg("no listing: %s", are_not[i]);
	assert_false(pd_listing_sniff((struct pd_span){"00001000 T f\n\0\n", 15}));
}

/* Many rows at one address, many sections: each row is looked at a fixed number of times. */
static void no_quadratic_time(void **state)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	enum { N = 100000 };
	struct pd_image image = {0};
	struct pd_error err = {0};
	struct pd_buf text = {0};

	(void)state;
	for (int i = 0; i < N; i++)
		pd_buf_printf(&text, "%08x %c name%d\n", i & 1 ? 16 : 32, "TD"[i >> 1 & 1], i);
	for (int i = 0; i < N; i++)
		pd_buf_printf(&text, "%08x T name\t[m%d]\n", i, i);
	assert_int_equal(pd_listing_read(pd_buf_span(&text), &limits, &image, NULL, &err), PD_OK);
	/* Those at 16 in .text; the others at 16 have no bytes, and those at 32 no end. */
	assert_int_equal(image.n_symbols, 1);
	assert_int_equal(image.n_aliases, N / 4 - 1);
	assert_int_equal(image.n_sections, N + 2);
	pd_buf_done(&text);
	image_done(&image);
}

static void sysv(void **state)
{
	(void)state;
	assert_listing("fields between bars, sizes or not",
		       "\n\nSymbols from a.o:\n\n"
		       "Name    Value   Class   Type    Size   Line  Section\n\n"
		       "f   |0000000000000006|   T  |   FUNC|0000000000000008|     |.text\n"
		       "puts|                |   U  | NOTYPE|                |     |*UND*\n"
		       "tab |0000000000000000|   D  | OBJECT|0000000000000028|     |.data\n",
		       "exact\n.text 8 ax\n6+8 f f\n.data 40 aw\n0+40 o tab");
}

static void size_sort(void **state)
{
	(void)state;
	assert_listing("ascending from a small value",
		       "0000000000000001 b done\n0000000000000003 T f\n0000000000000004 R ro\n"
		       "0000000000000004 T g\n0000000000000006 D x\n0000000000000007 t h\n",
		       "exact\n.bss 1 aw\n0+1 o done\n.text 14 ax\n1+3 f f\n8+4 f g\n12+7 f h"
		       "\n.rodata 4 a\n4+4 o ro\n.data 6 aw\nc+6 o x\n"
		       "1 diagnostics: its values ascend from a small one: taken for sizes, as nm "
		       "--size-sort prints them");
	assert_listing("addresses of a small program: its code is in one place",
		       "0000000000000200 r note\n0000000000000300 T f\n0000000000000310 T g\n"
		       "0000000000000320 R ro\n",
		       "approximate\n.rodata 256 a\n200+256 o note\n.text 32 ax\n300+16 f f\n"
		       "310+16 f g");
}

static void mail(void **state)
{
	(void)state;
	assert_true(pd_listing_sniff(pd_span_of(
		"Hello,\nthis is what nm -S says:\n\n> 0000000000000010 0000000000000004 T f\n"
		"> 0000000000000020 0000000000000005 T g\n> 0000000000000030 0000000000000006 T "
		"h\n\nCheers\n")));
	assert_listing("what is no row is text",
		       "Hello,\nthis is it:\n\n> 0000000000000010 0000000000000004 T f\n"
		       "> 0000000000000020 0000000000000005 T g\n"
		       "> 0000000000000030 0000000000000006 T h\n\nsee a b c\n",
		       "exact\n.text 15 ax\n10+4 f f\n20+5 f g\n30+6 f h");
	assert_false(pd_listing_sniff(pd_span_of("Hello,\n0000000000000010 T f\nis a row.\n")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sysv), cmocka_unit_test(size_sort), cmocka_unit_test(mail),
		cmocka_unit_test(system_map),	    cmocka_unit_test(kallsyms),
		cmocka_unit_test(nm),		    cmocka_unit_test(several_files),
		cmocka_unit_test(odd_texts),	    cmocka_unit_test(limit_of_symbols),
		cmocka_unit_test(sniffed),	    cmocka_unit_test(no_quadratic_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
