/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What unit tests share. Contract: support.h.
 */
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/writer.h"
#include "model/builder.h"
#include "profdiff/render.h"

void ut_assert_same_at(double a, double b, const char *file, int line)
{
	if (a == b || (isnan(a) && isnan(b)))
		return;
	print_error("%s:%d: found %.17g, expected %.17g\n", file, line, a, b);
	_fail(file, line);
}

void ut_assert_text_at(const char *what, const char *have, const char *want, const char *file,
		       int line)
{
	if (!strcmp(have, want))
		return;
	print_error("%s:%d: %s: found\n%s\nexpected\n%s\n", file, line, what, have, want);
	_fail(file, line);
}

static enum pd_unit unit_of(struct pd_span name)
{
	for (int u = 0; u < PD_N_UNITS; u++)
		if (pd_span_eq(name, pd_unit_name((enum pd_unit)u)))
			return (enum pd_unit)u;
	fail_msg("no unit %.*s", PD_SPAN_ARG(name));
	return PD_UNIT_NONE;
}

/* Cuts s at the first t, which is dropped; all of s if there is none. */
static struct pd_span cut(struct pd_span *s, const char *t)
{
	size_t n = pd_span_find(*s, t);
	struct pd_span head = pd_span_sub(*s, 0, n);

	*s = n == SIZE_MAX ? pd_span_of("") : pd_span_sub(*s, n + 1, s->len);
	return pd_span_trim(head);
}

static uint32_t add_event(struct pd_builder *b, struct pd_span s)
{
	struct pd_span name = cut(&s, " "), unit = cut(&s, " ");
	uint32_t event = pd_builder_event(b, 0, name, unit_of(unit));
	double total;

	if (!s.len) {
		pd_builder_set_complete(b, 0, event);
		return event;
	}
	assert_true(pd_num_parse(pd_span_trim(s), &total));
	pd_builder_set_total(b, 0, event, total);
	return event;
}

static void add_func(struct pd_builder *b, uint32_t event, struct pd_span s)
{
	const char *blank = memrchr(s.ptr, ' ', s.len);
	struct pd_span rest, name;
	uint32_t func;
	double self;

	assert_non_null(blank);
	rest = pd_span_sub(s, 0, (size_t)(blank - s.ptr));
	assert_true(pd_num_parse(pd_span_sub(s, (size_t)(blank + 1 - s.ptr), s.len), &self));
	name = cut(&rest, "@");
	if (pd_span_starts(name, "[")) {
		char *text = strndup(name.ptr, name.len);

		func = pd_builder_leftover(b, text, rest);
		free(text);
	} else {
		func = pd_builder_func(b, name, rest);
	}
	pd_builder_add_self(b, 0, event, func, self);
}

static struct pd_profile *make_profile(const char *path, struct pd_span spec)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_builder *b = pd_builder_new(path, "test", &limits, NULL);
	struct pd_profiles ps = {0};
	struct pd_error err = {0};
	struct pd_profile *p;
	uint32_t event = 0;
	bool any = false;

	assert_non_null(b);
	assert_int_equal(pd_builder_run(b, pd_span_of("")), 0);
	while (spec.len) {
		struct pd_span item = cut(&spec, ";");

		if (pd_span_starts(item, "!"))
			event = add_event(b, pd_span_sub(item, 1, item.len));
		else if (!any)
			event = add_event(b, pd_span_of("cycles samples"));
		any = true;
		if (!pd_span_starts(item, "!"))
			add_func(b, event, item);
	}
	if (pd_builder_finish(b, &ps, &err) != PD_OK)
		fail_msg("%s: %s", path, err.msg);
	pd_builder_free(b);
	assert_int_equal(ps.n, 1);
	p = ps.items[0];
	free(ps.items);
	return p;
}

struct pd_profile *ut_profile(const char *path, const char *spec)
{
	return make_profile(path, pd_span_of(spec));
}

