/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: read what the words name, make a document, write it out. Outputs
 * are opened before any work starts, so that a bad path fails at once.
 */
#include "cli/commands.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/annotate.h"
#include "cli/compare.h"
#include "cli/images.h"
#include "cli/inputs.h"
#include "cli/opts.h"
#include "cli/per_side.h"
#include "cli/progress.h"
#include "cli/review.h"
#include "cli/symbols.h"
#include "cli/tell.h"
#include "cli/terminal.h"
#include "cli/wanted.h"
#include "cli/why.h"
#include "io/source.h"
#include "io/writer.h"

static int exit_status(enum pd_code code)
{
	switch (code) {
	case PD_OK:
		return 0;
	case PD_ERR_USAGE:
		return 2;
	case PD_ERR_NOMEM:
	case PD_ERR_INTERNAL:
		return 4;
	default:
		return 3;
	}
}

/* All files that are shown: listed, read at once, then taken in order. */
static int read_shown(const struct cli_options *o, struct cli_inputs *in, struct cli_runs *runs,
		      struct pd_error *err)
{
	const char *no_label = NULL, *time;
	struct pd_error ignored = {0};
	int rc = cli_side_values("--time", &o->times, &no_label, 1, &time, err);

	in->request = o->request;
	if (rc == PD_OK && time)
		rc = cli_wanted_time(time, &in->request, err);
	if (rc != PD_OK)
		return rc;
	in->is_listing = true;
	for (uint32_t i = 0; i < o->n_args; i++)
		/* What goes wrong here goes wrong again below, in its place. */
		(void)!cli_inputs_read(in, o->args[i], true, runs, &ignored);
	in->is_listing = false;
	cli_inputs_fetch(in);
	for (uint32_t i = 0; i < o->n_args && rc == PD_OK; i++)
		rc = cli_inputs_read(in, o->args[i], true, runs, err);
	return rc;
}

/* All runs as one side; columns and sections of a file are no runs. */
static int add_shown_tree(const struct cli_runs *runs, struct pd_document *d,
			  struct pd_error *err)
{
	const struct pd_side_input side = {.label = "", .runs = runs->items, .n_runs = runs->n};

	for (uint32_t i = 0; i < runs->n && runs->n > 1; i++)
		if (runs->items[i]->section)
			return pd_fail(err, PD_ERR_USAGE, "-o: %s holds \"%s\" beside others; name "
				       "one: FILE#NAME", runs->items[i]->path,
				       runs->items[i]->section);
	return pd_report_add_tree(d, &side, 1, err);
}

/* Views of sizes and callers have no stacks. */
static int check_parts(const struct cli_options *o, struct pd_error *err)
{
	for (uint32_t i = 0; i < o->n_outputs; i++)
		if ((o->outputs[i].renderer->parts & PD_PART_TREE) && o->command != CLI_SHOW &&
		    o->command != CLI_COMPARE)
			return pd_fail(err, PD_ERR_USAGE, "-o %s: this view has no stacks",
				       o->outputs[i].renderer->name);
	return PD_OK;
}

static int make_show(struct cli_options *o, struct cli_inputs *in,
		     struct pd_document **ret_document, struct pd_error *err)
{
	struct cli_runs runs = {0};
	int rc = PD_OK;

	if (!o->n_args)
		rc = pd_fail(err, PD_ERR_USAGE, "--show: expected a file; see --help");
	else if (o->by == CLI_BY_MAINTAINER || o->maintainers_path)
		rc = pd_fail(err, PD_ERR_USAGE, "--by=maintainer: only of comparisons and sizes");
	if (rc == PD_OK)
		rc = read_shown(o, in, &runs, err);
	if (rc == PD_OK)
		rc = cli_symbolize(o, in, NULL, err);
	if (rc == PD_OK)
		rc = pd_report_show(runs.items, runs.n, &o->view, in->diags, ret_document, err);
	if (rc == PD_OK && (o->view.parts & PD_PART_TREE))
		rc = add_shown_tree(&runs, *ret_document, err);
	cli_runs_done(&runs);
	return rc;
}

