/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of listings of symbols, for listing.c.
 */
#ifndef PD_IMAGE_LISTING_ROWS_H
#define PD_IMAGE_LISTING_ROWS_H

#include "base/text.h"

enum pd_listed_line {
	PD_LISTED_ODD,
	PD_LISTED_ROW,
	PD_LISTED_UNDEFINED, /* a symbol of another file, or the head of a table */
	PD_LISTED_HEADING,
};

struct pd_listed_row {
	uint64_t address, n_bytes;
	struct pd_span name, module; /* of the line; module: with its brackets; often none */
	char type;
};

/* What a line is; ret_row is only of use if it is a row. */
enum pd_listed_line pd_listing_parse_line(struct pd_span line, struct pd_listed_row *ret_row);
/* Whether it is a row of a form that no sentence has. */
bool pd_listing_parse_in_mail(struct pd_span line, struct pd_listed_row *ret_row);
/* Whether bytes begin with rows, or what stands above them; or have some in other text. */
bool pd_listing_begins_with_rows(struct pd_span bytes);
bool pd_listing_is_in_mail(struct pd_span bytes);

#endif
