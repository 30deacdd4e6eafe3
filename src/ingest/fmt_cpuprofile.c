/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU profiles of V8, as node --cpu-prof and the developer tools of Chrome write them:
 * a tree of calls, and which node each sample hit.
 *
 *	{"nodes": [
 *	  {"id": 1, "callFrame": {"functionName": "(root)", "url": "", ...}, "children": [2]},
 *	  {"id": 2, "callFrame": {"functionName": "fib", "url": "file:///tmp/t.js", ...},
 *	   "hitCount": 3}],
 *	 "startTime": 1000, "endTime": 4100, "samples": [2, 2, 2], "timeDeltas": [0, 1000, 1100]}
 *
 * Times are in us. A sample lasts until the next one, the last until the end. A node that
 * calls another stands before it. The script is the module, as names are few in scripts.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "ingest/ingest.h"
#include "ingest/json.h"
#include "ingest/stack_tree.h"

enum event { SAMPLES, TIME, N_EVENTS };

struct node {
	uint32_t id; /* in the file */
	uint32_t parent, func;
	double selves[N_EVENTS];
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_json json;
	struct node *nodes;
	uint32_t n_nodes, cap_nodes;
	/* PD_MAP_NONE is PD_STACK_ROOT: who has no parent there is a root. */
	struct pd_map numbers; /* of nodes, by id */
	struct pd_map parents; /* numbers, by id of the child */
	uint32_t run, n_bad;
	bool has_time;
	bool failed;
};

/* ---- nodes ---- */

/* "file:///tmp/t.js" is a file like others. */
static struct pd_span script_of(struct pd_span url)
{
	return pd_span_starts(url, "file:///") ? pd_span_sub(url, strlen("file://"), url.len) : url;
}

static uint32_t read_function(struct reader *r, const char *at)
{
	struct pd_json_field f[] = {{.key = "functionName"}, {.key = "url"}};
	struct pd_span s, none = {"", 0};
	struct pd_buf name = {0};
	uint32_t func;

	if (!pd_json_go(&r->json, at) || !pd_json_fields(&r->json, f, 2))
		return pd_builder_leftover(r->b, "[unknown]", none);
	if (pd_json_go(&r->json, f[0].at) && pd_json_string(&r->json, &s) && s.len)
		pd_buf_add(&name, s.ptr, s.len);
	else
		pd_buf_add_str(&name, "(anonymous)");
	if (!pd_json_go(&r->json, f[1].at) || !pd_json_string(&r->json, &s))
		s = none;
	func = pd_builder_func(r->b, pd_buf_span(&name), script_of(s));
	r->failed |= name.failed;
	pd_buf_done(&name);
	return func;
}

static void read_children(struct reader *r, const char *at)
{
	uint32_t id;

	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json))
		if (pd_json_index(&r->json, UINT32_MAX, &id) &&
		    pd_map_insert(&r->parents, id, r->n_nodes - 1) == PD_MAP_NONE)
			r->failed = true;
}

static bool grow(struct reader *r)
{
	uint32_t cap = r->cap_nodes ? 2 * r->cap_nodes : 256;
	struct node *nodes;

	if (r->n_nodes < r->cap_nodes)
		return true;
	nodes = cap > r->cap_nodes ? realloc(r->nodes, cap * sizeof(*nodes)) : NULL;
	if (!nodes) {
		r->failed = true;
		return false;
	}
	r->nodes = nodes;
	r->cap_nodes = cap;
	return true;
}

static void read_node(struct reader *r)
{
	enum { ID, FRAME, HITS, CHILDREN, PARENT, N };
	struct pd_json_field f[N] = {
		[ID] = {.key = "id"},             [FRAME] = {.key = "callFrame"},
		[HITS] = {.key = "hitCount"},     [CHILDREN] = {.key = "children"},
		[PARENT] = {.key = "parent"},
	};
	bool is_object = pd_json_fields(&r->json, f, N);
	const char *behind = r->json.at;
	struct node *node;
	uint32_t id, parent;

	if (!is_object || !pd_json_go(&r->json, f[ID].at) ||
	    !pd_json_index(&r->json, UINT32_MAX, &id) ||
	    pd_map_find(&r->numbers, id) != PD_MAP_NONE || !grow(r)) {
		r->n_bad++;
		(void)pd_json_go(&r->json, behind);
		return;
	}
	r->failed |= pd_map_insert(&r->numbers, id, r->n_nodes) == PD_MAP_NONE;
	node = &r->nodes[r->n_nodes++];
	*node = (struct node){.id = id, .parent = PD_STACK_ROOT};
	node->func = read_function(r, f[FRAME].at);
	if (pd_json_go(&r->json, f[HITS].at) && pd_json_number(&r->json, &node->selves[SAMPLES]) &&
	    !(node->selves[SAMPLES] <= PD_COUNT_MAX))
		node->selves[SAMPLES] = 0;
	/* The tools of Chrome once wrote the parent instead of the children. */
	if (pd_json_go(&r->json, f[PARENT].at) &&
	    pd_json_index(&r->json, UINT32_MAX, &parent))
		node->parent = pd_map_find(&r->numbers, parent);
	read_children(r, f[CHILDREN].at);
	(void)pd_json_go(&r->json, behind);
}

static void read_nodes(struct reader *r, const char *at)
{
	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return;
	while (!r->failed && !pd_builder_is_failed(r->b) && pd_json_item(&r->json))
		read_node(r);
	for (uint32_t i = 0; i < r->n_nodes; i++) {
		struct node *node = &r->nodes[i];

		if (node->parent == PD_STACK_ROOT)
			node->parent = pd_map_find(&r->parents, node->id);
		if (node->parent != PD_STACK_ROOT && node->parent >= i) {
			node->parent = PD_STACK_ROOT;
			r->n_bad++;
		}
	}
	if (r->n_bad && !pd_json_is_failed(&r->json))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-node", r->in->path, 0,
			     "expected nodes with an id of their own, behind the one that calls "
			     "them, found %u others; taken without their callers or skipped",
			     r->n_bad);
}

