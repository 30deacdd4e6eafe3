/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a DSO to its names. Contract: lookup_find.h.
 */
#include "image/lookup_find.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/auxv.h>

#include "image/lookup_state.h"

/* Forget the files of the DSO before. */
static void close_last(struct pd_finder *f)
{
	pd_lookup_done(&f->lookup);
	pd_elf_file_close(&f->symbols);
	pd_elf_file_close(&f->runtime);
	pd_elf_file_close(&f->debug);
	pd_source_close(&f->text);
}

void pd_finder_free(struct pd_finder *f)
{
	if (!f)
		return;
	close_last(f);
	pd_lookup_done(&f->list.lookup);
	pd_source_close(&f->list.source);
	pd_close_given(f);
	pd_strtab_done(&f->module_strings);
	free(f->modules);
	pd_buf_done(&f->path);
	pd_arena_done(&f->arena);
	free(f);
}

int pd_finder_new(const struct pd_recording *r, const struct pd_finder_options *options,
		  struct pd_finder **ret_finder, struct pd_error *err)
{
	struct pd_finder *f = calloc(1, sizeof(*f));
	int rc;

	if (!f)
		return pd_fail_nomem(err);
	f->recording = r;
	f->options = *options;
	rc = pd_open_given(f, err);
	if (rc == PD_OK)
		rc = pd_open_kernel(f, err);
	if (rc != PD_OK) {
		pd_finder_free(f);
		return rc;
	}
	*ret_finder = f;
	return PD_OK;
}

static int find_jit(struct pd_finder *f, const struct pd_dso *dso, struct pd_names *ret_names,
		    struct pd_error *err)
{
	const char *dir = f->options.places->jit_dir;

	f->path.len = 0;
	pd_buf_printf(&f->path, "%s/perf-%d.map", dir ? dir : "/tmp", (int)dso->pid);
	if (f->path.failed)
		return pd_fail_nomem(err);
	if (!pd_is_regular(f->path.ptr) ||
	    pd_source_open(f->path.ptr, f->options.limits, &f->text, NULL) != PD_OK) {
		pd_tell_dso(f, "no-symbols", f->path.ptr, "expected the names of code that process "
			    "%d made as it ran, found no such file", (int)dso->pid);
		return PD_OK;
	}
	ret_names->lookup = &f->lookup;
	ret_names->dwarf_problem = "a perf-PID.map has no lines";
	if (pd_lookup_read_jit(&f->lookup, f->text.bytes, err) != PD_OK)
		return PD_ERR_NOMEM;
	ret_names->range = pd_lookup_all(&f->lookup);
	return PD_OK;
}

/* The vDSO that the kernel gave this process. */
static struct pd_span own_vdso(void)
{
	const char *at = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	struct pd_span s = {at, 0};

	/* The section headers are what it ends with. */
	if (at && at[EI_CLASS] == ELFCLASS64) {
		Elf64_Ehdr h;

		memcpy(&h, at, sizeof(h));
		s.len = h.e_shoff + (size_t)h.e_shnum * h.e_shentsize;
	}
	return s;
}

/* Whether it is the one that was recorded: by its own build-id, or that of its kernel. */
static bool is_recorded_vdso(const struct pd_finder *f, const struct pd_dso *dso,
			     struct pd_span bytes)
{
	const char *wanted = pd_dso_build_id(f, dso);
	struct pd_elf_file own = {.bytes = bytes};
	bool is_it = false;

	if (wanted)
		is_it = pd_elf_read(bytes, &own.head, &own.parts, NULL) == PD_OK &&
			pd_build_id_is(wanted, own.head.build_id);
	else if (f->kernel != PD_LOOKUP_NONE)
		is_it = pd_build_id_is(pd_dso_build_id(f, &f->recording->dsos[f->kernel]),
				       f->options.places->running_build_id);
	pd_elf_file_close(&own);
	return is_it;
}

static int find_vdso(struct pd_finder *f, const struct pd_dso *dso, struct pd_names *ret_names,
		     struct pd_error *err)
{
	struct pd_span own = own_vdso();
	int rc;

	if (pd_find_files(f, dso, false))
		return pd_read_files(f, PD_LOOKUP_FILE, ret_names, err);
	if (!own.len || f->options.places->symfs || !is_recorded_vdso(f, dso, own)) {
		pd_tell_dso(f, "no-symbols", "[vdso]", "the image of its build is not in the "
			    "build-id cache; its functions have no names");
		return PD_OK;
	}
	rc = pd_lookup_read_elf(&f->lookup, own, own, PD_LOOKUP_FILE, err);
	ret_names->lookup = &f->lookup;
	ret_names->range = pd_lookup_all(&f->lookup);
	ret_names->dwarf_problem = "the vDSO has no lines";
	return rc;
}

int pd_finder_find(struct pd_finder *f, uint32_t dso, const struct pd_site *sites, size_t n,
		   struct pd_names *ret_names, struct pd_error *err)
{
	const struct pd_dso *d = &f->recording->dsos[dso];
	struct pd_given *given;
	struct pd_names names = {0};
	int rc = PD_OK;

	close_last(f);
	if (d->kind == PD_DSO_KERNEL) {
		rc = pd_find_kernel(f, d, sites, n, &names, err);
	} else if (d->kind == PD_DSO_MODULE) {
		rc = pd_find_module(f, d, &names, err);
	} else if (d->kind == PD_DSO_JIT) {
		rc = find_jit(f, d, &names, err);
	} else if (d->kind == PD_DSO_VDSO) {
		rc = find_vdso(f, d, &names, err);
	} else if (d->kind == PD_DSO_FILE) {
		given = pd_find_given(f, d);
		if (given)
			rc = pd_read_given(f, given, d, &names, err);
		else if (pd_find_files(f, d, true))
			rc = pd_read_files(f, PD_LOOKUP_FILE, &names, err);
	}
	if (rc == PD_OK)
		*ret_names = names;
	return rc;
}
