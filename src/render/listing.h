/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings for people: side by side, as diff -y has it, or one text as a diff.
 */
#ifndef PD_RENDER_LISTING_H
#define PD_RENDER_LISTING_H

#include "profdiff/table.h"

struct pd_writer;

/*
 * Side by side, in lines of width columns: what is longer goes on in the next line.
 *
 *   12  1a: mov  %rax,%rbx   |   14  1e: mov  %rax,%rcx     changed
 *       1d: call foo         <                              removed
 *                            >       21: call bar           added
 */
void pd_listing_write(const struct pd_listing *l, uint32_t width, struct pd_writer *out);

/* A Markdown fence of a diff: what is on one side only begins with - or +. */
void pd_listing_write_diff(const struct pd_listing *l, struct pd_writer *out);

#endif
