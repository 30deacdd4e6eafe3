/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols. Contract: symbols.h. The only place that reads the environment for them:
 * HOME, where the build-id cache is, and the running kernel's build-id.
 */
#include "cli/symbols.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analysis/symbolize.h"
#include "base/pool.h"
#include "base/text.h"
#include "cli/per_side.h"

/* One recording to be named. */
struct job {
	struct pd_profile *profile;
	const struct pd_symbol_places *places;
	struct pd_diags diags;
	struct pd_error err;
	int rc;
};

struct jobs {
	struct job *items;
	uint32_t n;
	struct pd_symbolize_options options;
};

enum { MAX_NOTES = 4096, NOTE_BUILD_ID = 3 };

/* The build-id in ELF notes, hex, or NULL. */
static const char *find_build_id(struct pd_arena *a, const unsigned char *notes, size_t len)
{
	for (size_t at = 0; at + 12 <= len;) {
		uint32_t n_name, n_desc, type;
		size_t name = at + 12, desc;
		char *hex;

		memcpy(&n_name, notes + at, 4);
		memcpy(&n_desc, notes + at + 4, 4);
		memcpy(&type, notes + at + 8, 4);
		if (n_name > len || n_desc > len)
			return NULL;
		desc = name + (((size_t)n_name + 3) & ~(size_t)3);
		if (desc + n_desc > len)
			return NULL;
		at = desc + (((size_t)n_desc + 3) & ~(size_t)3);
		if (type != NOTE_BUILD_ID || n_name != 4 || memcmp(notes + name, "GNU", 4) != 0)
			continue;
		hex = pd_arena_array(a, 2 * (size_t)n_desc + 1, 1);
		for (uint32_t i = 0; i < n_desc && hex; i++)
			(void)snprintf(hex + 2 * (size_t)i, 3, "%02x", notes[desc + i]);
		return hex;
	}
	return NULL;
}

/* The build-id of the kernel that runs here, or NULL. */
static const char *running_build_id(struct pd_arena *a)
{
	unsigned char notes[MAX_NOTES];
	int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, notes, sizeof(notes));

	if (fd >= 0)
		(void)close(fd);
	return n > 0 ? find_build_id(a, notes, (size_t)n) : NULL;
}

/* The images of -k, each to its side or to all. */
static int share_images(struct cli_options *o, const char *const *labels, uint32_t n_sides,
			struct pd_symbol_places *places, struct pd_error *err)
{
	for (uint32_t i = 0; i < o->images.n; i++) {
		const char *path;
		uint32_t side;
		int rc = cli_word_side("-k", &o->images, i, labels, n_sides, &side, &path, err);

		if (rc != PD_OK)
			return rc;
		for (uint32_t s = 0; s < n_sides; s++) {
			const char **images;

			if (side != s && side != CLI_ALL_SIDES)
				continue;
			images = cli_append(&o->arena, places[s].images, places[s].n_images,
					    sizeof(*images));
			if (!images)
				return pd_fail_nomem(err);
			images[places[s].n_images++] = path;
			places[s].images = images;
		}
	}
	return PD_OK;
}

/* The places of every side, in places [n_sides]. */
static int find_places(struct cli_options *o, const char *const *labels, uint32_t n_sides,
		       struct pd_symbol_places *places, struct pd_error *err)
{
	const struct {
		const char *option;
		const struct cli_words *words;
		size_t at;
	} kinds[] = {
		{"--kallsyms", &o->kallsyms, offsetof(struct pd_symbol_places, kallsyms)},
		{"--modules", &o->modules, offsetof(struct pd_symbol_places, modules)},
		{"--symfs", &o->symfs, offsetof(struct pd_symbol_places, symfs)},
		{"--debug-dir", &o->debug_dirs, offsetof(struct pd_symbol_places, debug_dir)},
	};
	const char **values = pd_arena_array(&o->arena, n_sides, sizeof(*values));
	const char *home = getenv("HOME"), *cache_dir = NULL, *build_id;
	int rc = values ? PD_OK : pd_fail_nomem(err);

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && rc == PD_OK; k++) {
		rc = cli_side_values(kinds[k].option, kinds[k].words, labels, n_sides, values, err);
		for (uint32_t s = 0; s < n_sides && rc == PD_OK; s++)
			memcpy((char *)&places[s] + kinds[k].at, &values[s], sizeof(*values));
	}
	if (rc == PD_OK)
		rc = share_images(o, labels, n_sides, places, err);
	if (home && *home)
		cache_dir = pd_arena_printf(&o->arena, "%s/.debug", home);
	build_id = running_build_id(&o->arena);
	for (uint32_t s = 0; s < n_sides && rc == PD_OK; s++) {
		places[s].cache_dir = cache_dir;
		places[s].running_build_id = build_id;
	}
	return rc;
}

