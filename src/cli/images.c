/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Images of sides. Contract: images.h.
 */
#include "cli/images.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/labels.h"
#include "cli/per_side.h"
#include "cli/rollups.h"
#include "cli/size_text.h"

/* The reading of one side: a thread of its own has nothing in common with the other. */
struct reading {
	struct pd_image_options options;
	struct pd_size_side *side;
	struct pd_diags diags;
	struct pd_error err;
	int rc;
};

void cli_images_done(struct cli_images *images)
{
	for (int s = 0; s < 2; s++) {
		struct pd_size_side *side = &images->sides[s];

		for (uint32_t i = 0; i < side->n_images; i++) {
			pd_image_free(side->images[i]);
			free((char *)(uintptr_t)side->modules[i]);
		}
		free(side->images);
		free(side->modules);
	}
	cli_sides_done(&images->names);
	*images = (struct cli_images){0};
}

static int add_image(struct reading *r, const char *path, const char *module)
{
	struct pd_size_side *side = r->side;
	size_t n = side->n_images + (size_t)1;
	struct pd_image **images = reallocarray(side->images, n, sizeof(struct pd_image *));
	const char **modules;
	char *name = strdup(module);
	int rc;

	side->images = images ? images : side->images;
	modules = reallocarray(side->modules, n, sizeof(*modules));
	side->modules = modules ? modules : side->modules;
	if (!images || !modules || !name) {
		free(name);
		return pd_fail_nomem(&r->err);
	}
	rc = pd_image_open(path, &r->options, &r->diags, &images[side->n_images], &r->err);
	if (rc != PD_OK) {
		free(name);
		return rc;
	}
	modules[side->n_images++] = name;
	return PD_OK;
}

static bool ends_with(struct pd_span s, const char *const *suffixes)
{
	for (; *suffixes; suffixes++)
		if (pd_span_ends(s, *suffixes))
			return true;
	return false;
}

static bool is_image_name(const char *path)
{
	static const char *const suffixes[] = {".ko", ".so", ".o", NULL};
	struct pd_span s = cli_plain_name(pd_span_of(path));

	return ends_with(s, suffixes) || pd_span_find(s, ".so.") != SIZE_MAX;
}

/* Whether a file begins as ELF does. */
static bool is_elf(const char *path)
{
	char magic[4] = "";
	FILE *f = fopen(path, "rbe");
	bool is = f && fread(magic, 1, sizeof(magic), f) == sizeof(magic) &&
		  !memcmp(magic, "\177ELF", sizeof(magic));

	if (f)
		(void)fclose(f);
	return is;
}

/* Paths of a folder's files; nftw() gives its callback no context. */
static _Thread_local struct pd_buf walked;

static int add_path(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)at;
	if (type == FTW_F && S_ISREG(st->st_mode) && st->st_size &&
	    (is_image_name(path) || is_elf(path)))
		pd_buf_add(&walked, path, strlen(path) + 1);
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* All images below a folder; each is a module called by its path there. */
static int read_folder(struct reading *r, const char *folder)
{
	size_t n = 0, skip = strlen(folder);
	const char **paths;
	int rc = PD_OK;

	walked = (struct pd_buf){0};
	if (nftw(folder, add_path, 32, FTW_PHYS) != 0 || walked.failed) {
		pd_buf_done(&walked);
		return pd_fail(&r->err, PD_ERR_IO, "cannot read the folder");
	}
	for (size_t i = 0; i < walked.len; i++)
		n += !walked.ptr[i];
	paths = calloc(n + 1, sizeof(*paths));
	n = 0;
	for (size_t i = 0; i < walked.len && paths; i += strlen(walked.ptr + i) + 1)
		paths[n++] = walked.ptr + i;
	if (paths)
		qsort(paths, n, sizeof(*paths), compare_paths);
	else
		rc = pd_fail_nomem(&r->err);
	for (size_t i = 0; i < n && rc == PD_OK; i++) {
		const char *from = paths[i] + skip + strspn(paths[i] + skip, "/");
		struct pd_span name = cli_plain_name(pd_span_of(from));
		char *module = strndup(name.ptr, name.len);

		rc = module ? add_image(r, paths[i], module) : pd_fail_nomem(&r->err);
		free(module);
		if (rc == PD_ERR_EMPTY || rc == PD_ERR_UNRECOGNISED) {
			pd_diags_add(&r->diags, PD_WARNING, "no-symbols", paths[i], 0,
				     "%s; left out", r->err.msg);
			r->err = (struct pd_error){0};
			rc = PD_OK;
		}
	}
	free(paths);
	pd_buf_done(&walked);
	if (rc == PD_OK && !r->side->n_images)
		rc = pd_fail(&r->err, PD_ERR_EMPTY, "no file in this folder is an image");
	return pd_wrap(&r->err, rc, folder);
}

