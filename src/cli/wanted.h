/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which part of a recording is wanted: -e -S -d -C --pid --tid --cpu --time, in
 * perf's words and meanings.
 */
#ifndef PD_CLI_WANTED_H
#define PD_CLI_WANTED_H

#include "cli/opts.h"

/* Setters of the table of options. Errors: USAGE, NOMEM. */
int cli_set_events(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_comms(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_symbols(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_dsos(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_pids(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_tids(struct cli_options *o, const char *value, struct pd_error *err);
int cli_set_cpus(struct cli_options *o, const char *value, struct pd_error *err);
/* Columns, or perf's row keys (comm dso sym srcfile srcline), which act as --by. */
int cli_set_sort(struct cli_options *o, const char *value, struct pd_error *err);

/*
 * Set the times of a request from "START,STOP" in seconds, "10%-40%" or "10%/2",
 * the second tenth; either end may be empty. Errors: USAGE.
 */
int cli_wanted_time(const char *text, struct pd_request *r, struct pd_error *err) PD_MUST_USE;

/* Whether a request asks for some of the samples only. */
bool cli_wants_some(const struct pd_request *r);

#endif
