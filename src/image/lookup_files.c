/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ELF files of a DSO: the places where perf looks for them, in its order. The first
 * one that has .symtab tells symbols, the first one with .dynsym how the program is
 * loaded, and each stands in for the other. Contract: lookup_state.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "image/lookup_state.h"

enum { BUILD_ID_HEX = 40 }; /* digits of a build-id in a recording */

bool pd_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Sections that only a kernel has. */
static bool looks_like_kernel(const struct pd_image *head)
{
	bool has_symbols = false, has_init = false;

	for (uint32_t i = 1; i < head->n_sections; i++) {
		const char *name = pd_strtab_get(&head->strings, head->sections[i].name);

		has_symbols |= !strcmp(name, "__ksymtab") || !strcmp(name, "__ex_table");
		has_init |= !strcmp(name, ".init.text");
	}
	return has_symbols && has_init && !head->is_relocatable;
}

static bool has_section_bytes(const struct pd_image *head, const char *name)
{
	for (uint32_t i = 1; i < head->n_sections; i++)
		if (head->sections[i].bytes &&
		    !strcmp(pd_strtab_get(&head->strings, head->sections[i].name), name))
			return true;
	return false;
}

bool pd_elf_file_open(const struct pd_finder *f, const char *path, struct pd_elf_file *ret_file)
{
	struct pd_elf_file file = {0};

	if (!pd_is_regular(path) ||
	    pd_source_open(path, f->options.limits, &file.source, NULL) != PD_OK)
		return false;
	file.bytes = file.source.bytes;
	file.path = strdup(path);
	if (!file.path || !pd_elf_sniff(file.bytes) ||
	    pd_elf_read(file.bytes, &file.head, &file.parts, NULL) != PD_OK) {
		pd_elf_file_close(&file);
		return false;
	}
	file.has_dynsym = has_section_bytes(&file.head, ".dynsym");
	file.is_kernel = looks_like_kernel(&file.head);
	*ret_file = file;
	return true;
}

void pd_elf_file_close(struct pd_elf_file *file)
{
	pd_source_close(&file->source);
	pd_strtab_done(&file->head.strings);
	pd_arena_done(&file->head.arena);
	free(file->path);
	*file = (struct pd_elf_file){0};
}

/* Its length without the zeros at the end that fill a recording's 20 bytes. */
static size_t significant(const char *id)
{
	size_t n = strlen(id);

	while (n >= 2 && n <= BUILD_ID_HEX && id[n - 1] == '0' && id[n - 2] == '0')
		n -= 2;
	return n;
}

bool pd_build_id_is(const char *a, const char *b)
{
	size_t n;

	if (!a || !b)
		return false;
	n = significant(a);
	return n && n == significant(b) && !memcmp(a, b, n);
}

const char *pd_dso_build_id(const struct pd_finder *f, const struct pd_dso *dso)
{
	return dso->build_id.id ? pd_strtab_get(&f->recording->strings, dso->build_id) : NULL;
}

void pd_tell_dso(const struct pd_finder *f, const char *kind, const char *path,
		 const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	pd_diags_add(f->options.diags, PD_WARNING, kind, f->options.path, 0, "%s: %s", path, text);
}

const char *pd_symfs_path(struct pd_finder *f, const char *path)
{
	const char *symfs = f->options.places->symfs;

	f->path.len = 0;
	pd_buf_printf(&f->path, "%s%s", symfs ? symfs : "", path);
	return f->path.failed ? "" : f->path.ptr;
}

/* ---- candidates ---- */

/* What places depend on. */
struct candidates {
	const char *symfs, *debug_dir, *path;
	struct pd_span folder, base; /* of path */
	const char *link;     /* the name behind .gnu_debuglink, or NULL */
	const char *build_id; /* hex, or NULL */
	bool is_vdso, has_path;
};

enum place {
	LINK_BESIDE, LINK_BELOW, LINK_DEBUG_DIR, CACHE, CACHE_PATH, CACHE_DEBUG, DEBUG_SUFFIX,
	DEBUG_PATH, DEBUG_BUILD_ID, OWN_PATH, DOT_DEBUG, DEBUG_WITHOUT_USR, N_PLACES,
};

/*
 * The folder of the build-id in the cache; false: there is none. It is a link to one
 * below the path, which copies of a cache may have lost.
 */
