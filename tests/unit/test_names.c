/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of modules and families of functions.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/names.h"

struct pair {
	const char *in, *want;
};

static void check_modules(const struct pair *cases, size_t n,
			  struct pd_span (*call)(struct pd_span))
{
	for (size_t i = 0; i < n; i++) {
		struct pd_span s = call(pd_span_of(cases[i].in));

		if (!pd_span_eq(s, cases[i].want))
			fail_msg("\"%s\": found \"%.*s\", expected \"%s\"", cases[i].in,
				 PD_SPAN_ARG(s), cases[i].want);
		/* What is normal stays. */
		s = call(s);
		if (!pd_span_eq(s, cases[i].want))
			fail_msg("\"%s\" is not stable: \"%.*s\"", cases[i].want, PD_SPAN_ARG(s));
	}
}

static void test_modules(void **state)
{
	static const struct pair cases[] = {
		{"", ""},
		{"vmlinux", "vmlinux"},
		{"[kernel]", "vmlinux"},
		{"[kernel.kallsyms]", "vmlinux"},
		{"[kernel.kallsyms]_text", "vmlinux"},
		{"[kernel.kallsyms]_stext", "vmlinux"},
		{"[kernel.vmlinux]", "vmlinux"},
		{"kallsyms", "vmlinux"},
		{"/boot/vmlinux", "vmlinux"},
		{"/boot/vmlinux-6.1.0-rc3", "vmlinux"},
		{"/boot/vmlinuz-6.1.0", "vmlinux"},
		{"/usr/lib/debug/lib/modules/6.1.0/vmlinux", "vmlinux"},
		{"/proc/1/root/vmlinux.debug", "vmlinux"},
		{"vmlinux (deleted)", "vmlinux"},
		{"/root/.debug/[kernel.kallsyms]", "vmlinux"},
		{"/tmp/vmlinuxes", "/tmp/vmlinuxes"},
		{"[ext4]", "ext4"},
		{"ext4.ko", "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko", "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz", "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.gz", "ext4"},
		{"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.zst", "ext4"},
		{"/usr/lib/debug/ext4.ko.debug", "ext4"},
		{"/usr/lib/libc.so.6", "/usr/lib/libc.so.6"},
		{"/usr/lib/libc.so.6 (deleted)", "/usr/lib/libc.so.6"},
		{"/tmp/archive.xz", "/tmp/archive.xz"},
		{"libko", "libko"},
		{"[vdso]", "[vdso]"},
		{"[vsyscall]", "[vsyscall]"},
		{"[unknown]", "[unknown]"},
		{"[heap]", "[heap]"},
		{"[stack]", "[stack]"},
		{"[a b]", "[a b]"},
		{"[]", "[]"},
		{"//anon", "//anon"},
	};

	(void)state;
	check_modules(cases, sizeof(cases) / sizeof(cases[0]), pd_module_normal);
}

