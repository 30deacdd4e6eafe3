/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding a renderer. Contract: include/profdiff/render.h.
 */
#include "profdiff/render.h"

#include <string.h>

const struct pd_renderer *pd_renderer_find(const char *name)
{
	for (size_t i = 0; pd_renderers[i]; i++)
		if (!strcmp(pd_renderers[i]->name, name))
			return pd_renderers[i];
	return NULL;
}