/* ---- samples ---- */

static double number_at(struct reader *r, const char *at)
{
	double x;

	return pd_json_go(&r->json, at) && pd_json_number(&r->json, &x) && fabs(x) <= 1e18
		? x : PD_UNKNOWN;
}

/* Two lists that belong together: nodes, and the time before each of them. */
static void read_samples(struct reader *r, const char *samples, const char *deltas, double left_us)
{
	uint32_t id, last = PD_MAP_NONE, n_bad = 0;
	struct pd_json other;
	double delta;

	if (!pd_json_go(&r->json, samples) || !pd_json_array(&r->json))
		return;
	for (uint32_t i = 0; i < r->n_nodes; i++)
		r->nodes[i].selves[SAMPLES] = 0; /* they are counted again */
	pd_json_init(&other, (struct pd_span){r->json.begin,
					      (size_t)(r->json.end - r->json.begin)});
	r->has_time = pd_json_go(&other, deltas) && pd_json_array(&other);
	while (pd_json_item(&r->json)) {
		if (r->has_time && pd_json_item(&other) && pd_json_number(&other, &delta) &&
		    fabs(delta) <= 1e18) {
			left_us -= delta;
			if (last != PD_MAP_NONE)
				r->nodes[last].selves[TIME] += delta * 1e3;
		}
		last = PD_MAP_NONE;
		if (pd_json_index(&r->json, UINT32_MAX, &id))
			last = pd_map_find(&r->numbers, id);
		if (last == PD_MAP_NONE)
			n_bad++;
		else
			r->nodes[last].selves[SAMPLES]++;
	}
	if (r->has_time && last != PD_MAP_NONE && left_us > 0)
		r->nodes[last].selves[TIME] += left_us * 1e3;
	pd_json_done(&other);
	if (n_bad && !pd_json_is_failed(&r->json))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-sample", r->in->path, 0,
			     "expected samples of nodes that are there, found %u others; samples "
			     "skipped", n_bad);
}

/* ---- the input ---- */

static void tell(struct reader *r)
{
	size_t n = r->n_nodes + (size_t)1;
	uint32_t *parents = malloc(n * sizeof(*parents)), *funcs = malloc(n * sizeof(*funcs));
	double *selves = malloc(n * sizeof(*selves));
	struct pd_stack_tree tree = {.parents = parents, .funcs = funcs, .n = r->n_nodes};

	r->failed |= !parents || !funcs || !selves;
	for (uint32_t i = 0; i < r->n_nodes && !r->failed; i++) {
		parents[i] = r->nodes[i].parent;
		funcs[i] = r->nodes[i].func;
	}
	for (uint32_t e = 0; e < (r->has_time ? N_EVENTS : TIME) && !r->failed; e++) {
		uint32_t event = pd_builder_event(r->b, r->run,
						  pd_span_of(e == TIME ? "time" : "samples"),
						  e == TIME ? PD_UNIT_NS : PD_UNIT_SAMPLES);

		pd_builder_set_complete(r->b, r->run, event);
		for (uint32_t i = 0; i < r->n_nodes; i++)
			selves[i] = r->nodes[i].selves[e];
		r->failed |= !pd_stack_tree_tell(&tree, selves, r->b, r->run, event);
	}
	pd_stack_tree_done(&tree);
	free(parents);
	free(funcs);
	free(selves);
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct pd_json_field nodes = {.key = "nodes"}, frame = {.key = "callFrame"};
	struct pd_json j;

	pd_json_init(&j, head->bytes);
	(void)pd_json_fields(&j, &nodes, 1);
	j.expected = NULL; /* the head may be cut */
	if (pd_json_go(&j, nodes.at) && pd_json_array(&j) && pd_json_item(&j))
		(void)pd_json_fields(&j, &frame, 1);
	pd_json_done(&j);
	return frame.at ? PD_SNIFF_YES : PD_SNIFF_NO;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	enum { NODES, LIST, DELTAS, START, END, N };
	struct pd_json_field f[N] = {
		[NODES] = {.key = "nodes"},       [LIST] = {.key = "samples"},
		[DELTAS] = {.key = "timeDeltas"}, [START] = {.key = "startTime"},
		[END] = {.key = "endTime"},
	};
	struct reader r = {.in = in, .b = b};
	double us;
	int rc;

	r.run = pd_builder_run(b, pd_span_of(""));
	pd_json_init(&r.json, in->bytes);
	if (pd_json_fields(&r.json, f, N)) {
		us = number_at(&r, f[END].at) - number_at(&r, f[START].at);
		read_nodes(&r, f[NODES].at);
		read_samples(&r, f[LIST].at, f[DELTAS].at, us);
		if (us > 0)
			pd_builder_set_duration(b, r.run, us * 1e3);
	}
	rc = pd_json_check(&r.json, err);
	if (rc == PD_OK && !r.failed && !pd_builder_is_failed(b))
		tell(&r);
	if (r.failed)
		rc = pd_fail_nomem(err);
	pd_map_done(&r.numbers);
	pd_map_done(&r.parents);
	free(r.nodes);
	pd_json_done(&r.json);
	return rc;
}

const struct pd_format pd_format_cpuprofile = {
	.name = "cpuprofile",
	.title = "CPU profiles of V8: node --cpu-prof, developer tools of Chrome",
	.sniff = sniff,
	.read = read,
};
