/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands: read what the words name, make a document, write it out. Outputs
 * are opened before any work starts, so that a bad path fails at once.
 */
#include "cli/commands.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/inputs.h"
#include "cli/opts.h"
#include "cli/sides.h"
#include "io/writer.h"
#include "render/layout.h"

/* "profdiff: base.txt:1204: text" on standard error, safe for a terminal. */
static void tell(const char *path, uint32_t line, const char *text)
{
	struct pd_writer w;
	struct pd_buf b = {0};

	pd_buf_add_str(&b, "profdiff: ");
	if (path && *path) {
		pd_layout_add_safe(&b, pd_span_of(path));
		if (line)
			pd_buf_printf(&b, ":%u", line);
		pd_buf_add_str(&b, ": ");
	}
	pd_layout_add_safe(&b, pd_span_of(text));
	pd_buf_add_char(&b, '\n');
	pd_writer_init_fd(&w, STDERR_FILENO);
	pd_writer_add(&w, b.ptr, b.len);
	/* Nowhere is left to complain of a failure to complain. */
	if (pd_writer_close(&w, NULL) != PD_OK)
		pd_writer_abort(&w);
	pd_buf_done(&b);
}

static void tell_diags(const struct pd_diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct pd_diag *x = &diags->items[i];
		char more[64] = "";
		char *text;

		if (x->n_repeats)
			(void)snprintf(more, sizeof(more), " (and %u more like this)",
				       x->n_repeats);
		if (asprintf(&text, "%s%s", x->text, more) < 0)
			continue;
		tell(x->path, x->line, text);
		free(text);
	}
}

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

/* Compare what the words name. */
static int make_comparison(struct cli_options *o, struct cli_inputs *in,
			   struct pd_document **ret_document, struct pd_error *err)
{
	struct pd_side_input *inputs = NULL;
	struct pd_comparison *c = NULL;
	struct cli_sides sides = {0};
	int rc = cli_sides_read(in, o->args, o->n_args, o->base_label, &sides, err);

	if (rc == PD_OK) {
		inputs = pd_arena_array(&o->arena, sides.n, sizeof(*inputs));
		if (!inputs)
			rc = pd_fail_nomem(err);
	}
	for (uint32_t i = 0; i < sides.n && rc == PD_OK; i++)
		inputs[i] = (struct pd_side_input){
			.label = sides.items[i].label,
			.runs = sides.items[i].runs.items,
			.n_runs = sides.items[i].runs.n,
		};
	if (rc == PD_OK)
		rc = pd_compare(inputs, sides.n, &o->compare, in->diags, &c, err);
	if (rc == PD_OK)
		rc = pd_report_functions(c, &o->view, in->diags, ret_document, err);
	pd_comparison_free(c);
	cli_sides_done(&sides);
	return rc;
}

static int make_show(struct cli_options *o, struct cli_inputs *in,
		     struct pd_document **ret_document, struct pd_error *err)
{
	struct cli_runs runs = {0};
	int rc = PD_OK;

	if (!o->n_args)
		rc = pd_fail(err, PD_ERR_USAGE, "--show: expected a file; see --help");
	for (uint32_t i = 0; i < o->n_args && rc == PD_OK; i++)
		rc = cli_inputs_read(in, o->args[i], true, &runs, err);
	if (rc == PD_OK)
		rc = pd_report_show(runs.items, runs.n, &o->view, in->diags, ret_document, err);
	cli_runs_done(&runs);
	return rc;
}

static void abort_writers(struct pd_writer *writers, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		pd_writer_abort(&writers[i]);
}

static int open_writers(const struct cli_options *o, struct pd_writer *writers,
			struct pd_error *err)
{
	for (uint32_t i = 0; i < o->n_outputs; i++) {
		int rc = PD_OK;

		if (o->outputs[i].path)
			rc = pd_writer_create(o->outputs[i].path, &writers[i], err);
		else
			pd_writer_init_fd(&writers[i], STDOUT_FILENO);
		if (rc != PD_OK) {
			abort_writers(writers, i);
			return rc;
		}
	}
	return PD_OK;
}

/* https://no-color.org: set and not empty means no. */
static bool wants_color(const struct cli_options *o, const struct cli_output *output)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (o->color != CLI_COLOR_AUTO)
		return o->color == CLI_COLOR_ALWAYS;
	return !output->path && isatty(STDOUT_FILENO) && !(no_color && *no_color) && term &&
	       strcmp(term, "dumb") != 0;
}

static int write_document(const struct cli_options *o, const struct pd_document *d,
			  struct pd_writer *writers, struct pd_error *err)
{
	struct pd_render_options render = o->render;

	for (uint32_t i = 0; i < o->n_outputs; i++) {
		int rc;

		render.has_color = wants_color(o, &o->outputs[i]);
		o->outputs[i].renderer->render(d, &render, &writers[i]);
		rc = pd_writer_close(&writers[i], err);
		if (rc != PD_OK) {
			abort_writers(writers + i + 1, o->n_outputs - i - 1);
			return rc;
		}
	}
	return PD_OK;
}

/* Commands that read inputs. */
static int run_command(struct cli_options *o, struct pd_error *err)
{
	struct pd_writer *writers = pd_arena_array(&o->arena, o->n_outputs, sizeof(*writers));
	struct pd_diags diags = {0};
	struct cli_inputs in = {.format = o->format, .limits = &o->limits, .diags = &diags};
	struct pd_document *d = NULL;
	int rc = writers ? open_writers(o, writers, err) : pd_fail_nomem(err);

	if (rc != PD_OK)
		return rc;
	rc = o->command == CLI_SHOW ? make_show(o, &in, &d, err) : make_comparison(o, &in, &d, err);
	if (rc == PD_OK && !o->is_quiet)
		tell_diags(&diags);
	if (rc == PD_OK)
		rc = write_document(o, d, writers, err);
	else
		abort_writers(writers, o->n_outputs);
	pd_document_free(d);
	cli_inputs_done(&in);
	pd_diags_done(&diags);
	return rc;
}

/* Commands that are about the program itself. */
static int run_about(enum cli_command command, struct pd_error *err)
{
	struct pd_writer out;

	pd_writer_init_fd(&out, STDOUT_FILENO);
	if (command == CLI_VERSION)
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
	struct pd_error err = {0};
	int rc = cli_options_parse(argc, argv, &o, &err);

	/* "profdiff ... | head" ends by an error of write(), not by a signal. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (rc == PD_OK && (o.command == CLI_COMPARE || o.command == CLI_SHOW))
		rc = run_command(&o, &err);
	else if (rc == PD_OK)
		rc = run_about(o.command, &err);
	if (rc != PD_OK)
		tell(err.path, err.line, err.msg);
	cli_options_done(&o);
	return exit_status(rc);
}