static bool add_cache(const struct pd_finder *f, const struct candidates *c, bool is_by_path,
		      struct pd_buf *out)
{
	const char *cache = f->options.places->cache_dir;

	if (!c->build_id || strlen(c->build_id) < 3 || (!cache && !c->symfs))
		return false;
	pd_buf_printf(out, "%s%s", c->symfs ? c->symfs : "", c->symfs ? "/.debug" : cache);
	if (is_by_path)
		pd_buf_printf(out, "%s%s/%s", *c->path == '/' ? "" : "/", c->path, c->build_id);
	else
		pd_buf_printf(out, "/.build-id/%.2s/%s", c->build_id, c->build_id + 2);
	return true;
}

/* The path of a place, in out; false: there is no such place for this DSO. */
static bool print_place(const struct pd_finder *f, const struct candidates *c, enum place place,
			struct pd_buf *out)
{
	const char *symfs = c->symfs ? c->symfs : "", *dir = c->debug_dir;

	out->len = 0;
	switch (place) {
	case LINK_BESIDE:
	case LINK_BELOW:
	case LINK_DEBUG_DIR:
		if (!c->link)
			return false;
		pd_buf_printf(out, "%s%s%.*s%s/%s", place == LINK_DEBUG_DIR ? dir : "", symfs,
			      (int)c->folder.len, c->folder.ptr,
			      place == LINK_BELOW ? "/.debug" : "", c->link);
		break;
	case CACHE:
	case CACHE_PATH:
	case CACHE_DEBUG:
		if (!add_cache(f, c, place == CACHE_PATH, out))
			return false;
		pd_buf_add_str(out, place == CACHE_DEBUG ? "/debug" :
			       c->is_vdso ? "/vdso" : "/elf");
		break;
	case DEBUG_BUILD_ID:
		if (!c->build_id || strlen(c->build_id) < 3)
			return false;
		pd_buf_printf(out, "%s%s/.build-id/%.2s/%s.debug", symfs, dir, c->build_id,
			      c->build_id + 2);
		break;
	case OWN_PATH:
		pd_buf_printf(out, "%s%s", symfs, c->path);
		return c->has_path;
	case DEBUG_SUFFIX:
	case DEBUG_PATH:
		pd_buf_printf(out, "%s%s%s%s", symfs, dir, c->path,
			      place == DEBUG_SUFFIX ? ".debug" : "");
		return c->has_path;
	case DOT_DEBUG:
		pd_buf_printf(out, "%s%.*s/.debug/%.*s", symfs, (int)c->folder.len, c->folder.ptr,
			      (int)c->base.len, c->base.ptr);
		return c->has_path;
	case DEBUG_WITHOUT_USR:
		pd_buf_printf(out, "%s%s%s", symfs, dir, c->path + strlen("/usr"));
		return c->has_path && pd_span_starts(pd_span_of(c->path), "/usr/lib/");
	case N_PLACES:
		return false;
	}
	return true;
}

/* What the file as recorded tells of where others are: its debug link, and its build-id. */
static void read_own(struct pd_finder *f, const struct candidates *c, struct pd_buf *link,
		     struct pd_buf *build_id)
{
	struct pd_elf_file own = {0};

	if (!c->has_path || !pd_elf_file_open(f, pd_symfs_path(f, c->path), &own))
		return;
	if (own.parts.debuglink && !strchr(own.parts.debuglink, '/'))
		pd_buf_add_str(link, own.parts.debuglink);
	if (own.head.build_id)
		pd_buf_add_str(build_id, own.head.build_id);
	pd_elf_file_close(&own);
}

/* The first file of the place's build that was not the one. */
struct stranger {
	struct pd_buf path, build_id;
};

/* Take what is still missing from that file, which is open. */
static void take_file(struct pd_finder *f, struct pd_elf_file *file, bool *has_symbols,
		      bool *has_runtime)
{
	bool is_symbols = !*has_symbols && file->parts.has_symtab;
	bool is_runtime = !*has_runtime && file->has_dynsym;

	*has_symbols |= is_symbols;
	*has_runtime |= is_runtime;
	if (is_symbols)
		f->symbols = *file;
	else if (is_runtime)
		f->runtime = *file;
	else if (f->options.wants_dwarf && file->parts.has_dwarf && !f->debug.path)
		f->debug = *file;
	else
		pd_elf_file_close(file);
}