static void abort_writers(struct pd_writer *writers, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		pd_writer_abort(&writers[i]);
}

/* Whether one of these words is that file; "LABEL=PATH" is its path. */
static bool has_file(char *const *words, uint32_t n, const struct stat *file)
{
	for (uint32_t i = 0; i < n; i++) {
		const char *equals = strchr(words[i], '=');
		struct stat st;

		if ((stat(words[i], &st) == 0 || (equals && stat(equals + 1, &st) == 0)) &&
		    st.st_dev == file->st_dev && st.st_ino == file->st_ino)
			return true;
	}
	return false;
}

/* An output must not destroy an input, or another output. */
static int check_output(const struct cli_options *o, uint32_t output, struct pd_error *err)
{
	const char *path = o->outputs[output].path;
	struct stat st;

	for (uint32_t i = 0; i < output; i++)
		if (o->outputs[i].path && !strcmp(path, o->outputs[i].path))
			return pd_fail(err, PD_ERR_USAGE, "-o: %s is named twice", path);
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return PD_OK;
	if (has_file(o->args, o->n_args, &st) || has_file(o->images.items, o->images.n, &st) ||
	    has_file(o->kallsyms.items, o->kallsyms.n, &st) ||
	    has_file(o->bench.items, o->bench.n, &st))
		return pd_fail(err, PD_ERR_USAGE, "-o: %s is an input", path);
	return PD_OK;
}

static int open_writers(const struct cli_options *o, struct pd_writer *writers,
			struct pd_error *err)
{
	for (uint32_t i = 0; i < o->n_outputs; i++) {
		int rc = PD_OK;

		if (o->outputs[i].path)
			rc = check_output(o, i, err);
		if (rc == PD_OK && o->outputs[i].path)
			rc = pd_writer_create(o->outputs[i].path, &writers[i], err);
		else if (rc == PD_OK)
			pd_writer_init_fd(&writers[i], STDOUT_FILENO);
		if (rc != PD_OK) {
			abort_writers(writers, i);
			return rc;
		}
	}
	return PD_OK;
}

/* https://no-color.org: set and not empty means no. */
static bool wants_color(const struct cli_options *o, bool is_terminal)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color != CLI_COLOR_AUTO)
		return o->color == CLI_COLOR_ALWAYS;
	return is_terminal && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

static int write_outputs(const struct cli_options *o, const struct pd_document *d,
			 bool is_terminal, uint32_t terminal_width, struct pd_writer *writers,
			 struct pd_error *err)
{
	struct pd_render_options render = o->render;

	for (uint32_t i = 0; i < o->n_outputs; i++) {
		bool is_seen = is_terminal && !o->outputs[i].path;
		int rc;

		render.has_color = wants_color(o, is_seen);
		render.width = is_seen && terminal_width && !o->has_width ? terminal_width
									  : o->render.width;
		o->outputs[i].renderer->render(d, &render, &writers[i]);
		rc = pd_writer_close(&writers[i], err);
		if (rc != PD_OK) {
			abort_writers(writers + i + 1, o->n_outputs - i - 1);
			return rc;
		}
	}
	return PD_OK;
}

static int write_document(const struct cli_options *o, const struct pd_document *d,
			  struct pd_writer *writers, struct pd_error *err)
{
	/* Behind a pager it is none any more. */
	bool is_terminal = isatty(STDOUT_FILENO), is_seen = false;
	uint32_t width = cli_terminal_width();
	struct cli_pager pager = {0};
	int rc;

	for (uint32_t i = 0; i < o->n_outputs; i++)
		is_seen |= !o->outputs[i].path;
	if (is_seen && !o->has_no_pager)
		cli_pager_start(&pager);
	rc = write_outputs(o, d, is_terminal, width, writers, err);
	cli_pager_stop(&pager);
	return rc;
}

