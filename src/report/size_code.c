/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences on the code of sizes. Contract: size_code.h.
 */
#include "report/size_code.h"

#include "base/num.h"

enum { MAX_RENAMED = 10 };

void pd_size_code_add(struct pd_document *d, const struct pd_sizes *sizes)
{
	const char *renamed = "";
	uint32_t n_same = 0, n_changed = 0, n_of_one_size = 0, n_renamed = 0, n_unknown = 0;

	for (uint32_t i = 0; i < sizes->n_rows && sizes->by == PD_SIZE_BY_FUNCTION; i++) {
		const struct pd_size_row *row = &sizes->rows[i];
		bool is_changed_code = row->code == PD_SIZE_CODE_CHANGED;

		n_same += row->code == PD_SIZE_CODE_SAME;
		n_changed += is_changed_code;
		n_unknown += row->code == PD_SIZE_CODE_UNKNOWN && !row->is_object &&
			     row->status != PD_SIZE_NEW && row->status != PD_SIZE_GONE;
		n_of_one_size += is_changed_code && pd_size_delta(row->n_bytes) == 0;
		if (row->next_name.id && n_renamed++ < MAX_RENAMED)
			renamed = pd_document_printf(
				d, "%s%s%s -> %s", renamed, *renamed ? ", " : "",
				pd_strtab_get(&sizes->strings, row->name),
				pd_strtab_get(&sizes->strings, row->next_name));
	}
	if (sizes->has_code && sizes->by == PD_SIZE_BY_FUNCTION)
		pd_document_add_text(d, pd_document_printf(
			d, "code of functions on both sides: %u the same, %u changed, of which %u "
			"at the same size.", n_same, n_changed, n_of_one_size));
	if (sizes->has_code && n_unknown)
		pd_document_add_text(d, pd_document_printf(
			d, "of %u more, a file has no code: whether it is the same is not known.",
			n_unknown));
	if (n_renamed > MAX_RENAMED)
		renamed = pd_document_printf(d, "%s and %u more", renamed,
					     n_renamed - MAX_RENAMED);
	if (n_renamed)
		pd_document_add_text(d, pd_document_printf(d, "the same code under another name: "
							   "%s.", renamed));
}
