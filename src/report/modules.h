/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules as people see them: by base name, where no other module has the same.
 */
#ifndef PD_REPORT_MODULES_H
#define PD_REPORT_MODULES_H

#include "base/strtab.h"
#include "profdiff/table.h"

struct pd_short_modules {
	const char **texts; /* [n] by id of the module; NULL: the name as it is */
	uint32_t n;
};

/* For modules [n_modules], which may repeat; texts are borrowed from strings. */
struct pd_short_modules pd_short_modules_make(struct pd_document *d,
					      const struct pd_strtab *strings,
					      const pd_str *modules, size_t n_modules);
const char *pd_short_module(const struct pd_short_modules *m, const struct pd_strtab *strings,
			    pd_str module);

#endif
