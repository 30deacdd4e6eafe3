/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs. Contract: inputs.h.
 */
#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/events.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/wanted.h"

void cli_runs_done(struct cli_runs *r)
{
	free(r->items);
	*r = (struct cli_runs){0};
}

int cli_runs_add(struct cli_runs *runs, struct pd_profile *p, struct pd_error *err)
{
	if (runs->n == runs->cap) {
		uint32_t cap = runs->cap ? 2 * runs->cap : 8;
		struct pd_profile **items = realloc(runs->items, cap * sizeof(*items));

		if (!items)
			return pd_fail_nomem(err);
		runs->items = items;
		runs->cap = cap;
	}
	runs->items[runs->n++] = p;
	return PD_OK;
}

void cli_inputs_done(struct cli_inputs *in)
{
	for (uint32_t i = 0; i < in->n; i++) {
		free(in->items[i].path);
		pd_profiles_done(&in->items[i].profiles);
		pd_diags_done(&in->items[i].diags);
	}
	free(in->items);
	in->items = NULL;
	in->n = in->cap = 0;
}

bool cli_path_exists(const char *path)
{
	return !strcmp(path, "-") || access(path, F_OK) == 0;
}

/* Requests that a profile without single samples cannot fulfil. */
static int check_samples(const struct pd_request *r, const struct pd_profile *p,
			 struct pd_error *err)
{
	if (p->recording || p->lists_samples || !p->n_events || !cli_wants_some(r))
		return PD_OK;
	return pd_fail(err, PD_ERR_USAGE, "it holds no single samples (%s): --comms, --pid, --tid, "
		       "--cpu and --time need a recording", p->format);
}

/* Read a file, and keep of it what is wanted. */
static void read_input(const struct cli_options *o, struct cli_input *input)
{
	input->is_read = true;
	input->rc = pd_ingest_file(input->path, o->format, &o->limits, &input->request,
				   &input->diags, &input->profiles, &input->err);
	for (uint32_t i = 0; i < input->profiles.n && input->rc == PD_OK; i++) {
		struct pd_profile *p = input->profiles.items[i];

		input->rc = pd_wrap(&input->err, check_samples(&input->request, p, &input->err),
				    input->path);
		if (input->rc == PD_OK && o->events.n && p->n_events)
			input->rc = pd_wrap(&input->err,
					    pd_events_keep(p, o->events.items, o->events.n,
							   &input->err), input->path);
	}
}

static void fetch_one(void *context, uint32_t i)
{
	struct cli_inputs *in = context;

	if (!in->items[i].is_read)
		read_input(in->o, &in->items[i]);
}

void cli_inputs_fetch(struct cli_inputs *in)
{
	for (uint32_t i = 0; i < in->n && in->progress; i++) {
		struct stat st;

		if (!in->items[i].is_read && stat(in->items[i].path, &st) == 0 &&
		    S_ISREG(st.st_mode))
			atomic_fetch_add(&in->progress->n_listed, (uint64_t)st.st_size);
	}
	pd_pool_run(in->n, fetch_one, in);
}

/* The input of a path, a new one if there is none; NULL if there is no memory. */
static struct cli_input *find_input(struct cli_inputs *in, const char *path)
{
	struct cli_input *input;

	for (uint32_t i = 0; i < in->n; i++)
		if (in->items[i].variant == in->variant && !strcmp(in->items[i].path, path))
			return &in->items[i];
	if (in->n == in->cap) {
		uint32_t cap = in->cap ? 2 * in->cap : 8;
		struct cli_input *items = realloc(in->items, cap * sizeof(*items));

		if (!items)
			return NULL;
		in->items = items;
		in->cap = cap;
	}
	input = &in->items[in->n];
	*input = (struct cli_input){
		.path = strdup(path), .variant = in->variant, .request = in->request,
	};
	input->request.progress = in->progress ? &in->progress->counts : NULL;
	in->n += input->path != NULL;
	return input->path ? input : NULL;
}

/* What the file holds; read now unless it was before. */
static int read_file(struct cli_inputs *in, const char *path,
		     const struct pd_profiles **ret_profiles, struct pd_error *err)
{
	struct cli_input *input = find_input(in, path);

	if (!input)
		return pd_fail_nomem(err);
	if (!input->is_read)
		read_input(in->o, input);
	if (!input->is_used)
		pd_diags_move(&input->diags, in->diags);
	input->is_used = true;
	if (input->rc != PD_OK) {
		if (err->code == PD_OK)
			*err = input->err;
		return input->rc;
	}
	*ret_profiles = &input->profiles;
	return PD_OK;
}

static const char *section_of(const struct pd_profile *p)
{
	return p->section ? p->section : "";
}

/* Whether a profile is what NAME in FILE#NAME means: its section, or its number. */
static bool is_named(const struct pd_profiles *ps, uint32_t i, const char *name, bool any_case)
{
	const char *section = section_of(ps->items[i]);
	uint64_t number;

	if (*section)
		return any_case ? pd_span_eq_nocase(pd_span_of(section), name)
				: !strcmp(section, name);
	return pd_num_parse_u64(pd_span_of(name), &number) && number == i + 1;
}

