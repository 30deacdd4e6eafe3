/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations of kernels: what differs.
 */
#ifndef PD_ANALYSIS_KERNEL_CONFIG_H
#define PD_ANALYSIS_KERNEL_CONFIG_H

#include "base/text.h"

/*
 * Append the options that differ between two texts as CONFIG_IKCONFIG embeds them,
 * at most max of them: "CONFIG_A n -> y, CONFIG_B 64 -> 128". An option that is not
 * there is "n", like one that is not set. Returns how many differ in all.
 */
uint32_t pd_kernel_config_diff(struct pd_span base, struct pd_span next, uint32_t max,
			       struct pd_buf *out);

#endif
