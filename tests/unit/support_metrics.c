/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readings of metrics as text. Contract: support.h.
 */
#include "support.h"

#include <stdlib.h>

#include "ingest/ingest.h"

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

static char *dump(const struct pd_profiles *ps)
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
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_input in = {.path = "in", .bytes = pd_span_of(text), .limits = &limits};
	struct pd_profiles ps = {0};
	struct pd_error err = {0};
	int rc = pd_ingest_bytes(&in, format ? pd_format_find(format) : NULL, &ps, &err);
	char *have;

	if (!want) {
		assert_int_equal(rc, PD_ERR_EMPTY);
		return;
	}
	if (rc != PD_OK) {
		print_error("%s:%d: %s\n", file, line, err.msg);
		_fail(file, line);
	}
	assert_string_equal(ps.items[0]->format, want_format);
	have = dump(&ps);
	ut_assert_text_at(text, have, want, file, line);
	free(have);
	pd_profiles_done(&ps);
}
