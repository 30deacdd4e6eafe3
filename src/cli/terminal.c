/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terminal. Contract: terminal.h.
 */
#include "cli/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/text.h"

enum { MIN_WIDTH = 40, MAX_WIDTH = 10000 };

uint32_t cli_terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t n;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (!columns || !pd_num_parse_u64(pd_span_of(columns), &n) || !n) {
		if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
			return 0;
		n = size.ws_col;
	}
	return n < MIN_WIDTH ? MIN_WIDTH : n > MAX_WIDTH ? MAX_WIDTH : (uint32_t)n;
}

/* Whether there is a program of that name. */
static bool is_program(const char *name, size_t len)
{
	const char *path = getenv("PATH");
	bool is_there = false;

	if (memchr(name, '/', len))
		path = "";
	for (; path && !is_there; path = *path ? path + 1 : NULL) {
		size_t n = strcspn(path, ":");
		char *file;

		if (asprintf(&file, "%.*s%s%.*s", (int)n, path, n ? "/" : "", (int)len, name) < 0)
			return false;
		is_there = access(file, X_OK) == 0;
		free(file);
		path += n;
	}
	return is_there;
}

/* The command of the pager; NULL if there is none. */
static const char *pager_command(void)
{
	const char *command = getenv("PROFDIFF_PAGER");
	size_t len;

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "less";
	len = strcspn(command, " \t");
	if (!len || !strcmp(command, "cat") || !is_program(command, len))
		return NULL;
	return command;
}

/* In the child. Only what may be called between fork() and exec(), but for setenv(). */
static void run_pager(const char *command, int input)
{
	(void)signal(SIGPIPE, SIG_DFL);
	(void)dup2(input, STDIN_FILENO);
	(void)close(input);
	/* Colours, no pager for what fits, and the screen stays: git's choice. */
	(void)setenv("LESS", "FRX", 0);
	(void)setenv("LV", "-c", 0);
	(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

void cli_pager_start(struct cli_pager *p)
{
	const char *command = isatty(STDOUT_FILENO) ? pager_command() : NULL;
	int ends[2];

	if (!command || pipe(ends) != 0)
		return;
	p->terminal = dup(STDOUT_FILENO);
	p->pid = p->terminal < 0 ? -1 : fork();
	if (p->pid == 0) {
		(void)close(ends[1]);
		run_pager(command, ends[0]);
		(void)kill(getpid(), SIGKILL);
	}
	(void)close(ends[0]);
	if (p->pid > 0) {
		/* Ctrl-C is for the pager: it has the terminal. */
		(void)signal(SIGINT, SIG_IGN);
		(void)signal(SIGQUIT, SIG_IGN);
		(void)dup2(ends[1], STDOUT_FILENO);
	} else {
		p->pid = 0;
	}
	(void)close(ends[1]);
}

void cli_pager_stop(struct cli_pager *p)
{
	int status;

	if (!p->pid)
		return;
	(void)dup2(p->terminal, STDOUT_FILENO);
	(void)close(p->terminal);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	(void)signal(SIGINT, SIG_DFL);
	(void)signal(SIGQUIT, SIG_DFL);
	p->pid = 0;
}