static bool has_dwarf(const struct pd_finder *f)
{
	return f->symbols.parts.has_dwarf || f->runtime.parts.has_dwarf || f->debug.path;
}

static bool walk_places(struct pd_finder *f, const struct candidates *c,
			struct stranger *stranger)
{
	bool has_symbols = false, has_runtime = false;

	for (int place = 0; place < N_PLACES; place++) {
		struct pd_elf_file file = {0};

		if (has_symbols && has_runtime && (!f->options.wants_dwarf || has_dwarf(f)))
			break;
		if (!print_place(f, c, (enum place)place, &f->path) || f->path.failed ||
		    !pd_elf_file_open(f, f->path.ptr, &file))
			continue;
		if (c->build_id && !pd_build_id_is(c->build_id, file.head.build_id)) {
			if (!stranger->path.len) {
				pd_buf_add_str(&stranger->path, file.path);
				pd_buf_add_str(&stranger->build_id, file.head.build_id ?
					       file.head.build_id : "none");
			}
			pd_elf_file_close(&file);
			continue;
		}
		take_file(f, &file, &has_symbols, &has_runtime);
	}
	return has_symbols || has_runtime;
}

bool pd_find_files(struct pd_finder *f, const struct pd_dso *dso, bool tells)
{
	const struct pd_symbol_places *places = f->options.places;
	struct candidates c = {
		.symfs = places->symfs,
		.debug_dir = places->debug_dir ? places->debug_dir : "/usr/lib/debug",
		.path = pd_strtab_get(&f->recording->strings, dso->path),
		.build_id = pd_dso_build_id(f, dso),
		.is_vdso = dso->kind == PD_DSO_VDSO,
	};
	struct pd_buf link = {0}, build_id = {0};
	struct stranger stranger = {0};
	bool found;

	c.has_path = *c.path == '/' && !c.is_vdso;
	c.folder = c.base = pd_span_of(c.path);
	c.base = pd_span_behind_last(c.base, '/');
	c.folder.len -= c.base.len + (c.folder.len > c.base.len);
	read_own(f, &c, &link, &build_id);
	c.link = link.len ? link.ptr : NULL;
	if (!c.build_id && build_id.len)
		c.build_id = build_id.ptr;
	found = walk_places(f, &c, &stranger);
	if (!found && stranger.path.len)
		pd_tell_dso(f, "build-id", pd_buf_span(&stranger.path).ptr,
			    "expected build-id %s, found %s: it is another build, and names "
			    "nothing",
			    c.build_id, pd_buf_span(&stranger.build_id).ptr);
	else if (!found && tells)
		pd_tell_dso(f, "no-symbols", c.path, "no file with its symbols was found; its "
			    "functions have no names");
	pd_buf_done(&link);
	pd_buf_done(&build_id);
	pd_buf_done(&stranger.path);
	pd_buf_done(&stranger.build_id);
	return found;
}

int pd_read_files(struct pd_finder *f, enum pd_lookup_role role,
		  struct pd_names *ret_names, struct pd_error *err)
{
	const struct pd_elf_file *symbols = f->symbols.path ? &f->symbols : &f->runtime;
	const struct pd_elf_file *runtime = f->runtime.path && !symbols->has_dynsym ? &f->runtime
										    : symbols;
	const struct pd_elf_file *with_dwarf = symbols->parts.has_dwarf ? symbols :
		f->runtime.parts.has_dwarf ? &f->runtime : &f->debug;
	struct pd_error own = {0};
	int rc;

	f->lookup.demangles = role == PD_LOOKUP_FILE && !f->options.has_no_demangle;
	rc = pd_lookup_read_elf(&f->lookup, symbols->bytes, runtime->bytes, role, &own);
	if (rc == PD_ERR_NOMEM)
		return pd_fail_nomem(err);
	if (rc != PD_OK) {
		pd_tell_dso(f, "bad-symbols", symbols->path, "%s", own.msg);
		return PD_OK;
	}
	ret_names->lookup = &f->lookup;
	ret_names->range = pd_lookup_all(&f->lookup);
	ret_names->role = role;
	ret_names->dwarf_path = with_dwarf->path;
	if (symbols->parts.has_zstd_dwarf)
		ret_names->dwarf_problem = "compressed with zstd, which this libdw does not read";
	return PD_OK;
}