/* Commands that read inputs. */
static int run_command(struct cli_options *o, uint32_t *ret_n_findings, struct pd_error *err)
{
	struct pd_writer *writers = pd_arena_array(&o->arena, o->n_outputs, sizeof(*writers));
	struct pd_diags diags = {0};
	struct cli_progress progress = {0};
	struct cli_inputs in = {.o = o, .diags = &diags, .progress = &progress};
	struct pd_document *d = NULL;
	int rc = check_parts(o, err);

	if (rc == PD_OK)
		rc = writers ? open_writers(o, writers, err) : pd_fail_nomem(err);
	if (rc != PD_OK)
		return rc;
	for (uint32_t i = 0; i < o->n_outputs; i++)
		o->view.parts |= o->outputs[i].renderer->parts;
	o->request.wants_calls = o->view.parts & PD_PART_TREE;
	o->request.wants_stacks = o->compare.is_inclusive || o->request.wants_calls;
	if (!o->is_quiet)
		cli_progress_start(&progress);
	if (o->command == CLI_SHOW)
		rc = make_show(o, &in, &d, err);
	else if (o->command == CLI_SIZE)
		rc = cli_size(o, &diags, &d, err);
	else if (o->command == CLI_CALLERS)
		rc = cli_callers(o, &in, &d, err);
	else if (o->command == CLI_WHY)
		rc = cli_why(o, &in, &d, err);
	else if (o->command == CLI_ANNOTATE)
		rc = cli_annotate(o, &in, &d, err);
	else if (o->command == CLI_REVIEW)
		rc = cli_review(o, &in, &d, ret_n_findings, err);
	else if (o->command == CLI_SAVE_NOISE)
		rc = cli_save_noise(o, &in, err);
	else
		rc = cli_compare(o, &in, &d, ret_n_findings, err);
	cli_progress_stop(&progress);
	if (rc == PD_OK && pd_source_was_cut())
		rc = pd_fail(err, PD_ERR_TRUNCATED, "a file became shorter while it was read");
	if (rc == PD_OK && !o->is_quiet)
		cli_tell_diags(&diags);
	if (rc == PD_OK && d)
		rc = write_document(o, d, writers, err);
	else
		abort_writers(writers, o->n_outputs);
	pd_document_free(d);
	cli_inputs_done(&in);
	pd_diags_done(&diags);
	return rc;
}

/* Commands that are about the program itself. */
static int run_about(const struct cli_options *o, struct pd_error *err)
{
	enum cli_command command = o->command;
	struct pd_writer out;

	pd_writer_init_fd(&out, STDOUT_FILENO);
	if (command == CLI_COMPLETION)
		cli_completion(&out, o->shell);
	else if (command == CLI_VERSION)
		cli_version(&out);
	else if (command == CLI_LIST_FORMATS)
		cli_list_formats(&out);
	else if (command == CLI_LIST_COLUMNS)
		cli_list_columns(&out);
	else
		cli_help(&out, command == CLI_HELP_ALL);
	return pd_writer_close(&out, err);
}

int cli_run(int argc, char **argv)
{
	struct cli_options o = {0};
	struct pd_diags diags = {0};
	struct pd_error err = {0};
	uint32_t n_findings = 0;
	int rc = cli_options_parse(argc, argv, &o, &diags, &err);

	/* "profdiff ... | head" ends by an error of write(), not by a signal. */
	(void)signal(SIGPIPE, SIG_IGN);
	pd_source_guard();
	if (rc != PD_OK || !o.is_quiet)
		cli_tell_diags(&diags);
	if (rc == PD_OK && o.command <= CLI_SAVE_NOISE)
		rc = run_command(&o, &n_findings, &err);
	else if (rc == PD_OK)
		rc = run_about(&o, &err);
	if (rc != PD_OK)
		cli_tell(err.path, err.line, err.msg);
	pd_diags_done(&diags);
	cli_options_done(&o);
	return rc == PD_OK && n_findings ? 1 : exit_status(rc);
}
