/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line: getopt_long driven by the table of options. Contract: opts.h.
 */
#include <getopt.h>
#include <unistd.h>

#include "base/suggest.h"
#include "base/text.h"
#include "cli/habits.h"
#include "cli/opts.h"

enum { LONG_BASE = 1000, MAX_OPTIONS = 200 };

/* getopt_long's two tables, made from ours. */
static void make_tables(struct option *longs, char *letters)
{
	*letters++ = ':'; /* a missing argument is told apart from an unknown option */
	for (uint32_t i = 0; i < cli_n_options && i < MAX_OPTIONS; i++) {
		const struct cli_option *opt = &cli_option_table[i];

		longs[i] = (struct option){
			.name = opt->name,
			.has_arg = opt->arg ? required_argument : no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (!opt->letter)
			continue;
		*letters++ = opt->letter;
		if (opt->arg)
			*letters++ = ':';
	}
}

static const struct cli_option *option_of(int found)
{
	if (found >= LONG_BASE)
		return &cli_option_table[found - LONG_BASE];
	for (uint32_t i = 0; i < cli_n_options; i++)
		if (cli_option_table[i].letter == found)
			return &cli_option_table[i];
	return NULL;
}

static int add_word(struct cli_options *o, struct cli_words *words, const char *value,
		    struct pd_error *err)
{
	char **items = cli_append(&o->arena, words->items, words->n, sizeof(*items));

	if (!items)
		return pd_fail_nomem(err);
	items[words->n++] = (char *)(uintptr_t)value;
	words->items = items;
	return PD_OK;
}

int cli_option_apply(const struct cli_option *opt, struct cli_options *o, const char *value,
		     struct pd_error *err)
{
	char *base = (char *)o;

	if (opt->command != CLI_COMPARE && o->command != CLI_COMPARE &&
	    o->command != opt->command && opt->command < CLI_HELP && o->command < CLI_HELP)
		return pd_fail(err, PD_ERR_USAGE, "--%s: one thing at a time; see --help",
			       opt->name);
	if (opt->command > o->command)
		o->command = opt->command;
	if (opt->flag_at)
		*(bool *)(void *)(base + opt->flag_at) = true;
	if (opt->string_at)
		*(const char **)(void *)(base + opt->string_at) = value;
	if (opt->words_at)
		return add_word(o, (struct cli_words *)(void *)(base + opt->words_at), value, err);
	return opt->set ? opt->set(o, value, err) : PD_OK;
}

void cli_option_take_back(const struct cli_option *opt, struct cli_options *o)
{
	if (opt->flag_at)
		*(bool *)(void *)((char *)o + opt->flag_at) = false;
}

/* Of "--NAME=VALUE". */
static struct pd_span name_of(const char *word)
{
	struct pd_span s = pd_span_of(word);

	return pd_span_sub(s, pd_span_starts(s, "--") ? 2 : 0, strcspn(word, "="));
}

static bool is_known(const char *word)
{
	struct pd_span name = name_of(word);

	for (uint32_t i = 0; i < cli_n_options; i++)
		if (pd_span_eq(name, cli_option_table[i].name))
			return true;
	return false;
}

/* getopt_long() does not like a word. */
static int fail_option(const char *word, struct pd_error *err)
{
	struct pd_suggestion near;
	struct pd_buf text = {0};
	int rc;

	if (is_known(word))
		return pd_fail(err, PD_ERR_USAGE, "%s takes no argument; see --help", word);
	near = pd_suggest_for(name_of(word));
	for (uint32_t i = 0; i < cli_n_options; i++)
		pd_suggest_offer(&near, pd_span_of(cli_option_table[i].name));
	rc = pd_fail(err, PD_ERR_USAGE, "unknown option %s%s; see --help", word,
		     pd_suggest_text(&near, "--", &text));
	pd_buf_done(&text);
	return rc;
}

static int parse(int argc, char **argv, struct cli_options *o, struct pd_error *err)
{
	struct option longs[MAX_OPTIONS + 1] = {0};
	char letters[2 * MAX_OPTIONS + 2] = {0};
	int found, rc = PD_OK;

	make_tables(longs, letters);
	opterr = 0;
	optind = 0;
	while (rc == PD_OK && (found = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const char *word = argv[optind > 0 ? optind - 1 : 0];

		if (found == ':')
			rc = pd_fail(err, PD_ERR_USAGE, "%s needs an argument; see --help", word);
		else if (found == '?' && optopt && optopt < LONG_BASE &&
			 !strchr(letters, optopt))
			rc = pd_fail(err, PD_ERR_USAGE, "unknown option -%c; see --help", optopt);
		else if (found == '?')
			rc = fail_option(word, err);
		else
			rc = cli_option_apply(option_of(found), o, optarg, err);
	}
	o->args = argv + optind;
	o->n_args = (uint32_t)(argc - optind);
	return rc;
}

/* A word as a shell takes it. */
static void add_word_quoted(struct pd_buf *b, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-./:=,+@%^";

	if (*word && strspn(word, plain) == strlen(word)) {
		pd_buf_add_str(b, word);
		return;
	}
	pd_buf_add_char(b, '\'');
	for (; *word; word++)
		if (*word == '\'')
			pd_buf_add_str(b, "'\\''");
		else
			pd_buf_add_char(b, *word);
	pd_buf_add_char(b, '\'');
}

/* The command line, for who wants to see or to repeat it. */
static const char *join_words(struct cli_options *o, int argc, char **argv)
{
	struct pd_buf b = {0};
	const char *text = NULL;

	pd_buf_add_str(&b, "profdiff");
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--no-config"))
			continue; /* it changes no number */
		pd_buf_add_char(&b, ' ');
		add_word_quoted(&b, argv[i]);
	}
	if (!b.failed)
		text = pd_arena_strndup(&o->arena, b.ptr, b.len);
	pd_buf_done(&b);
	return text;
}

/* Without words, what perf diff compares without words: the last two recordings. */
static void use_last_recordings(struct cli_options *o)
{
	static char old[] = "perf.data.old", last[] = "perf.data";
	static char *words[] = {old, last, NULL};

	if (o->command == CLI_COMPARE && !o->n_args && !o->bench.n && access(old, F_OK) == 0 &&
	    access(last, F_OK) == 0) {
		o->args = words;
		o->n_args = 2;
	}
}

/* Whether the command line has --no-config, which is to be known before it is parsed. */
static bool refuses_config(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], "--no-config"))
			return true;
	return false;
}

