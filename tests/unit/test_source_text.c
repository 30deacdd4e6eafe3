/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source lines: those of a file, and that no name leads out of the folder.
 */
#include "image/source_text.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"

static const struct pd_limits limits = PD_LIMITS_DEFAULT;

static void check(struct pd_source_texts *t, struct pd_strtab *names, const char *file,
		  uint32_t line, const char *want)
{
	pd_str id = pd_strtab_intern_str(names, file);
	struct pd_span have = pd_source_line(t, names, id, line);

	if (!pd_span_eq(have, want))
		fail_msg("%s:%u: expected \"%s\", found \"%.*s\"", file, line, want,
			 PD_SPAN_ARG(have));
}

static void test_lines(void **state)
{
	char *folder = ut_folder_new();
	const char *base = strrchr(folder, '/') + 1;
	struct pd_source_texts t = {.folder = folder, .limits = &limits}, none = {0};
	struct pd_strtab names = {0};
	static const char text[] = "first\n\n\tthird \r\nlast";

	(void)state;
	ut_write_file(ut_path(folder, "a.c"), text, sizeof(text) - 1);
	check(&t, &names, "a.c", 1, "first");
	check(&t, &names, "a.c", 2, "");
	check(&t, &names, "a.c", 3, "third");
	check(&t, &names, "a.c", 4, "last");
	check(&t, &names, "a.c", 0, "");
	check(&t, &names, "a.c", 5, "");
	check(&t, &names, "a.c", UINT32_MAX, "");
	check(&t, &names, "linux/a.c", 4, "last"); /* without the folder of the sources */
	check(&t, &names, ut_path("..", ut_path(base, "a.c")), 1, ""); /* although it is there */
	check(&t, &names, ut_path("x/../..", ut_path(base, "a.c")), 1, "");
	check(&t, &names, "x/..", 1, "");
	check(&t, &names, "..", 1, "");
	check(&t, &names, "/etc/passwd", 1, "");
	check(&t, &names, "..a.c", 1, "");
	check(&t, &names, "missing.c", 1, "");
	check(&t, &names, ".", 1, "");
	check(&none, &names, "a.c", 1, "");
	pd_source_texts_done(&t);
	pd_source_texts_done(&none);
	pd_strtab_done(&names);
	ut_folder_free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
