/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the code of functions tells beside their sizes.
 */
#ifndef PD_REPORT_SIZE_CODE_H
#define PD_REPORT_SIZE_CODE_H

#include "analysis/sizes.h"
#include "profdiff/table.h"

/*
 * Add how many functions have the same code, and which have it under another name, as far
 * as that was asked for.
 */
void pd_size_code_add(struct pd_document *d, const struct pd_sizes *sizes);

#endif
