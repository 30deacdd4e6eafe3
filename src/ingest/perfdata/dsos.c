/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DSOs. Contract: dsos.h.
 */
#include "ingest/perfdata/dsos.h"

#include <stdio.h>
#include <stdlib.h>

static const char kernel_name[] = "[kernel.kallsyms]";

static uint32_t add(struct pd_perf_dsos *d, struct pd_dso dso)
{
	if (d->n == d->cap) {
		uint32_t cap = d->cap ? 2 * d->cap : 64;
		struct pd_dso *items = realloc(d->items, cap * sizeof(*items));

		if (!items) {
			d->failed = true;
			return 0;
		}
		d->items = items;
		d->cap = cap;
	}
	d->items[d->n] = dso;
	return d->n++;
}

void pd_perf_dsos_init(struct pd_perf_dsos *d, struct pd_strtab *strings)
{
	*d = (struct pd_perf_dsos){.strings = strings};
	(void)add(d, (struct pd_dso){
		.kind = PD_DSO_UNKNOWN,
		.module = pd_strtab_intern_str(strings, "[unknown]"),
	});
}

void pd_perf_dsos_done(struct pd_perf_dsos *d)
{
	free(d->items);
	pd_map_done(&d->by_key);
	pd_map_done(&d->by_name);
	*d = (struct pd_perf_dsos){0};
}

/* The DSO of a key, which is made of dso if it is new. */
static uint32_t find_or_add(struct pd_perf_dsos *d, struct pd_map *map, uint64_t key,
			    struct pd_dso dso)
{
	uint32_t i = pd_map_insert(map, key, d->n);

	if (i == PD_MAP_NONE) {
		d->failed = true;
		return 0;
	}
	return i == d->n ? add(d, dso) : i;
}

/* What a kind and a text of the names make a key of. */
static uint64_t key_of(enum pd_dso_kind kind, pd_str name)
{
	return pd_map_key((uint32_t)kind, name.id);
}

static pd_str hex_of(struct pd_strtab *strings, const uint8_t *bytes, size_t n)
{
	char hex[40];

	if (n > sizeof(hex) / 2)
		n = sizeof(hex) / 2;
	for (size_t i = 0; i < n; i++) {
		hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
	}
	return pd_strtab_intern(strings, (struct pd_span){hex, 2 * n});
}

/* An id as a text of the names, which no path can be: none where the mapping tells none. */
static pd_str intern_id(struct pd_perf_dsos *d, pd_str path, const struct pd_perf_file_id *id,
			bool any_generation)
{
	char text[120];
	int n;

	if (!id->major && !id->minor && !id->inode)
		return (pd_str){0};
	n = snprintf(text, sizeof(text), "\n%u %u %u %llu %llu", path.id, id->major, id->minor,
		     (unsigned long long)id->inode,
		     any_generation ? 0 : (unsigned long long)id->generation);
	return pd_strtab_intern(d->strings, (struct pd_span){text, (size_t)n});
}

/*
 * By path, device and inode, as perf: what a mapping does not tell equals anything,
 * and a generation of 0 any other one.
 */
static uint32_t find_by_inode(struct pd_perf_dsos *d, struct pd_dso dso,
			      const struct pd_perf_file_id *id)
{
	uint64_t name_key = key_of(PD_DSO_FILE, dso.path), key, any_key;
	uint32_t first = pd_map_find(&d->by_name, name_key), i;
	pd_str exact = intern_id(d, dso.path, id, false), any = intern_id(d, dso.path, id, true);

	if (!exact.id) {
		if (first != PD_MAP_NONE)
			return first & ~(UINT32_C(1) << 31);
		/* The bit: it takes the first id that comes. */
		i = pd_map_insert(&d->by_name, name_key, d->n | UINT32_C(1) << 31);
		d->failed |= i == PD_MAP_NONE;
		return add(d, dso);
	}
	key = key_of(PD_DSO_FILE, exact);
	any_key = key_of(PD_DSO_FILE, any);
	i = pd_map_find(&d->by_key, key);
	if (i == PD_MAP_NONE && !id->generation)
		i = pd_map_find(&d->by_key, any_key | UINT64_C(1) << 63);
	if (i == PD_MAP_NONE && id->generation)
		i = pd_map_find(&d->by_key, any_key);
	if (i == PD_MAP_NONE && first != PD_MAP_NONE && first >> 31) {
		i = first & ~(UINT32_C(1) << 31);
		pd_map_set(&d->by_name, name_key, i);
	}
	if (i == PD_MAP_NONE) {
		i = add(d, dso);
		d->failed |= pd_map_insert(&d->by_name, name_key, i) == PD_MAP_NONE;
	}
	d->failed |= pd_map_insert(&d->by_key, key, i) == PD_MAP_NONE;
	d->failed |= pd_map_insert(&d->by_key, any_key | UINT64_C(1) << 63, i) == PD_MAP_NONE;
	return i;
}

uint32_t pd_perf_dso_file(struct pd_perf_dsos *d, struct pd_span path,
			  const struct pd_perf_file_id *id)
{
	struct pd_dso dso = {
		.kind = PD_DSO_FILE,
		.path = pd_strtab_intern(d->strings, path),
		.module = pd_strtab_intern(d->strings, pd_span_behind_last(path, '/')),
	};

	if (pd_span_starts(path, "[vdso")) {
		dso.kind = PD_DSO_VDSO;
		return find_or_add(d, &d->by_name, key_of(PD_DSO_VDSO, dso.path), dso);
	}
	if (id->n_build_id) {
		dso.build_id = hex_of(d->strings, id->build_id, id->n_build_id);
		return find_or_add(d, &d->by_key, pd_map_key(dso.path.id | UINT32_C(1) << 31,
							     dso.build_id.id), dso);
	}
	return find_by_inode(d, dso, id);
}

