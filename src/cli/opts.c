/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options: the table, and what each of them sets. cli/parse.c walks the command
 * line by it; what is wanted of single samples is set in cli/wanted.c.
 */
#include "cli/opts.h"

#include "analysis/conditions.h"
#include "base/num.h"
#include "base/suggest.h"
#include "base/text.h"
#include "cli/review.h"
#include "cli/wanted.h"
#include "report/columns.h"

static int fail_format(const char *what, const char *name, bool is_input, struct pd_error *err)
{
	struct pd_suggestion near = pd_suggest_for(pd_span_of(name));
	struct pd_buf text = {0};
	int rc;

	for (size_t i = 0; is_input && pd_formats[i]; i++)
		pd_suggest_offer(&near, pd_span_of(pd_formats[i]->name));
	for (size_t i = 0; !is_input && pd_renderers[i]; i++)
		pd_suggest_offer(&near, pd_span_of(pd_renderers[i]->name));
	rc = pd_fail(err, PD_ERR_USAGE, "%s \"%s\"%s; --list-formats has them", what, name,
		     pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
	return rc;
}

static int set_format(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->format = pd_format_find(value);
	if (!o->format)
		return fail_format("--format: no input format", value, true, err);
	return PD_OK;
}

static int set_suffix(struct cli_options *o, const char *value, struct pd_error *err)
{
	static const char *const words[] = {
		[PD_SUFFIX_GROUP] = "group", [PD_SUFFIX_EXACT] = "exact",
		[PD_SUFFIX_STRIP] = "strip",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(value, words[i])) {
			o->compare.suffix = (enum pd_suffix_mode)i;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "--suffix: expected group, exact or strip, found \"%s\"",
		       value);
}

static int set_normalize(struct cli_options *o, const char *value, struct pd_error *err)
{
	static const char *const words[] = {
		[PD_NORMALIZE_NONE] = "none", [PD_NORMALIZE_MEDIAN] = "median",
		[PD_NORMALIZE_TOTAL] = "total",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(value, words[i])) {
			o->compare.normalize = (enum pd_normalize)i;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "--normalize: expected none, median or total, found "
		       "\"%s\"", value);
}

/* A number above 0 and below max, or USAGE. */
static int parse_fraction(const char *option, const char *value, double max, double *ret_x,
			  struct pd_error *err)
{
	if (pd_num_parse(pd_span_of(value), ret_x) && *ret_x > 0 && *ret_x < max)
		return PD_OK;
	return pd_fail(err, PD_ERR_USAGE, "--%s: expected a number above 0 and below %g, found "
		       "\"%s\"", option, max, value);
}

static int set_alpha(struct cli_options *o, const char *value, struct pd_error *err)
{
	return parse_fraction("alpha", value, 1, &o->compare.alpha, err);
}

static int set_equiv(struct cli_options *o, const char *value, struct pd_error *err)
{
	return parse_fraction("equiv", value, 100, &o->compare.equiv_ratio, err);
}

static int set_color(struct cli_options *o, const char *value, struct pd_error *err)
{
	static const char *const words[] = {
		[CLI_COLOR_AUTO] = "auto", [CLI_COLOR_ALWAYS] = "always",
		[CLI_COLOR_NEVER] = "never",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(value, words[i])) {
			o->color = (enum cli_color)i;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "--color: expected auto, always or never, found \"%s\"",
		       value);
}

static int set_style(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->render.has_utf8 = !strcmp(value, "utf8");
	if (!o->render.has_utf8 && strcmp(value, "ascii") != 0)
		return pd_fail(err, PD_ERR_USAGE, "--style: expected ascii or utf8, found \"%s\"",
			       value);
	return PD_OK;
}

static int set_completion(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->shell = value;
	if (strcmp(value, "bash") != 0 && strcmp(value, "zsh") != 0 && strcmp(value, "fish") != 0)
		return pd_fail(err, PD_ERR_USAGE, "--completion: expected bash, zsh or fish, found "
			       "\"%s\"", value);
	return PD_OK;
}

static int set_idle(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->view.has_idle_rows = !strcmp(value, "rows");
	if (!o->view.has_idle_rows && strcmp(value, "apart") != 0)
		return pd_fail(err, PD_ERR_USAGE, "--idle: expected apart or rows, found \"%s\"",
			       value);
	return PD_OK;
}

/* A whole number within limits, or USAGE. */
static int parse_number(const char *option, const char *value, uint64_t min, uint64_t max,
			uint64_t *ret_number, struct pd_error *err)
{
	if (pd_num_parse_u64(pd_span_of(value), ret_number) && *ret_number >= min &&
	    *ret_number <= max)
		return PD_OK;
	return pd_fail(err, PD_ERR_USAGE, "--%s: expected a whole number from %llu to %llu, "
		       "found \"%s\"", option, (unsigned long long)min, (unsigned long long)max,
		       value);
}

static int set_top(struct cli_options *o, const char *value, struct pd_error *err)
{
	uint64_t n;
	int rc = parse_number("top", value, 0, UINT32_MAX, &n, err);

	if (rc == PD_OK)
		o->view.n_top = (uint32_t)n;
	o->view.has_top = true;
	return rc;
}

static int set_width(struct cli_options *o, const char *value, struct pd_error *err)
{
	uint64_t n;
	int rc = parse_number("width", value, 20, 10000, &n, err);

	if (rc == PD_OK)
		o->render.width = (uint32_t)n;
	o->has_width = true;
	return rc;
}

static int set_max_inflated(struct cli_options *o, const char *value, struct pd_error *err)
{
	uint64_t n;
	int rc = parse_number("max-inflated", value, 1, SIZE_MAX / 8, &n, err);

	if (rc == PD_OK)
		o->limits.inflated_bytes = (size_t)n;
	return rc;
}

static int set_max_functions(struct cli_options *o, const char *value, struct pd_error *err)
{
	uint64_t n;
	int rc = parse_number("max-functions", value, 1, UINT32_MAX / 4, &n, err);

	if (rc == PD_OK)
		o->limits.n_functions = (uint32_t)n;
	return rc;
}

static int set_min_ticks(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->view.has_min_ticks = true;
	if (!pd_num_parse(pd_span_of(value), &o->view.min_ticks) || o->view.min_ticks < 0)
		return pd_fail(err, PD_ERR_USAGE, "--min-ticks: expected a number, found \"%s\"",
			       value);
	return PD_OK;
}

void *cli_append(struct pd_arena *a, const void *items, uint32_t n, size_t size)
{
	void *more = pd_arena_array(a, (size_t)n + 1, size);

	if (more && n)
		memcpy(more, items, n * size);
	return more;
}

/* NAME=FUNC,FUNC,... */
static int set_group(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char *equals = strchr(value, '=');
	struct pd_group *groups = cli_append(&o->arena, o->compare.groups, o->compare.n_groups,
					 sizeof(*groups));
	struct pd_group *g;
	const char **members = NULL;
	char *list;

	if (!equals || equals == value || !equals[1])
		return pd_fail(err, PD_ERR_USAGE,
			       "--group: expected NAME=FUNC,FUNC,..., found \"%s\"", value);
	list = pd_arena_strndup(&o->arena, equals + 1, strlen(equals + 1));
	if (!groups || !list)
		return pd_fail_nomem(err);
	g = &groups[o->compare.n_groups];
	g->name = pd_arena_strndup(&o->arena, value, (size_t)(equals - value));
	for (char *word = strsep(&list, ","); word; word = strsep(&list, ",")) {
		if (!*word)
			continue;
		members = cli_append(&o->arena, members, g->n_members, sizeof(*members));
		if (!members)
			return pd_fail_nomem(err);
		members[g->n_members++] = word;
	}
	if (!g->name)
		return pd_fail_nomem(err);
	g->members = members;
	o->compare.groups = groups;
	o->compare.n_groups++;
	return PD_OK;
}

/* OLD=NEW; the last "=" parts them, since C++ names may have others. */
static int set_map(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char *equals = strrchr(value, '=');
	struct pd_rename *renames = cli_append(&o->arena, o->compare.renames, o->compare.n_renames,
					   sizeof(*renames));

	if (!equals || equals == value || !equals[1])
		return pd_fail(err, PD_ERR_USAGE, "--map: expected OLD=NEW, found \"%s\"", value);
	if (!renames)
		return pd_fail_nomem(err);
	renames[o->compare.n_renames].from =
		pd_arena_strndup(&o->arena, value, (size_t)(equals - value));
	renames[o->compare.n_renames].to = equals + 1;
	if (!renames[o->compare.n_renames].from)
		return pd_fail_nomem(err);
	o->compare.renames = renames;
	o->compare.n_renames++;
	return PD_OK;
}

static int set_rewrite(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char **rewrites = cli_append(&o->arena, o->compare.rewrites, o->compare.n_rewrites,
				       sizeof(*rewrites));

	if (!rewrites)
		return pd_fail_nomem(err);
	rewrites[o->compare.n_rewrites++] = value;
	o->compare.rewrites = rewrites;
	return PD_OK;
}

static int set_fail_on(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char **conditions = cli_append(&o->arena, o->fail_on, o->n_fail_on,
					     sizeof(*conditions));
	int rc = pd_conditions_check(value, err);

	if (rc != PD_OK)
		return rc;
	if (!conditions)
		return pd_fail_nomem(err);
	conditions[o->n_fail_on++] = value;
	o->fail_on = conditions;
	return PD_OK;
}

static int set_by(struct cli_options *o, const char *value, struct pd_error *err)
{
	static const struct {
		const char *name;
		enum cli_by by;
	} names[] = {
		{"function", CLI_BY_FUNCTION}, {"module", CLI_BY_MODULE}, {"comm", CLI_BY_COMM},
		{"file", CLI_BY_FILE},         {"line", CLI_BY_LINE},     {"dir", CLI_BY_DIR},
		{"section", CLI_BY_SECTION},   {"maintainer", CLI_BY_MAINTAINER},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(value, names[i].name)) {
			o->by = names[i].by;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "--by: expected function, module, comm, file, line, dir, "
		       "section or maintainer, found \"%s\"", value);
}

static int set_columns(struct cli_options *o, const char *value, struct pd_error *err)
{
	int rc = pd_slots_check(value, err);

	if (rc == PD_OK)
		o->view.columns = value;
	return rc;
}

static int set_inline(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->shows_inlined = !strcmp(value, "show");
	if (!o->shows_inlined && strcmp(value, "hide") != 0)
		return pd_fail(err, PD_ERR_USAGE, "--inline: expected show or hide, found \"%s\"",
			       value);
	return PD_OK;
}

static int set_asm_syntax(struct cli_options *o, const char *value, struct pd_error *err)
{
	o->syntax = !strcmp(value, "intel") ? PD_ASM_INTEL : PD_ASM_ATT;
	if (o->syntax == PD_ASM_ATT && strcmp(value, "att") != 0)
		return pd_fail(err, PD_ERR_USAGE, "--asm-syntax: expected att or intel, found "
			       "\"%s\"", value);
	return PD_OK;
}

static int set_separator(struct cli_options *o, const char *value, struct pd_error *err)
{
	if (!strcmp(value, "\\t"))
		value = "\t";
	if (!value[0] || value[1] || (unsigned char)value[0] > 126)
		return pd_fail(err, PD_ERR_USAGE, "-t: expected one character, found \"%s\"",
			       value);
	o->render.separator = value[0];
	return PD_OK;
}

/* FORMAT[:FILE] */
static int set_output(struct cli_options *o, const char *value, struct pd_error *err)
{
	const char *colon = strchr(value, ':');
	char *name = pd_arena_strndup(&o->arena, value,
				      colon ? (size_t)(colon - value) : strlen(value));
	struct cli_output *outputs = cli_append(&o->arena, o->outputs, o->n_outputs,
						sizeof(*outputs));

	if (!name || !outputs)
		return pd_fail_nomem(err);
	outputs[o->n_outputs].renderer = pd_renderer_find(name);
	/* "-" is standard output here as it is standard input there. */
	outputs[o->n_outputs].path = colon && strcmp(colon + 1, "-") != 0 ? colon + 1 : NULL;
	if (!outputs[o->n_outputs].renderer)
		return fail_format("-o: no output format", name, false, err);
	if (colon && !colon[1])
		return pd_fail(err, PD_ERR_USAGE, "-o: expected a file behind \"%s\"", value);
	o->outputs = outputs;
	o->n_outputs++;
	return PD_OK;
}

#define STRING(field) .string_at = offsetof(struct cli_options, field)
#define WORDS(field) .words_at = offsetof(struct cli_options, field)
#define FLAG(field) .flag_at = offsetof(struct cli_options, field)
#define COMMAND(value) .command = value

const struct cli_option cli_option_table[] = {
	{"show", 0, NULL, false, "What to do:", "show each file as it was understood",
	 COMMAND(CLI_SHOW)},
	{"size", 0, NULL, false, NULL, "compare the sizes of two images or folders of modules",
	 COMMAND(CLI_SIZE)},
	{"callers", 0, "FUNC", true, NULL, "who calls FUNC, and has it inlined, in two images",
	 STRING(callers_of), .command = CLI_CALLERS},
	{"report", 0, NULL, true, NULL, "all that there is to say, for a patch mail",
	 COMMAND(CLI_REVIEW)},
	{"sections", 0, "LIST", false, NULL, "of --report; -NAME leaves one out",
	 .set = cli_set_sections},
	{"explain", 0, NULL, false, NULL, "where the cost went: the change as a sum of parts",
	 FLAG(view.explains)},
	{"why", 0, "FUNC", false, NULL, "all that there is to say of FUNC, on one page",
	 STRING(why_of), .command = CLI_WHY},
	{"annotate", 0, "FUNC", false, NULL, "the code of FUNC in two images, side by side",
	 STRING(annotated), .command = CLI_ANNOTATE},
	{"image", 'k', "[LABEL=]FILE", true, "Images:",
	 "an image of a side: vmlinux, System.map, ...",
	 WORDS(images)},
	{"vmlinux", 0, "[LABEL=]FILE", false, NULL, "the same as -k", WORDS(images)},
	{"kallsyms", 0, "[LABEL=]FILE", false, NULL, "where the kernel's names come from",
	 WORDS(kallsyms)},
	{"modules", 0, "[LABEL=]FOLDER", false, NULL, "where a side's kernel modules are",
	 WORDS(modules)},
	{"symfs", 0, "[LABEL=]FOLDER", false, NULL, "below it are the files of recordings",
	 WORDS(symfs)},
	{"data", 0, NULL, false, NULL, "sizes of objects, too", FLAG(view.has_data)},
	{"same-code", 0, NULL, false, NULL, "--size: tell whether the code is the same",
	 FLAG(wants_code)},
	{"no-dwarf", 0, NULL, false, NULL, "symbols only: faster, without files and inlines",
	 FLAG(has_no_dwarf)},
	{"no-demangle", 0, NULL, false, NULL, "names as in the symbol table",
	 .is_habit = true, FLAG(view.keeps_mangling)},
	{"asm-syntax", 0, "NAME", false, NULL, "of x86 instructions: att or intel",
	 .is_habit = true, .values = "att intel", .set = set_asm_syntax},
	{"source-dir", 0, "[LABEL=]FOLDER", false, NULL, "below it are the sources of a side",
	 WORDS(source_dirs)},
	{"debug-dir", 0, "[LABEL=]FOLDER", false, NULL, "separate debug files (/usr/lib/debug)",
	 WORDS(debug_dirs)},
	{"debuginfod", 0, NULL, false, NULL, "ask DEBUGINFOD_URLS for missing debug files",
	 FLAG(wants_debuginfod)},
	{"base", 0, "LABEL", false, "Sides:", "the side that others are compared with",
	 STRING(base_label)},
	{"format", 0, "NAME", true, NULL, "input format, instead of finding it by content",
	 .set = set_format},
	{"event", 'e', "NAME,NAME", true, "Samples:", "only these events", .set = cli_set_events},
	{"inclusive", 0, NULL, true, NULL, "costs with all callees, not a function's own",
	 FLAG(compare.is_inclusive)},
	{"comms", 'C', "NAME,NAME", false, NULL, "only samples of these commands",
	 .set = cli_set_comms},
	{"pid", 0, "PID,PID", false, NULL, "only samples of these processes", .set = cli_set_pids},
	{"tid", 0, "TID,TID", false, NULL, "only samples of these threads", .set = cli_set_tids},
	{"cpu", 0, "CPU,CPU-CPU", false, NULL, "only samples of these processors",
	 .set = cli_set_cpus},
	{"time", 0, "[LABEL=]FROM,TO", false, NULL, "only samples of this time: s, or 10%-40%",
	 WORDS(times)},
	{"by", 0, "WHAT", false, "Rows:",
	 "function, module, comm, file, line, dir, section",
	 .values = "function module comm file line dir section maintainer", .set = set_by},
	{"maintainers", 0, "FILE", false, NULL, "a MAINTAINERS file: rows are its sections",
	 STRING(maintainers_path)},
	{"inline", 0, "HOW", false, NULL, "show: inlined bodies are functions of their own",
	 .set = set_inline},
	{"symbols", 'S', "NAME,NAME", false, NULL, "only these functions",
	 .set = cli_set_symbols},
	{"dsos", 'd', "NAME,NAME", false, NULL, "only functions of these modules",
	 .set = cli_set_dsos},
	{"group", 0, "NAME=F,F", true, NULL, "add the sum of some functions as one row",
	 .set = set_group},
	{"suffix", 0, "MODE", false, NULL,
	 "variants like foo.cold: group, exact or strip", .values = "group exact strip",
	 .set = set_suffix},
	{"map", 0, "OLD=NEW", false, NULL, "the function OLD is called NEW now", .set = set_map},
	{"pair-code", 0, NULL, false, NULL, "functions renamed with the same code are one row",
	 FLAG(pairs_code)},
	{"rewrite", 0, "s/RE/TEXT/", false, NULL, "change names before they are joined",
	 .set = set_rewrite},
	{"filter", 0, "REGEX", true, NULL, "compare only functions that match",
	 STRING(compare.filter)},
	{"exclude", 0, "REGEX", false, NULL, "leave out functions that match",
	 STRING(compare.exclude)},
	{"sort", 's', "COLUMNS", true, NULL, "order of rows: delta-abs, delta, base, ...",
	 .is_habit = true, .set = cli_set_sort},
	{"top", 'n', "N", true, NULL, "show the N largest increases and decreases",
	 .is_habit = true, .set = set_top},
	{"min-ticks", 0, "N", false, NULL, "hide rows that are below N on every side",
	 .set = set_min_ticks},
	{"normalize", 0, "HOW", true, "Statistics:", "none, median (unequal work) or total",
	 .values = "none median total", .set = set_normalize},
	{"work", 0, "METRIC|V,V...", false, NULL, "units of work of each run or side",
	 STRING(work)},
	{"per", 0, "METRIC[=V,V...]", false, NULL, "costs per unit of a metric", STRING(per)},
	{"bench", 0, "[LABEL=]FILE", true, NULL, "benchmark results of a side, or of all",
	 WORDS(bench)},
	{"alpha", 0, "X", false, NULL, "false discovery rate (0.05)", .set = set_alpha},
	{"equiv", 0, "X", false, NULL, "margin of the verdict \"same\" (0.05)", .set = set_equiv},
	{"noise", 0, "FILE", false, NULL, "a history of replicate runs", STRING(noise_path)},
	{"save-noise", 0, "FILE", false, NULL, "write the history of one side's runs",
	 STRING(save_noise_path), .command = CLI_SAVE_NOISE},
	{"fail-on", 0, "CONDITIONS", true, NULL, "exit with 1 if a row fulfils them all",
	 .set = set_fail_on},
	{"idle", 0, "HOW", false, "Output:", "idle functions: apart, below the others, or rows",
	 .is_habit = true, .values = "apart rows", .set = set_idle},
	{"all", 0, NULL, false, NULL, "--annotate: instructions that are the same, too",
	 .is_habit = true, FLAG(view.shows_all)},
	{"runs", 0, NULL, true, NULL, "show the numbers of every run", .is_habit = true,
	 FLAG(view.shows_runs)},
	{"columns", 0, "COLUMNS", false, NULL, "the columns, instead of the usual ones",
	 .is_habit = true, .set = set_columns},
	{"output", 'o', "FORMAT[:FILE]", true, NULL,
	 "text, markdown, json, csv or tsv; repeatable", .set = set_output},
	{"field-separator", 't', "CHAR", false, NULL, "separator of csv and tsv",
	 .set = set_separator},
	{"width", 0, "N", false, NULL, "columns of a line (the terminal's, else 78)",
	 .is_habit = true, .set = set_width},
	{"color", 0, "WHEN", false, NULL, "auto (on a terminal), always or never",
	 .is_habit = true, .values = "auto always never", .set = set_color},
	{"style", 0, "HOW", false, NULL, "ascii, or utf8: marks beyond ASCII",
	 .is_habit = true, .values = "ascii utf8", .set = set_style},
	{"no-pager", 0, NULL, false, NULL, "no pager on a terminal", .is_habit = true,
	 FLAG(has_no_pager)},
	{"no-config", 0, NULL, false, NULL, "read no configuration file", FLAG(has_no_config)},
	{"quiet", 'q', NULL, false, NULL, "no warnings on standard error", FLAG(is_quiet)},
	{"list-formats", 0, NULL, true, "Help and limits:", "list formats of input and output",
	 COMMAND(CLI_LIST_FORMATS)},
	{"list-columns", 0, NULL, false, NULL, "list columns", COMMAND(CLI_LIST_COLUMNS)},
	{"completion", 0, "SHELL", false, NULL, "a script for bash, zsh or fish",
	 .values = "bash zsh fish", .set = set_completion, .command = CLI_COMPLETION},
	{"max-inflated", 0, "BYTES", false, NULL,
	 "largest input that is a pipe or compressed (1073741824)", .set = set_max_inflated},
	{"max-functions", 0, "N", false, NULL, "most functions of one input (20971520)",
	 .set = set_max_functions},
	{"help", 'h', NULL, true, NULL, "show the common options", COMMAND(CLI_HELP)},
	{"help-all", 0, NULL, true, NULL, "show all options", COMMAND(CLI_HELP_ALL)},
	{"version", 'V', NULL, false, NULL, "show the version and what is built in",
	 COMMAND(CLI_VERSION)},
};

const uint32_t cli_n_options = sizeof(cli_option_table) / sizeof(cli_option_table[0]);
