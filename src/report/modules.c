/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Short names of modules. Contract: modules.h.
 */
#include "report/modules.h"

#include "analysis/names.h"
#include "base/map.h"

enum { SEVERAL = 0 }; /* id 0 is no module's */

/* Which module has a base name, in owners by its id in bases. */
static bool find_owners(const struct pd_strtab *strings, const pd_str *modules, size_t n_modules,
			struct pd_strtab *bases, struct pd_map *owners)
{
	for (size_t i = 0; i < n_modules; i++) {
		pd_str base = pd_strtab_intern(
			bases, pd_module_base_name(pd_strtab_span(strings, modules[i])));
		uint32_t owner = pd_map_insert(owners, base.id, modules[i].id);

		if (owner == PD_MAP_NONE || bases->failed)
			return false;
		if (owner != modules[i].id)
			pd_map_set(owners, base.id, SEVERAL);
	}
	return true;
}

struct pd_short_modules pd_short_modules_make(struct pd_document *d,
					      const struct pd_strtab *strings,
					      const pd_str *modules, size_t n_modules)
{
	struct pd_short_modules m = {.n = strings->n + 1};
	struct pd_strtab bases = {0};
	struct pd_map owners = {0};

	m.texts = pd_arena_array(&d->arena, m.n, sizeof(*m.texts));
	if (!m.texts || !find_owners(strings, modules, n_modules, &bases, &owners)) {
		d->failed = true;
		m.n = 0;
	}
	for (size_t i = 0; i < n_modules && m.n; i++) {
		struct pd_span base = pd_module_base_name(pd_strtab_span(strings, modules[i]));
		pd_str id = pd_strtab_find(&bases, base);

		if (pd_map_find(&owners, id.id) == modules[i].id)
			m.texts[modules[i].id] = base.ptr; /* it ends where the module does */
	}
	pd_map_done(&owners);
	pd_strtab_done(&bases);
	return m;
}

const char *pd_short_module(const struct pd_short_modules *m, const struct pd_strtab *strings,
			    pd_str module)
{
	return module.id < m->n && m->texts[module.id] ? m->texts[module.id]
						       : pd_strtab_get(strings, module);
}
