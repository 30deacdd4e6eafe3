/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folded stacks, for flame graphs: a line a stack, its frames from the root on with ";"
 * between them, and a count a side; what costs nothing on any side has no line.
 *
 *	main;run;hash 30 12
 *
 * A frame is the name of a function alone, as flame graphs show it. What would end a
 * frame or a line is replaced: ";" by ":", and control characters by blanks.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/num.h"
#include "io/writer.h"
#include "profdiff/render.h"

static void add_frame(struct pd_buf *path, const char *name)
{
	if (path->len)
		pd_buf_add_char(path, ';');
	if (!*name)
		name = "[unknown]";
	/* A line that begins so would be a comment. */
	if (!path->len && *name == '#')
		pd_buf_add_char(path, '_');
	for (; *name; name++)
		pd_buf_add_char(path, *name == ';' ? ':'
				: (unsigned char)*name < ' ' || *name == 127 ? ' '
									     : *name);
}

/* A node of the path, and where it ends. */
struct step {
	uint32_t node;
	size_t end;
};

static void add_line(const struct pd_tree *t, uint32_t node, const struct pd_buf *path,
		     struct pd_writer *out)
{
	const double *values = &t->values[(size_t)node * t->n_sides];
	char number[PD_NUM_LEN];
	bool has_cost = false;

	for (uint32_t side = 0; side < t->n_sides; side++)
		has_cost |= values[side] > 0;
	if (!has_cost)
		return;
	pd_writer_add(out, path->ptr, path->len);
	for (uint32_t side = 0; side < t->n_sides; side++) {
		pd_writer_add_str(out, " ");
		pd_writer_add_str(out, pd_num_shortest(values[side] > 0 ? values[side] : 0,
						       number));
	}
	pd_writer_add_str(out, "\n");
}

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	const struct pd_tree *t = d->tree;
	struct step *steps = t ? malloc(((size_t)t->n_nodes + 1) * sizeof(*steps)) : NULL;
	struct pd_buf path = {0};
	size_t n = 0;

	(void)options;
	if (t && !steps)
		pd_writer_fail(out, ENOMEM);
	for (uint32_t i = 0; steps && i < t->n_nodes; i++) {
		while (n && steps[n - 1].node != t->nodes[i].parent)
			n--;
		path.len = n ? steps[n - 1].end : 0;
		add_frame(&path, t->nodes[i].name);
		steps[n++] = (struct step){i, path.len};
		if (path.failed)
			break;
		add_line(t, i, &path, out);
	}
	if (path.failed)
		pd_writer_fail(out, ENOMEM);
	pd_buf_done(&path);
	free(steps);
}

const struct pd_renderer pd_renderer_folded = {
	.name = "folded",
	.title = "folded stacks, a count a side: for flamegraph.pl, inferno, speedscope",
	.parts = PD_PART_TREE,
	.render = render,
};