static void test_base_names(void **state)
{
	static const struct pair cases[] = {
		{"", ""}, {"x", "x"}, {"/x", "x"}, {"/usr/lib/x.so", "x.so"}, {"a/", ""},
		{"/", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(pd_span_eq(pd_module_base_name(pd_span_of(cases[i].in)),
				       cases[i].want));
}

static void check_family(const char *in, const char *want, struct pd_buf *buf)
{
	char *exact = strdup(in);
	struct pd_span s;
	/* In a block of just its size, without a NUL: reading beyond it is found. */
	size_t len = strlen(in);

	assert_non_null(exact);
	exact = realloc(exact, len ? len : 1);
	s = pd_name_family((struct pd_span){exact, len}, buf);
	if (!pd_span_eq(s, want))
		fail_msg("\"%s\": found \"%.*s\", expected \"%s\"", in, PD_SPAN_ARG(s), want);
	free(exact);
}

static void test_families(void **state)
{
	static const struct pair cases[] = {
		{"", ""},
		{"foo", "foo"},
		{"foo.cold", "foo"},
		{"foo.cold.7", "foo"},
		{"foo.part.12", "foo"},
		{"foo.constprop.0", "foo"},
		{"foo.isra.3", "foo"},
		{"foo.lto_priv.0", "foo"},
		{"foo.llvm.1234567890123456789", "foo"},
		{"foo.__uniq.98765432109876543210987654321", "foo"},
		{"foo.cfi", "foo"},
		{"foo.5", "foo"},
		{"foo.part.0.isra.1.constprop.2.cold", "foo"},
		{"foo.__uniq.1.llvm.2.cfi", "foo"},
		{"foo.1.2.3", "foo"},
		{"foo.cold.", "foo.cold."},
		{"foo.part", "foo.part"},
		{"foo.isra", "foo.isra"},
		{"foo.isra.x", "foo.isra.x"},
		{"foo.bar.0", "foo.bar"},
		{"foocold", "foocold"},
		{"foo5", "foo5"},
		{".text.lock.fault", ".text.lock.fault"},
		{".text.lock.ip_output", ".text.lock.ip_output"},
		{"_ZN3foo3barEv.cold", "_ZN3foo3barEv"},
		/* Never empty. */
		{".cold", ".cold"},
		{".cfi", ".cfi"},
		{".5", ".5"},
		{"5", "5"},
		{".", "."},
		{"..5", "."},
		{".part.0", ".part"},
		{".cold.cold", ".cold"},
		/* Rust's legacy hash. */
		{"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
		{"core::fmt::write::h0123456789abcdeg", "core::fmt::write::h0123456789abcdeg"},
		{"core::fmt::write::h0123456789ABCDEF", "core::fmt::write::h0123456789ABCDEF"},
		{"core::fmt::write::h123456789abcdef", "core::fmt::write::h123456789abcdef"},
		{"::h0123456789abcdef", "::h0123456789abcdef"},
		{"a::h0123456789abcdef.llvm.77", "a"},
		/* Demangled suffixes. */
		{"foo(int) [clone .cold]", "foo(int)"},
		{"foo(int) [clone .isra.0] [clone .cold]", "foo(int)"},
		{"foo(int) [clone cold]", "foo(int) [clone cold]"},
		{"foo(int)[clone .cold]", "foo(int)[clone .cold]"},
		{" [clone .cold]", " [clone .cold]"},
		{"operator[]", "operator[]"},
		{"]", "]"},
		/* Numbers of lambdas and anonymous namespaces. */
		{"f()::{lambda(int)#2}::operator()(int) const",
		 "f()::{lambda(int)#}::operator()(int) const"},
		{"f()::{lambda()#1}::operator()()::{lambda()#12}",
		 "f()::{lambda()#}::operator()()::{lambda()#}"},
		{"f()::{lambda(int)#2}::call [clone .cold]", "f()::{lambda(int)#}::call"},
		{"f#2}", "f#2}"},
		{"_GLOBAL__N_12_foo", "_GLOBAL__N__foo"},
		/* Marks of folded stacks. */
		{"foo_[k]", "foo_[k]"},
		{"foo.cold_[k]", "foo_[k]"},
		{"foo.isra.0.cold_[j]", "foo_[j]"},
		{"f()::{lambda()#3}_[i]", "f()::{lambda()#}_[i]"},
		{"_[k]", "_[k]"},
	};
	struct pd_buf buf = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		check_family(cases[i].in, cases[i].want, &buf);
		/* A family's name is its own family. */
		check_family(cases[i].want, cases[i].want, &buf);
	}
	pd_buf_done(&buf);
}

/* Every suffix behind every other, up to four of them. */
static void test_suffixes_in_any_order(void **state)
{
	static const char *const suffixes[] = {".cfi", ".llvm.42", ".__uniq.17", ".cold", ".cold.3",
					       ".part.1", ".constprop.0", ".isra.2", ".lto_priv.9",
					       ".8", " [clone .isra.0]"};
	enum { N = sizeof(suffixes) / sizeof(suffixes[0]) };
	struct pd_buf buf = {0};

	(void)state;
	for (unsigned i = 0; i < N * N * N * N; i++) {
		char name[128];

		(void)snprintf(name, sizeof(name), "do_sys_open%s%s%s%s", suffixes[i % N],
			       suffixes[i / N % N], suffixes[i / N / N % N],
			       suffixes[i / N / N / N]);
		check_family(name, "do_sys_open", &buf);
	}
	pd_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_base_names),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_suffixes_in_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
