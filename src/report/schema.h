/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The value trees that the JSON schema promises.
 */
#ifndef PD_REPORT_SCHEMA_H
#define PD_REPORT_SCHEMA_H

#include "analysis/sizes.h"
#include "profdiff/compare.h"
#include "profdiff/table.h"

/* The head that every answer has. */
void pd_schema_add_head(struct pd_document *d, const char *kind, const struct pd_diags *diags);
/* Kind "show": the profiles. */
void pd_schema_add_profiles(struct pd_document *d, struct pd_profile *const *profiles,
			    uint32_t n);
/* Kind "compare". */
void pd_schema_add_comparison(struct pd_document *d, const struct pd_comparison *c);

/* Kind "size". */
void pd_schema_add_sizes(struct pd_document *d, const struct pd_sizes *sizes);

/* A list of two numbers. */
void pd_schema_add_pair(struct pd_document *d, struct pd_value *parent, const char *key,
			const double x[2]);
/* A row of a comparison, of sizes, and of what is inlined; key is NULL in lists. */
void pd_schema_add_row(struct pd_document *d, struct pd_value *parent, const char *key,
		       const struct pd_comparison *c, const struct pd_row *row);
void pd_schema_add_size_row(struct pd_document *d, struct pd_value *parent, const char *key,
			    const struct pd_sizes *sizes, const struct pd_size_row *row);
struct pd_value *pd_schema_add_inline(struct pd_document *d, struct pd_value *list,
				      const struct pd_sizes *sizes,
				      const struct pd_inline_row *row);
/* The numbers of a row of a comparison. */
void pd_schema_add_row_numbers(struct pd_document *d, struct pd_value *v,
			       const struct pd_comparison *c, const struct pd_row *row);

#endif