void ut_sides_init(struct ut_sides *s, const char *const *specs)
{
	static const char *const labels[UT_MAX_SIDES] = {"A", "B", "C", "D"};

	*s = (struct ut_sides){0};
	for (; s->n < UT_MAX_SIDES && specs[s->n]; s->n++) {
		struct pd_side_input *in = &s->inputs[s->n];
		struct pd_span rest = pd_span_of(specs[s->n]);

		in->label = labels[s->n];
		in->runs = s->runs[s->n];
		while (rest.len) {
			char path[16];

			assert_true(in->n_runs < UT_MAX_RUNS);
			(void)snprintf(path, sizeof(path), "%s%u", in->label, in->n_runs);
			s->runs[s->n][in->n_runs++] = make_profile(path, cut(&rest, "|"));
		}
	}
}

void ut_sides_done(struct ut_sides *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		for (uint32_t r = 0; r < s->inputs[i].n_runs; r++)
			pd_profile_free(s->runs[i][r]);
}

struct pd_comparison *ut_compare(const struct ut_sides *s,
				 const struct pd_compare_options *options)
{
	const struct pd_compare_options none = {0};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};

	if (pd_compare(s->inputs, s->n, options ? options : &none, NULL, &c, &err) != PD_OK)
		fail_msg("comparison failed: %s", err.msg);
	assert_non_null(c);
	ut_check(c);
	return c;
}

uint64_t ut_random_next(struct ut_random *r)
{
	r->state ^= r->state >> 12;
	r->state ^= r->state << 25;
	r->state ^= r->state >> 27;
	return r->state * 0x2545f4914f6cdd1du;
}

uint32_t ut_random_below(struct ut_random *r, uint32_t n)
{
	return (uint32_t)((ut_random_next(r) >> 32) * n >> 32);
}

char *ut_folder_new(void)
{
	const char *tmp = getenv("TMPDIR");
	char *folder;

	assert_true(asprintf(&folder, "%s/profdiff-unit-XXXXXX", tmp ? tmp : "/tmp") > 0);
	assert_non_null(mkdtemp(folder));
	return folder;
}

void ut_folder_free(char *folder)
{
	DIR *d = opendir(folder);

	assert_non_null(d);
	for (const struct dirent *e = readdir(d); e; e = readdir(d))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)unlink(ut_path(folder, e->d_name));
	(void)closedir(d);
	assert_int_equal(rmdir(folder), 0);
	free(folder);
}

const char *ut_path(const char *folder, const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	assert_true(snprintf(path, sizeof(paths[0]), "%s/%s", folder, name) <
		    (int)sizeof(paths[0]));
	return path;
}

char *ut_read_file(const char *path, size_t *ret_len)
{
	FILE *f = fopen(path, "rb");
	struct pd_buf b = {0};

	if (!f)
		return NULL;
	for (int c = getc(f); c != EOF; c = getc(f))
		pd_buf_add_char(&b, (char)c);
	(void)fclose(f);
	if (ret_len)
		*ret_len = b.len;
	return b.ptr ? b.ptr : strdup("");
}

void ut_write_file(const char *path, const void *bytes, size_t len)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

char *ut_render(const struct pd_document *d, const char *name, uint32_t width)
{
	const struct pd_render_options options = {.width = width};
	const struct pd_renderer *r = pd_renderer_find(name);
	int fd = memfd_create("render", MFD_CLOEXEC);
	struct pd_error err = {0};
	struct pd_writer w;
	off_t len;
	char *text;

	assert_non_null(r);
	assert_true(fd >= 0);
	assert_false(d->failed);
	pd_writer_init_fd(&w, fd);
	r->render(d, &options, &w);
	assert_int_equal(pd_writer_close(&w, &err), PD_OK);
	len = lseek(fd, 0, SEEK_END);
	text = calloc(1, (size_t)len + 1);
	assert_non_null(text);
	assert_int_equal(pread(fd, text, (size_t)len, 0), len);
	(void)close(fd);
	return text;
}
