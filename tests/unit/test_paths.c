/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source paths, wherever a build was made.
 */
#include "support.h"

#include "image/paths.h"

static void test_paths(void **state)
{
	static const struct {
		const char *path, *folder, *want;
	} cases[] = {
		{"mm/memory.c", "/src/linux", "mm/memory.c"},
		{"arch/x86/kvm/../../../virt/kvm/kvm_main.c", "/src/linux", "virt/kvm/kvm_main.c"},
		{"./lib/a.c", "", "lib/a.c"},
		{"../lib/a.c", "/src/build", "lib/a.c"},
		{"../../a.c", "", "a.c"},
		{"/src/linux/mm/memory.c", "/src/linux", "mm/memory.c"},
		{"/src/linux-6.1/mm/memory.c", "/src/linux", "/src/linux-6.1/mm/memory.c"},
		{"/src/p/1.0/lib/a.c", "/src/p/1.0/build", "lib/a.c"},
		{"/build/linux-xY1/linux-6.1.187/mm/memory.c", "", "mm/memory.c"},
		{"/build/linux-xY1/linux-6.1.187/mm/memory.c",
		 "/build/linux-xY1/linux-6.1.187/debian/build", "mm/memory.c"},
		{"/usr/include/stdio.h", "/usr/src/p", "/usr/include/stdio.h"},
		{"/usr/include/stdio.h", "/home/me/p", "/usr/include/stdio.h"},
		{"/a//b/./c.c", "", "/a/b/c.c"},
		{"/..", "", "/"},
		{"a/..", "", ""},
		{"", "/src", ""},
		{"/build/only", "", "/build/only"},
	};
	struct pd_buf buf = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_span have = pd_source_path(pd_span_of(cases[i].path),
						     pd_span_of(cases[i].folder), &buf);

		if (!pd_span_eq(have, cases[i].want))
			fail_msg("%s in %s: %.*s, expected %s", cases[i].path, cases[i].folder,
				 PD_SPAN_ARG(have), cases[i].want);
	}
	pd_buf_done(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
