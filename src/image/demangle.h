/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of C++ and Rust as their authors wrote them. The only user of libiberty.
 */
#ifndef PD_IMAGE_DEMANGLE_H
#define PD_IMAGE_DEMANGLE_H

#include "base/text.h"

/*
 * A mangled name (C++: Itanium ABI; Rust: legacy, shown without its hash, and v0)
 * in readable form, with what a compiler or linker appended to it:
 *
 *   _Z3fooi.cold  ->  foo(int).cold
 *
 * The result is in buf, whose contents it replaces, or it is name itself: where that
 * is not mangled, longer than 64 KiB (C++: 1 KiB, libiberty's limit), longer than
 * 64 KiB when demangled, or where there is no memory. name must not be in buf.
 */
struct pd_span pd_demangle(struct pd_span name, struct pd_buf *buf);
/*
 * The same as profilers show it: without parameters and what was appended.
 *
 *   _Z3fooi.cold  ->  foo
 */
struct pd_span pd_demangle_brief(struct pd_span name, struct pd_buf *buf);

#endif