static void *read_side(void *context)
{
	struct reading *r = context;
	struct stat st;

	if (stat(r->side->path, &st) == 0 && S_ISDIR(st.st_mode))
		r->rc = read_folder(r, r->side->path);
	else
		r->rc = add_image(r, r->side->path, "");
	return NULL;
}

/* "LABEL=PATH", unless a file is called so. */
static int name_side(const char *word, struct cli_side *side, struct pd_error *err)
{
	const char *equals = strchr(word, '=');

	if (equals && equals > word && !cli_path_exists(word)) {
		side->label = strndup(word, (size_t)(equals - word));
		word = equals + 1;
	}
	side->path = strdup(word);
	return side->path ? PD_OK : pd_fail_nomem(err);
}

static int name_sides(char *const words[2], struct cli_images *images, struct pd_error *err)
{
	struct cli_sides *names = &images->names;
	int rc = PD_OK;

	names->items = calloc(2, sizeof(*names->items));
	if (!names->items)
		return pd_fail_nomem(err);
	names->cap = 2;
	names->n = words[1] ? 2 : 1;
	for (uint32_t s = 0; s < names->n && rc == PD_OK; s++)
		rc = name_side(words[s], &names->items[s], err);
	if (rc == PD_OK)
		rc = cli_sides_label(names, err);
	for (uint32_t s = 0; s < names->n && rc == PD_OK; s++) {
		images->sides[s].label = names->items[s].label;
		images->sides[s].path = names->items[s].path;
	}
	return rc;
}

