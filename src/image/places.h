/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the files are that name what was recorded.
 */
#ifndef PD_IMAGE_PLACES_H
#define PD_IMAGE_PLACES_H

#include <stdint.h>

/* Where the files of a side are. Zero-initialised: where this machine has them. */
struct pd_symbol_places {
	const char *const *images; /* [n_images] vmlinux, ELF, System.map or kallsyms (-k) */
	uint32_t n_images;
	const char *kallsyms;  /* or NULL */
	const char *modules;   /* folder of kernel modules, or NULL */
	const char *symfs;     /* folder below which all files of the recording are, or NULL */
	const char *debug_dir; /* NULL: /usr/lib/debug */
	const char *cache_dir; /* build-id cache, or NULL; perf's is ~/.debug */
	const char *jit_dir;   /* of perf-PID.map; NULL: /tmp */
	const char *running_build_id; /* of the kernel of this machine, hex; NULL: not known */
};

#endif
