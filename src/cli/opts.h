/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * THE OPTION TABLE (opts.c): every option of the command line, with its help. The
 * parser (parse.c), --help, --help-all and the test of the manual all work from it.
 */
#ifndef PD_CLI_OPTS_H
#define PD_CLI_OPTS_H

#include "base/limits.h"
#include "image/insns.h"
#include "ingest/ingest.h"
#include "profdiff/compare.h"
#include "profdiff/render.h"
#include "report/report.h"

/* One -o: where a document goes. */
struct cli_output {
	const struct pd_renderer *renderer;
	const char *path; /* NULL: standard output */
};

enum cli_command {
	CLI_COMPARE,
	CLI_SHOW,
	CLI_SIZE,
	CLI_CALLERS,
	CLI_REVIEW,
	CLI_ANNOTATE,
	CLI_WHY,
	CLI_SAVE_NOISE,
	CLI_HELP, /* from here on: about the program itself */
	CLI_HELP_ALL,
	CLI_VERSION,
	CLI_LIST_FORMATS,
	CLI_LIST_COLUMNS,
	CLI_COMPLETION,
};

enum cli_color {
	CLI_COLOR_AUTO, /* on a terminal, unless NO_COLOR is set */
	CLI_COLOR_ALWAYS,
	CLI_COLOR_NEVER,
};

/* What a row is. */
enum cli_by {
	CLI_BY_FUNCTION,
	CLI_BY_MODULE,
	CLI_BY_COMM,
	CLI_BY_FILE,
	CLI_BY_LINE,
	CLI_BY_DIR,
	CLI_BY_SECTION,
	CLI_BY_MAINTAINER,
};

/* The arguments of an option that may be repeated, in order. */
struct cli_words {
	char **items;
	uint32_t n;
};

/* Names between commas. */
struct cli_names {
	const char **items;
	uint32_t n;
};

/* What the command line says. Owns its memory; strings are argv's. */
struct cli_options {
	struct pd_arena arena;
	enum cli_command command;
	const struct pd_format *format; /* NULL: found by content */
	const char *base_label;         /* NULL: the first side */
	struct pd_limits limits;
	struct pd_compare_options compare;
	struct pd_view_options view;
	struct pd_size_options size;
	const char *callers_of; /* a function */
	const char *annotated;  /* a function */
	const char *why_of;     /* a function */
	enum pd_asm_syntax syntax;
	const char *maintainers_path; /* or NULL */
	enum cli_by by;
	/* Of a side each, see per_side.h. */
	struct cli_words images, kallsyms, modules, symfs, debug_dirs, source_dirs, bench, times;
	struct cli_names events;    /* none: all */
	struct pd_request request;  /* which samples, less --time */
	bool wants_debuginfod, has_no_dwarf, shows_inlined, pairs_code, wants_code;
	struct pd_render_options render;
	struct cli_output *outputs;
	uint32_t n_outputs;
	const char *work, *per;      /* as given, or NULL */
	const char *noise_path;      /* a history to read, or NULL */
	const char *save_noise_path; /* one to write */
	const char **fail_on;        /* [n_fail_on] conditions */
	uint32_t n_fail_on;
	enum cli_color color;
	bool has_width; /* asked for: else that of the terminal, if there is one */
	bool has_no_pager;
	bool has_no_config; /* parse.c looks for it itself */
	const char *shell; /* that completion is for */
	bool is_quiet; /* no warnings on standard error */
	bool lacks_section[PD_N_SECTIONS]; /* of --report */
	const char *command_line; /* as a shell would take it */
	char **args;   /* the words that are no options */
	uint32_t n_args;
};

struct cli_option {
	const char *name;    /* without "--" */
	char letter;         /* 0: none */
	const char *arg;     /* NULL: takes none */
	bool is_common;      /* in --help, else in --help-all only */
	const char *heading; /* of the group of options that begins here; NULL: none does */
	const char *help;
	bool is_habit;      /* of presentation: configuration may set it */
	const char *values; /* all that its argument can be, between blanks; NULL: others */
	/* What it does, any of: */
	enum cli_command command; /* CLI_COMPARE: none */
	size_t flag_at;           /* offset of a bool that becomes true; 0: none */
	size_t string_at;         /* offset of a string that becomes the argument; 0: none */
	size_t words_at;          /* offset of words that get the argument; 0: none */
	/* value is NULL for options without an argument; USAGE, NOMEM. NULL: nothing more. */
	int (*set)(struct cli_options *o, const char *value, struct pd_error *err);
};

extern const struct cli_option cli_option_table[];
extern const uint32_t cli_n_options;

/*
 * Read the configuration (habits.h), whose faults are told in diags, and the command
 * line; free with cli_options_done(). Errors: USAGE, NOMEM.
 */
int cli_options_parse(int argc, char **argv, struct cli_options *ret_options,
		      struct pd_diags *diags, struct pd_error *err) PD_MUST_USE;
/* Do what the table says of an option. value must outlive o. Errors: USAGE, NOMEM. */
int cli_option_apply(const struct cli_option *opt, struct cli_options *o, const char *value,
		     struct pd_error *err) PD_MUST_USE;
/* An option without an argument is as if it had not been given. */
void cli_option_take_back(const struct cli_option *opt, struct cli_options *o);
void cli_options_done(struct cli_options *o);

/* A longer array with the old items, of size bytes each; NULL if there is no memory. */
void *cli_append(struct pd_arena *a, const void *items, uint32_t n, size_t size);

/* The texts of --help, --help-all, --version, --list-formats, --list-columns, --completion. */
void cli_help(struct pd_writer *out, bool all);
void cli_version(struct pd_writer *out);
void cli_list_formats(struct pd_writer *out);
void cli_list_columns(struct pd_writer *out);
void cli_completion(struct pd_writer *out, const char *shell);

#endif