/* One file on both sides is no mistake that must stop anything, but worth a word. */
static void note_same_file(const struct cli_images *images, struct pd_diags *diags)
{
	struct stat a, b;

	if (images->names.n > 1 && stat(images->sides[0].path, &a) == 0 &&
	    stat(images->sides[1].path, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino)
		pd_diags_add(diags, PD_NOTE, "same-file", images->sides[0].path, 0,
			     "this file is compared with itself");
}

int cli_images_read(const struct cli_options *o, char *const words[2], enum pd_image_detail detail,
		    struct pd_diags *diags, struct cli_images *images, struct pd_error *err)
{
	struct reading readings[2] = {0};
	const char *debug_dirs[2] = {NULL, NULL}, *labels[2];
	pthread_t thread;
	bool has_thread = false;
	int rc = name_sides(words, images, err);

	for (int s = 0; s < 2; s++)
		labels[s] = images->sides[s].label;
	if (rc == PD_OK)
		rc = cli_side_values("--debug-dir", &o->debug_dirs, labels, images->names.n,
				     debug_dirs, err);
	if (rc != PD_OK)
		return rc;
	note_same_file(images, diags);
	for (int s = 0; s < 2; s++)
		readings[s] = (struct reading){
			.options = {
				.debug_dir = debug_dirs[s],
				.detail = detail,
				.wants_debuginfod = o->wants_debuginfod,
				/* Code refers to objects by their names. */
				.wants_objects = o->view.has_data || o->wants_code ||
						 o->pairs_code || o->command == CLI_ANNOTATE ||
						 o->command == CLI_WHY,
				.limits = &o->limits,
			},
			.side = &images->sides[s],
		};
	if (images->names.n > 1)
		has_thread = pthread_create(&thread, NULL, read_side, &readings[1]) == 0;
	(void)read_side(&readings[0]);
	if (has_thread)
		(void)pthread_join(thread, NULL);
	else if (images->names.n > 1)
		(void)read_side(&readings[1]);
	for (int s = 0; s < 2; s++) {
		pd_diags_move(&readings[s].diags, diags);
		if (rc == PD_OK && readings[s].rc != PD_OK) {
			rc = readings[s].rc;
			*err = readings[s].err;
		}
	}
	return rc;
}

/* The two words that name images: those behind --size, or those of -k. */
static int find_words(const struct cli_options *o, const char *option, char *const **ret_words,
		      struct pd_error *err)
{
	if (o->images.n && o->n_args)
		return pd_fail(err, PD_ERR_USAGE, "--%s: images are given by -k or as words, not "
			       "both", option);
	*ret_words = o->images.n ? o->images.items : o->args;
	if ((o->images.n ? o->images.n : o->n_args) != 2)
		return pd_fail(err, PD_ERR_USAGE, "--%s: expected two images; see --help", option);
	return PD_OK;
}

/* --by, as far as sizes have such rows. */
static int set_size_by(struct cli_options *o, struct pd_error *err)
{
	switch (o->by) {
	case CLI_BY_FUNCTION:
		o->size.by = PD_SIZE_BY_FUNCTION;
		return PD_OK;
	case CLI_BY_FILE:
		o->size.by = PD_SIZE_BY_FILE;
		return PD_OK;
	case CLI_BY_DIR:
		o->size.by = PD_SIZE_BY_DIR;
		return PD_OK;
	case CLI_BY_SECTION:
		o->size.by = PD_SIZE_BY_SECTION;
		return PD_OK;
	case CLI_BY_MAINTAINER:
		o->size.by = PD_SIZE_BY_MAINTAINER;
		return PD_OK;
	default:
		return pd_fail(err, PD_ERR_USAGE, "--by: sizes are by function, file, dir, "
			       "section or maintainer");
	}
}

int cli_size(struct cli_options *o, struct pd_diags *diags, struct pd_document **ret_document,
	     struct pd_error *err)
{
	struct cli_images images = {0};
	struct pd_sizes *sizes = NULL;
	struct pd_rollup rollup = {0};
	char *const *words = NULL;
	bool is_text = o->n_args == 1 && !o->images.n;
	int rc = is_text ? PD_OK : find_words(o, "size", &words, err);

	if (rc == PD_OK)
		rc = set_size_by(o, err);
	o->size.suffix = o->compare.suffix;
	o->size.wants_objects = o->view.has_data;
	o->size.wants_code = o->wants_code;
	o->size.pairs_code = o->pairs_code;
	o->size.wants_only_changes = !(o->view.parts & ~PD_PART_BLOCKS);
	o->size.filter = o->compare.filter;
	o->size.exclude = o->compare.exclude;
	if (rc == PD_OK && is_text)
		return cli_size_text(o, o->args[0], diags, ret_document, err);
	if (rc == PD_OK)
		rc = cli_rollup_read(o, diags, &rollup, err);
	o->size.maintainers = rollup.maintainers;
	if (rc == PD_OK)
		rc = cli_images_read(o, words,
				     o->has_no_dwarf ? PD_IMAGE_SYMBOLS : PD_IMAGE_INLINES, diags,
				     &images, err);
	if (rc == PD_OK)
		rc = pd_sizes_compare(images.sides, &o->size, &sizes, err);
	if (rc == PD_OK)
		rc = pd_report_sizes(sizes, &o->view, diags, ret_document, err);
	pd_sizes_free(sizes);
	pd_maintainers_free(rollup.maintainers);
	cli_images_done(&images);
	return rc;
}