static int find_rows(const struct cli_options *o, enum pd_site_rows *ret_rows, struct pd_error *err)
{
	static const enum pd_site_rows rows[] = {
		[CLI_BY_FUNCTION] = PD_ROWS_FUNCTION, [CLI_BY_MODULE] = PD_ROWS_MODULE,
		[CLI_BY_COMM] = PD_ROWS_COMM,         [CLI_BY_FILE] = PD_ROWS_FILE,
		[CLI_BY_LINE] = PD_ROWS_LINE,         [CLI_BY_DIR] = PD_ROWS_DIR,
		[CLI_BY_MAINTAINER] = PD_ROWS_FILE,
	};

	if (o->by == CLI_BY_SECTION)
		return pd_fail(err, PD_ERR_USAGE, "--by=section: only sizes have sections");
	*ret_rows = rows[o->by];
	return PD_OK;
}

static void name_one(void *context, uint32_t i)
{
	struct jobs *jobs = context;
	struct job *job = &jobs->items[i];

	job->rc = pd_symbolize(job->profile, job->places, &jobs->options, &job->diags, &job->err);
}

/* What needs addresses, of a profile that has none. */
static int check_rows(const struct cli_options *o, const struct pd_profile *p,
		      struct pd_error *err)
{
	bool is_rollup = o->by == CLI_BY_MODULE || o->by == CLI_BY_FILE || o->by == CLI_BY_DIR ||
			 o->by == CLI_BY_MAINTAINER;

	/* A comparison sums the functions of texts by what images tell of them. */
	if (!p->n_events || (o->by == CLI_BY_FUNCTION && !o->shows_inlined) ||
	    (is_rollup && o->command == CLI_COMPARE))
		return PD_OK;
	return pd_wrap(err, pd_fail(err, PD_ERR_USAGE, "it has no addresses (%s): %s needs a "
				    "recording", p->format,
				    o->by == CLI_BY_FUNCTION ? "--inline" : "--by"), p->path);
}

/* List the recordings; places are [sides], in the order as shown. */
static int list_jobs(const struct cli_options *o, const struct cli_inputs *in,
		     const struct cli_sides *sides, const struct pd_symbol_places *places,
		     struct jobs *jobs, struct pd_error *err)
{
	for (uint32_t i = 0; i < in->n; i++) {
		const struct cli_input *input = &in->items[i];
		uint32_t side = 0;

		for (uint32_t s = 0; input->variant && sides && s < sides->n; s++)
			if (sides->items[s].place + 1 == input->variant)
				side = s;
		for (uint32_t k = 0; k < input->profiles.n; k++) {
			struct pd_profile *p = input->profiles.items[k];

			if (!p->recording) {
				int rc = check_rows(o, p, err);

				if (rc != PD_OK)
					return rc;
				continue;
			}
			jobs->items[jobs->n++] = (struct job){
				.profile = p, .places = &places[side],
			};
		}
	}
	return PD_OK;
}

int cli_symbolize(struct cli_options *o, struct cli_inputs *in, const struct cli_sides *sides,
		  struct pd_error *err)
{
	static const char *const no_label[1];
	uint32_t n_sides = sides ? sides->n : 1, n_profiles = 0;
	const char *const *labels = sides ? cli_sides_labels(&o->arena, sides) : no_label;
	struct pd_symbol_places *places = pd_arena_array(&o->arena, n_sides, sizeof(*places));
	struct jobs jobs = {.options = {.shows_inlined = o->shows_inlined,
					.has_no_demangle = o->view.keeps_mangling,
					.keeps_addresses = o->command == CLI_ANNOTATE ||
						   o->command == CLI_WHY,
					.wants_calls = o->request.wants_calls,
					.limits = &o->limits}};
	int rc = labels && places ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0; i < in->n; i++)
		n_profiles += in->items[i].profiles.n;
	jobs.items = pd_arena_array(&o->arena, n_profiles, sizeof(*jobs.items));
	if (rc == PD_OK && !jobs.items)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK)
		rc = find_rows(o, &jobs.options.rows, err);
	if (rc == PD_OK)
		rc = find_places(o, labels, n_sides, places, err);
	if (rc == PD_OK)
		rc = list_jobs(o, in, sides, places, &jobs, err);
	if (rc != PD_OK)
		return rc;
	pd_pool_run(jobs.n, name_one, &jobs);
	for (uint32_t i = 0; i < jobs.n; i++) {
		pd_diags_move(&jobs.items[i].diags, in->diags);
		if (rc == PD_OK && jobs.items[i].rc != PD_OK) {
			rc = jobs.items[i].rc;
			*err = jobs.items[i].err;
		}
	}
	return rc;
}