int cli_options_parse(int argc, char **argv, struct cli_options *ret_options,
		      struct pd_diags *diags, struct pd_error *err)
{
	struct cli_options o = {
		.limits = PD_LIMITS_DEFAULT,
		.render.width = 78,
	};
	int rc = refuses_config(argc, argv) ? PD_OK : cli_habits_read(&o, diags, err);

	/* Before getopt_long() brings the words into another order. */
	o.command_line = join_words(&o, argc, argv);
	if (rc == PD_OK && !o.command_line)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK)
		rc = parse(argc, argv, &o, err);
	if (rc == PD_OK)
		use_last_recordings(&o);
	if (rc == PD_OK && !o.n_outputs) {
		o.outputs = cli_append(&o.arena, NULL, 0, sizeof(*o.outputs));
		/* Who names a separator wants values between separators. */
		if (o.outputs)
			o.outputs[o.n_outputs++].renderer =
				o.render.separator ? pd_renderer_find("tsv") : pd_renderers[0];
		else
			rc = pd_fail_nomem(err);
	}
	if (o.maintainers_path && o.by == CLI_BY_FUNCTION)
		o.by = CLI_BY_MAINTAINER;
	if (rc != PD_OK) {
		cli_options_done(&o);
		return rc;
	}
	*ret_options = o;
	return PD_OK;
}

void cli_options_done(struct cli_options *o)
{
	pd_arena_done(&o->arena);
}
