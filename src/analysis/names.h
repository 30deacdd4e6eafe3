/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of functions and modules: which spellings are the same thing
 * (DESIGN 8).
 */
#ifndef PD_ANALYSIS_NAMES_H
#define PD_ANALYSIS_NAMES_H

#include "base/text.h"

/*
 * One spelling of a module: "vmlinux" for every spelling of the kernel, the
 * bare name of a kernel module; other objects as they are, without
 * " (deleted)". The result is borrowed from s or static.
 */
struct pd_span pd_module_normal(struct pd_span s);
/* The part behind the last "/". */
struct pd_span pd_module_base_name(struct pd_span s);

/*
 * The base name of a family of functions: without the suffixes that compilers
 * put behind a name (.cold, .part.N, .constprop.N, .isra.N, .lto_priv.N,
 * .llvm.N, .__uniq.N, .cfi, .N, stripped repeatedly), Rust's hash, and the
 * numbers of C++ lambdas and anonymous namespaces. The result is borrowed from
 * s, or from buf (emptied first).
 */
struct pd_span pd_name_family(struct pd_span s, struct pd_buf *buf);

/*
 * Whether a function of that name runs while the processor has nothing to do
 * (default_idle, poll_idle, intel_idle, pv_native_safe_halt, ...).
 */
bool pd_name_is_idle(struct pd_span s);

#endif