uint32_t pd_perf_dso_memory(struct pd_perf_dsos *d, struct pd_span name, bool is_code, int32_t pid)
{
	char path[40], module[40];
	struct pd_dso dso = {.kind = is_code ? PD_DSO_JIT : PD_DSO_UNKNOWN};

	if (is_code) {
		(void)snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
		(void)snprintf(module, sizeof(module), "[JIT] tid %d", pid);
		dso.path = pd_strtab_intern_str(d->strings, path);
		dso.module = pd_strtab_intern_str(d->strings, module);
		dso.pid = pid;
	} else {
		dso.path = pd_strtab_intern(d->strings, name);
		dso.module = pd_strtab_intern(d->strings, pd_span_behind_last(name, '/'));
	}
	return find_or_add(d, &d->by_name, key_of(dso.kind, dso.path), dso);
}

uint32_t pd_perf_dso_kernel(struct pd_perf_dsos *d)
{
	pd_str name = pd_strtab_intern_str(d->strings, kernel_name);

	return find_or_add(d, &d->by_name, key_of(PD_DSO_KERNEL, name), (struct pd_dso){
		.kind = PD_DSO_KERNEL, .path = name, .module = name,
	});
}

/* "/lib/modules/x/fs-1.ko.xz", "[fs_1]" -> "[fs_1]" */
static pd_str module_name(struct pd_perf_dsos *d, struct pd_span name)
{
	char text[256] = "[";
	size_t n = 1;

	if (!pd_span_starts(name, "[")) {
		size_t dot;

		name = pd_span_behind_last(name, '/');
		dot = pd_span_find(name, ".ko");
		if (dot != SIZE_MAX)
			name.len = dot;
	} else {
		name = pd_span_sub(name, 1, name.len - (pd_span_ends(name, "]") ? 1 : 0));
	}
	for (size_t i = 0; i < name.len && n < sizeof(text) - 2; i++)
		text[n++] = name.ptr[i] == '-' ? '_' : name.ptr[i];
	text[n++] = ']';
	return pd_strtab_intern(d->strings, (struct pd_span){text, n});
}

bool pd_perf_is_module(struct pd_span name)
{
	struct pd_span base = pd_span_behind_last(name, '/');

	if (pd_span_starts(name, "["))
		return !pd_span_starts(name, "[kernel") && !pd_span_starts(name, "[guest.kernel");
	return pd_span_ends(base, ".ko") || pd_span_find(base, ".ko.") != SIZE_MAX;
}

uint32_t pd_perf_dso_module(struct pd_perf_dsos *d, struct pd_span name)
{
	pd_str module = module_name(d, name);

	return find_or_add(d, &d->by_name, key_of(PD_DSO_MODULE, module), (struct pd_dso){
		.kind = PD_DSO_MODULE,
		.path = pd_strtab_intern(d->strings, name),
		.module = module,
	});
}

uint32_t pd_perf_dso_named(struct pd_perf_dsos *d, struct pd_span name, uint64_t address,
			   uint64_t n_bytes)
{
	pd_str path = pd_strtab_intern(d->strings, name);

	return find_or_add(d, &d->by_name, key_of(PD_DSO_NAMED, path), (struct pd_dso){
		.kind = PD_DSO_NAMED, .path = path, .module = path,
		.address = address, .n_bytes = n_bytes,
	});
}

/* Under which key the header has the build-id of a DSO; 0: it has none. */
static uint64_t build_id_key(const struct pd_dso *dso)
{
	switch (dso->kind) {
	case PD_DSO_KERNEL:
		return key_of(PD_DSO_KERNEL, (pd_str){0});
	case PD_DSO_MODULE:
		return key_of(PD_DSO_MODULE, dso->module);
	case PD_DSO_FILE:
	case PD_DSO_VDSO:
		return key_of(PD_DSO_FILE, dso->path);
	default:
		return 0;
	}
}

void pd_perf_dsos_use_build_ids(struct pd_perf_dsos *d, const struct pd_perf_features *features)
{
	struct pd_map by_key = {0};

	for (uint32_t i = 0; i < features->n_build_ids; i++) {
		const struct pd_perf_build_id *b = &features->build_ids[i];
		uint64_t key;

		if (!b->is_kernel)
			key = key_of(PD_DSO_FILE, pd_strtab_find(d->strings, b->name));
		else if (pd_perf_is_module(b->name))
			key = key_of(PD_DSO_MODULE, module_name(d, b->name));
		else
			key = key_of(PD_DSO_KERNEL, (pd_str){0});
		d->failed |= pd_map_insert(&by_key, key, i) == PD_MAP_NONE;
	}
	for (uint32_t i = 0; i < d->n; i++) {
		struct pd_dso *dso = &d->items[i];
		uint64_t key = build_id_key(dso);
		uint32_t found = key && !dso->build_id.id ? pd_map_find(&by_key, key) : PD_MAP_NONE;

		if (found != PD_MAP_NONE)
			dso->build_id = hex_of(d->strings, features->build_ids[found].bytes,
					       features->build_ids[found].n_bytes);
	}
	pd_map_done(&by_key);
}
