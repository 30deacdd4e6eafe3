/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of sizes. Contract: size_text.h. The reader calls the runs of a table
 * "[HEADING ][WHAT ]old" and "... new"; tables of one heading are one answer.
 */
#include "cli/size_text.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/sizes.h"
#include "cli/inputs.h"
#include "ingest/ingest.h"
#include "report/report.h"

/* Cut a word and the blank before it from the end. */
static bool cut_end(struct pd_span *s, const char *word)
{
	if (!pd_span_ends(*s, word))
		return false;
	*s = pd_span_trim(pd_span_sub(*s, 0, s->len - strlen(word)));
	return true;
}

/* The heading of a run's table; whether it is of objects. */
static struct pd_span heading_of(const struct pd_profile *p, bool *ret_is_of_objects)
{
	static const char *const kinds[] = {"RO Data", "RW Data", "Data"};
	struct pd_span s = pd_span_of(p->section ? p->section : "");

	if (!cut_end(&s, "old"))
		(void)cut_end(&s, "new");
	*ret_is_of_objects = false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && !*ret_is_of_objects; i++)
		*ret_is_of_objects = cut_end(&s, kinds[i]);
	return s;
}

/* Tables under other headings than the first one: which is meant? */
static int check_headings(const struct pd_profiles *ps, const char *path, struct pd_error *err)
{
	struct pd_span last = {"", 0};
	struct pd_buf list = {0};
	uint32_t n = 0;
	int rc = PD_OK;

	for (uint32_t i = 0; i < ps->n; i++) {
		bool is_of_objects;
		struct pd_span heading = heading_of(ps->items[i], &is_of_objects);

		if (i && heading.len == last.len && !memcmp(heading.ptr, last.ptr, last.len))
			continue;
		pd_buf_printf(&list, "%s\"%.*s\"", n++ ? ", " : "", PD_SPAN_ARG(heading));
		last = heading;
	}
	if (list.failed)
		rc = pd_fail_nomem(err);
	else if (n > 1)
		rc = pd_fail(err, PD_ERR_USAGE, "%s holds tables of %s; name one: FILE#HEADING",
			     path, list.ptr);
	pd_buf_done(&list);
	return rc;
}

/* The tables of that heading (NULL: of all); texts has room for all. */
static uint32_t choose(const struct pd_profiles *ps, const char *wanted,
		       struct pd_size_text *texts)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < ps->n; i++) {
		bool is_of_objects;
		struct pd_span heading = heading_of(ps->items[i], &is_of_objects);
		bool is_pair = !ps->items[i]->holds_deltas && i + 1 < ps->n;

		if (!wanted || pd_span_eq(heading, wanted))
			texts[n++] = (struct pd_size_text){
				.runs = {ps->items[i], is_pair ? ps->items[i + 1] : NULL},
				.is_of_objects = is_of_objects,
			};
		i += is_pair;
	}
	return n;
}

static int make_document(const struct cli_options *o, const char *path, const char *wanted,
			 const struct pd_profiles *ps, struct pd_diags *diags,
			 struct pd_document **ret_document, struct pd_error *err)
{
	const struct pd_size_side sides[2] = {{.label = "old", .path = path},
					      {.label = "new", .path = path}};
	struct pd_size_text *texts = calloc(ps->n + (size_t)1, sizeof(*texts));
	struct pd_sizes *sizes = NULL;
	uint32_t n = texts ? choose(ps, wanted, texts) : 0;
	int rc = texts ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK && !n)
		rc = pd_fail(err, PD_ERR_USAGE, "%s holds no table \"%s\"", path, wanted);
	if (rc == PD_OK && !wanted)
		rc = check_headings(ps, path, err);
	if (rc == PD_OK)
		rc = pd_sizes_of_text(sides, texts, n, &o->size, &sizes, err);
	if (rc == PD_OK)
		rc = pd_report_sizes(sizes, &o->view, diags, ret_document, err);
	pd_sizes_free(sizes);
	free(texts);
	return rc;
}

int cli_size_text(const struct cli_options *o, const char *word, struct pd_diags *diags,
		  struct pd_document **ret_document, struct pd_error *err)
{
	struct pd_profiles ps = {0};
	char *path = strdup(word), *hash = path ? strchr(path, '#') : NULL;
	int rc = path ? PD_OK : pd_fail_nomem(err);
	bool is_other; /* than a text of sizes: a word is missing */

	if (rc == PD_OK && (!hash || cli_path_exists(path)))
		hash = NULL;
	else if (rc == PD_OK)
		*hash = '\0';
	if (rc == PD_OK)
		rc = pd_ingest_file(path, NULL, &o->limits, NULL, diags, &ps, err);
	is_other = rc == PD_ERR_UNRECOGNISED || rc == PD_ERR_IO;
	if (is_other)
		*err = (struct pd_error){0};
	if (is_other || (rc == PD_OK && strcmp(ps.items[0]->format, "bloat") != 0))
		rc = pd_fail(err, PD_ERR_USAGE, "--size: expected two images, or one text "
			     "of bloat-o-meter or codiff; see --help");
	if (rc == PD_OK)
		rc = make_document(o, path, hash ? hash + 1 : NULL, &ps, diags, ret_document, err);
	pd_profiles_done(&ps);
	free(path);
	return rc;
}