/* "Vanilla, Inline": the names that can stand behind "#". */
static void list_sections(const struct pd_profiles *ps, struct pd_buf *out)
{
	for (uint32_t i = 0; i < ps->n; i++) {
		const char *section = section_of(ps->items[i]);
		bool is_new = true;

		for (uint32_t k = 0; k < i; k++)
			is_new &= !*section || strcmp(section, section_of(ps->items[k])) != 0;
		if (!is_new)
			continue;
		pd_buf_add_str(out, out->len ? ", " : "");
		if (*section)
			pd_buf_add_str(out, section);
		else
			pd_buf_printf(out, "%u", i + 1);
	}
}

static int fail_section(const struct pd_profiles *ps, const char *path, const char *name,
			struct pd_error *err)
{
	struct pd_buf names = {0};
	int rc;

	list_sections(ps, &names);
	if (name)
		rc = pd_fail(err, PD_ERR_USAGE, "it has no column or section \"%s\"; it has: %s",
			     name, names.ptr ? names.ptr : "");
	else
		rc = pd_fail(err, PD_ERR_USAGE, "it holds several sides: %s; choose one with "
			     "%s#NAME", names.ptr ? names.ptr : "", path);
	pd_buf_done(&names);
	return pd_wrap(err, rc, path);
}

/* Whether all profiles of a file are runs of one side. */
static bool are_runs(const struct pd_profiles *ps)
{
	const char *first = section_of(ps->items[0]);

	for (uint32_t i = 1; i < ps->n; i++)
		if (strcmp(first, section_of(ps->items[i])) != 0 ||
		    (!*first && ps->items[i]->n_events)) /* benchmarks are repeated, profiles not */
			return false;
	return true;
}

/* Append the profiles of one file, all or those of that name. */
static int add_file(struct cli_inputs *in, const char *path, const char *name,
		    bool may_hold_sides, struct cli_runs *runs, struct pd_error *err)
{
	const struct pd_profiles *ps = NULL;
	uint32_t n_before = runs->n;
	int rc;

	if (in->is_listing)
		return find_input(in, path) ? PD_OK : pd_fail_nomem(err);
	rc = read_file(in, path, &ps, err);
	if (rc != PD_OK)
		return rc;
	if (!name && !may_hold_sides && !are_runs(ps))
		return fail_section(ps, path, NULL, err);
	for (int any_case = 0; any_case < 2 && runs->n == n_before; any_case++)
		for (uint32_t i = 0; i < ps->n && rc == PD_OK; i++)
			if (!name || is_named(ps, i, name, any_case))
				rc = cli_runs_add(runs, ps->items[i], err);
	if (rc == PD_OK && runs->n == n_before)
		return fail_section(ps, path, name, err);
	return rc;
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

/* Numbers within names by value: run2 before run10. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

/* Append a directory's file; one that is no profile is left out, with a warning. */
static int add_dir_file(struct cli_inputs *in, const char *path, bool may_hold_sides,
			struct cli_runs *runs, struct pd_error *err)
{
	struct pd_error own = {0};
	struct stat st;
	int rc;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !pd_ingest_is_recording(path))
		return PD_OK;
	rc = add_file(in, path, NULL, may_hold_sides, runs, &own);
	if (rc == PD_ERR_UNRECOGNISED || rc == PD_ERR_EMPTY) {
		pd_diags_add(in->diags, PD_WARNING, "no-profile", path, 0,
			     "no profile was recognised in this file; left out");
		return PD_OK;
	}
	if (rc != PD_OK && err->code == PD_OK)
		*err = own;
	return rc;
}

static int add_dir(struct cli_inputs *in, const char *path, bool may_hold_sides,
		   struct cli_runs *runs, struct pd_error *err)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, is_visible, compare_names), rc = PD_OK;
	uint32_t n_before = runs->n;

	if (n < 0)
		return pd_wrap(err, pd_fail_io(err, errno, "cannot read the directory"), path);
	for (int i = 0; i < n; i++) {
		size_t len = strlen(path);
		const char *slash = len && path[len - 1] == '/' ? "" : "/";
		char *file = NULL;

		if (rc == PD_OK && asprintf(&file, "%s%s%s", path, slash, entries[i]->d_name) < 0) {
			file = NULL;
			rc = pd_fail_nomem(err);
		}
		if (file)
			rc = add_dir_file(in, file, may_hold_sides, runs, err);
		free(file);
		free(entries[i]);
	}
	free(entries);
	if (rc == PD_OK && runs->n == n_before && !in->is_listing)
		return pd_wrap(err, pd_fail(err, PD_ERR_EMPTY,
					    "no file in this directory is a profile"), path);
	return rc;
}

int cli_inputs_read(struct cli_inputs *in, const char *path, bool may_hold_sides,
		    struct cli_runs *runs, struct pd_error *err)
{
	struct stat st;
	char *file;
	int rc;

	if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	    !pd_ingest_is_recording(path))
		return add_dir(in, path, may_hold_sides, runs, err);
	if (cli_path_exists(path))
		return add_file(in, path, NULL, may_hold_sides, runs, err);
	/* FILE#NAME: the first "#" behind which the rest can be a name. */
	file = strdup(path);
	if (!file)
		return pd_fail_nomem(err);
	rc = PD_ERR_IO;
	for (char *hash = strchr(file, '#'); hash; hash = strchr(hash + 1, '#')) {
		*hash = '\0';
		if (cli_path_exists(file)) {
			rc = add_file(in, file, hash + 1, may_hold_sides, runs, err);
			free(file);
			return rc;
		}
		*hash = '#';
	}
	rc = add_file(in, file, NULL, may_hold_sides, runs, err);
	free(file);
	return rc;
}
