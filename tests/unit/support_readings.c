/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of texts, as texts. Contract: support.h.
 */
#include "support.h"

#include <stdlib.h>

struct ut_reading ut_read(const char *text, const char *format, const struct pd_limits *limits)
{
	static const struct pd_limits usual = PD_LIMITS_DEFAULT;
	struct ut_reading r = {0};
	struct pd_input in = {.path = "in", .bytes = pd_span_of(text),
			      .limits = limits ? limits : &usual, .diags = &r.diags};

	r.rc = pd_ingest_bytes(&in, format ? pd_format_find(format) : NULL, &r.profiles, &r.err);
	return r;
}

void ut_reading_done(struct ut_reading *r)
{
	pd_profiles_done(&r->profiles);
	pd_diags_done(&r->diags);
}

char *ut_dump_ticks(const struct ut_reading *r)
{
	struct pd_buf b = {0};
	char number[PD_NUM_LEN];

	if (r->rc != PD_OK)
		pd_buf_printf(&b, "error %d", r->rc);
	for (uint32_t i = 0; i < r->profiles.n; i++) {
		const struct pd_profile *p = r->profiles.items[i];
		double total = p->events[0].total;

		pd_buf_printf(&b, "%s%s:%s", i ? " | " : "", p->section ? p->section : "",
			      pd_is_known(total) ? pd_num_shortest(total, number) : "?");
		for (uint32_t f = 0; f < p->n_funcs; f++)
			pd_buf_printf(&b, " %s=%s", pd_strtab_get(&p->strings, p->funcs[f].name),
				      pd_num_shortest(pd_profile_weight(p, f, 0)->self, number));
	}
	return b.ptr;
}

void ut_assert_ticks_at(const char *text, const char *format, const char *want,
			const char *file, int line)
{
	struct ut_reading r = ut_read(text, format, NULL);
	char *have = ut_dump_ticks(&r);

	assert_non_null(have);
	ut_assert_text_at(text, have, want, file, line);
	if (r.diags.n) {
		print_error("%s:%d: %s\nunexpected: %s\n", file, line, text, r.diags.items[0].text);
		_fail(file, line);
	}
	free(have);
	ut_reading_done(&r);
}

static void add_metric(struct pd_buf *b, const struct pd_profile *p, const struct pd_metric *m)
{
	if (m->group.id)
		pd_buf_printf(b, "[%s] ", pd_strtab_get(&p->strings, m->group));
	pd_buf_printf(b, "%s=", pd_strtab_get(&p->strings, m->name));
	for (uint32_t i = 0; i < m->n_values; i++)
		pd_buf_printf(b, "%s%.12g", i ? "," : "", m->values[i]);
	if (!m->n_values)
		pd_buf_add_char(b, '?');
	if (m->unit.id)
		pd_buf_printf(b, " %s", pd_strtab_get(&p->strings, m->unit));
	if (pd_is_known(m->sd))
		pd_buf_printf(b, " +-%.12g", m->sd);
	if (pd_is_known(m->n_summarized))
		pd_buf_printf(b, " n=%.12g", m->n_summarized);
}

static char *dump_metrics(const struct pd_profiles *ps)
{
	struct pd_buf b = {0};

	for (uint32_t i = 0; i < ps->n; i++) {
		const struct pd_profile *p = ps->items[i];

		pd_buf_printf(&b, "%s:", p->section ? p->section : "");
		for (uint32_t m = 0; m < p->n_metrics; m++) {
			pd_buf_add_str(&b, m ? "; " : " ");
			add_metric(&b, p, &p->metrics[m]);
		}
		pd_buf_add_char(&b, '\n');
	}
	return b.ptr;
}

void ut_assert_metrics_at(const char *text, const char *format, const char *want_format,
			  const char *want, const char *file, int line)
{
	struct ut_reading r = ut_read(text, format, NULL);
	char *have;

	if (!want) {
		assert_int_equal(r.rc, PD_ERR_EMPTY);
		ut_reading_done(&r);
		return;
	}
	if (r.rc != PD_OK) {
		print_error("%s:%d: %s\n", file, line, r.err.msg);
		_fail(file, line);
	}
	assert_string_equal(r.profiles.items[0]->format, want_format);
	have = dump_metrics(&r.profiles);
	ut_assert_text_at(text, have, want, file, line);
	free(have);
	ut_reading_done(&r);
}
