/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processed profiles of the Firefox Profiler, which samply writes, too: threads whose
 * samples are numbers of stacks, and tables as columns that refer to each other.
 *
 *	{"meta": {"preprocessedProfileVersion": 44, "product": "prog", ...},
 *	 "libs": [...],
 *	 "threads": [{"name": "main", "samples": {"stack": [1, null, 0], "weight": null,
 *	    "weightType": "samples", ...},
 *	   "stackTable": {"prefix": [null, 0], "frame": [0, 1]},
 *	   "frameTable": {"func": [0, 1]},
 *	   "funcTable": {"name": [0, 1], "resource": [0, -1], "fileName": [null, 2]},
 *	   "resourceTable": {"lib": [0], "name": [3]},
 *	   "stringArray": ["main", "f", "a.js", "prog"]}]}
 *
 * Newer ones have the tables once, in "shared"; a thread's own come first. All threads
 * are one run; each type of weight is an event. A stack's prefix is always above it.
 */
#include <stdlib.h>

#include "base/num.h"
#include "ingest/ingest.h"
#include "ingest/json.h"
#include "ingest/stack_tree.h"
#include "ingest/stacks.h"

#define NO_INDEX UINT32_MAX

/* A list of numbers of rows in another table; what is none is NO_INDEX. */
struct column {
	const char *at; /* in the input; NULL: it is not there */
	uint32_t *items;
	uint32_t n;
};

enum column_id {
	STACK_PREFIX, STACK_FRAME, FRAME_FUNC, FUNC_NAME, FUNC_RESOURCE, FUNC_FILE, RESOURCE_LIB,
	RESOURCE_NAME, N_COLUMNS,
};

enum table_id { STACKS, FRAMES, FUNCS, RESOURCES, STRINGS, N_TABLES };

static const char *const table_keys[N_TABLES] = {
	"stackTable", "frameTable", "funcTable", "resourceTable", "stringArray",
};

static const struct {
	enum table_id table;
	const char *key;
} columns[N_COLUMNS] = {
	[STACK_PREFIX] = {STACKS, "prefix"},   [STACK_FRAME] = {STACKS, "frame"},
	[FRAME_FUNC] = {FRAMES, "func"},       [FUNC_NAME] = {FUNCS, "name"},
	[FUNC_RESOURCE] = {FUNCS, "resource"}, [FUNC_FILE] = {FUNCS, "fileName"},
	[RESOURCE_LIB] = {RESOURCES, "lib"},   [RESOURCE_NAME] = {RESOURCES, "name"},
};

static const struct {
	const char *type, *event;
	enum pd_unit unit;
	double factor;
} weights[] = {
	{"samples", "samples", PD_UNIT_SAMPLES, 1},
	{"tracing-ms", "time", PD_UNIT_NS, 1e6},
	{"bytes", "bytes", PD_UNIT_BYTES, 1},
};

enum { N_EVENTS = sizeof(weights) / sizeof(weights[0]) };

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_json json;
	uint32_t run;
	const char *shared[N_TABLES]; /* where they are; NULL: nowhere */
	/* The tables at hand: of one thread, or of all of them. */
	const char *tables[N_TABLES];
	struct column columns[N_COLUMNS];
	const char **strings; /* where they are */
	uint32_t n_strings;
	uint32_t *nodes;      /* functions of stacks */
	uint32_t n_stacks;
	double *selves[N_EVENTS]; /* by stack; NULL: nothing yet */
	uint32_t events[N_EVENTS]; /* 1 + id of the builder */
	struct pd_stack_tree tree;
	size_t n_left; /* rows that may still be read, so that tables are not read over and over */
	uint32_t thread;
	bool has_negative;
	bool failed;
};

/* ---- tables ---- */

/* Room for one more of n items; false if there is none. */
static bool grow(struct reader *r, void **items, uint32_t n, size_t size)
{
	void *p;

	if (!r->n_left || n == NO_INDEX - 1)
		return false;
	r->n_left--;
	if (n & (n - 1)) /* the room is a power of two */
		return true;
	p = realloc(*items, (n ? 2 * (size_t)n : 1) * size);
	if (!p) {
		r->failed = true;
		return false;
	}
	*items = p;
	return true;
}

static void read_column(struct reader *r, struct column *c, const char *at)
{
	void *items = NULL;
	double x;

	free(c->items);
	*c = (struct column){.at = at};
	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json) && grow(r, &items, c->n, sizeof(*c->items))) {
		bool is_index = pd_json_number(&r->json, &x) && x >= 0 && x < NO_INDEX;

		c->items = items;
		c->items[c->n++] = is_index ? (uint32_t)x : NO_INDEX;
	}
	c->items = items;
}

static void read_strings(struct reader *r, const char *at)
{
	void *strings = NULL;

	free(r->strings);
	r->strings = NULL;
	r->n_strings = 0;
	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json) &&
	       grow(r, &strings, r->n_strings, sizeof(*r->strings))) {
		r->strings = strings;
		r->strings[r->n_strings++] = r->json.at;
		pd_json_skip(&r->json);
	}
	r->strings = strings;
}

static uint32_t item(const struct reader *r, enum column_id id, uint32_t i)
{
	const struct column *c = &r->columns[id];

	return i < c->n ? c->items[i] : NO_INDEX;
}

/* A string, until the next one is read; empty if there is none of that number. */
static struct pd_span string(struct reader *r, uint32_t i)
{
	struct pd_span s;

	if (i >= r->n_strings || !pd_json_go(&r->json, r->strings[i]) ||
	    !pd_json_string(&r->json, &s))
		return (struct pd_span){"", 0};
	return pd_span_trim(s);
}

static uint32_t function_of(struct reader *r, uint32_t row, struct pd_buf *module)
{
	uint32_t resource = item(r, FUNC_RESOURCE, row), func;
	struct pd_span s;

	/* Resources are libraries, or the sites that scripts are of. */
	module->len = 0;
	if (item(r, RESOURCE_LIB, resource) != NO_INDEX) {
		s = string(r, item(r, RESOURCE_NAME, resource));
		pd_buf_add(module, s.ptr, s.len);
	}
	s = string(r, item(r, FUNC_NAME, row));
	if (pd_stacks_is_unnamed(s))
		return pd_builder_leftover(r->b, "[unknown]", pd_buf_span(module));
	func = pd_builder_func(r->b, s, pd_buf_span(module));
	s = string(r, item(r, FUNC_FILE, row));
	if (s.len)
		pd_builder_set_file(r->b, func, s);
	return func;
}

/* The functions of stacks, and prefixes that can be followed. */
static void make_nodes(struct reader *r)
{
	uint32_t n_funcs = r->columns[FUNC_NAME].n, none, n_bad = 0;
	uint32_t *funcs = malloc((n_funcs + (size_t)1) * sizeof(*funcs));
	struct pd_buf module = {0};

	free(r->nodes);
	r->n_stacks = r->columns[STACK_FRAME].n;
	r->nodes = malloc((r->n_stacks + (size_t)1) * sizeof(*r->nodes));
	if (!funcs || !r->nodes) {
		r->failed = true;
		goto out;
	}
	for (uint32_t i = 0; i < n_funcs; i++)
		funcs[i] = function_of(r, i, &module);
	none = pd_builder_leftover(r->b, "[unknown]", (struct pd_span){"", 0});
	for (uint32_t i = 0; i < r->n_stacks; i++) {
		uint32_t row = item(r, FRAME_FUNC, item(r, STACK_FRAME, i));

		r->nodes[i] = row < n_funcs ? funcs[row] : none;
	}
	/* A prefix that is not above would make circles. */
	for (uint32_t i = 0; i < r->columns[STACK_PREFIX].n && i < r->n_stacks; i++) {
		uint32_t *prefix = &r->columns[STACK_PREFIX].items[i];

		if (*prefix == NO_INDEX || *prefix < i)
			continue;
		*prefix = NO_INDEX;
		n_bad++;
	}
	if (n_bad)
		pd_diags_add(r->in->diags, PD_WARNING, "bad-prefix", r->in->path, 0,
			     "thread %u: expected prefixes of stacks above them, found %u below; "
			     "stacks taken without their callers", r->thread, n_bad);
out:
	r->failed |= module.failed;
	free(funcs);
	pd_buf_done(&module);
}

/* Tell what was added up for the tables at hand. */
static void flush(struct reader *r)
{
	r->tree.parents = r->columns[STACK_PREFIX].items;
	r->tree.funcs = r->nodes;
	r->tree.n = r->n_stacks;
	for (uint32_t e = 0; e < N_EVENTS; e++) {
		if (r->selves[e] && !r->failed && !pd_builder_is_failed(r->b) &&
		    !pd_stack_tree_tell(&r->tree, r->selves[e], r->b, r->run, r->events[e] - 1))
			r->failed = true;
		free(r->selves[e]);
		r->selves[e] = NULL;
	}
}

/* Read the tables of a thread, unless those at hand are just them. */
static void use_tables(struct reader *r, const struct pd_json_field *own)
{
	struct pd_json_field f[N_COLUMNS];
	bool is_same = r->nodes != NULL;

	for (uint32_t t = 0; t < N_TABLES; t++) {
		const char *at = own[t].at ? own[t].at : r->shared[t];

		is_same &= at == r->tables[t];
		r->tables[t] = at;
	}
	if (is_same)
		return;
	flush(r);
	for (uint32_t t = 0; t < STRINGS; t++) {
		for (uint32_t c = 0; c < N_COLUMNS; c++)
			f[c] = (struct pd_json_field){.key = columns[c].key};
		if (pd_json_go(&r->json, r->tables[t]))
			(void)pd_json_fields(&r->json, f, N_COLUMNS);
		for (uint32_t c = 0; c < N_COLUMNS; c++)
			if (columns[c].table == t)
				read_column(r, &r->columns[c], f[c].at);
	}
	read_strings(r, r->tables[STRINGS]);
	/* A tree needs as many prefixes as stacks. */
	if (r->columns[STACK_PREFIX].n < r->columns[STACK_FRAME].n)
		r->columns[STACK_FRAME].n = r->columns[STACK_PREFIX].n;
	if (!r->failed && !pd_json_is_failed(&r->json))
		make_nodes(r);
}

/* ---- samples ---- */

/* The event of a type of weights, ready to be added to; N_EVENTS if there is none. */
static uint32_t event_of(struct reader *r, const char *at)
{
	struct pd_span type = pd_span_of("samples");
	uint32_t e = 0;

	if (pd_json_go(&r->json, at) && !pd_json_string(&r->json, &type))
		type = pd_span_of("samples");
	while (e < N_EVENTS && !pd_span_eq(type, weights[e].type))
		e++;
	if (e == N_EVENTS) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-type", r->in->path, 0,
			     "thread %u: expected weights of a known type, found \"%.*s\"; thread "
			     "skipped", r->thread, PD_SPAN_ARG(type));
		return e;
	}
	if (!r->events[e]) {
		uint32_t id = pd_builder_event(r->b, r->run, pd_span_of(weights[e].event),
					       weights[e].unit);

		pd_builder_set_complete(r->b, r->run, id);
		r->events[e] = 1 + id;
	}
	if (!r->selves[e])
		r->selves[e] = calloc(r->n_stacks + (size_t)1, sizeof(double));
	r->failed |= !r->selves[e];
	return r->failed ? N_EVENTS : e;
}

/* Two lists that belong together: stacks, and what each costs (or 1). */
static void add_samples(struct reader *r, uint32_t event, const char *stacks, const char *costs)
{
	uint32_t n_bad = 0, stack;
	struct pd_json other;
	bool has_costs;
	double cost = 1;

	pd_json_init(&other, (struct pd_span){r->json.begin,
					      (size_t)(r->json.end - r->json.begin)});
	has_costs = pd_json_go(&other, costs) && pd_json_array(&other);
	if (!pd_json_go(&r->json, stacks) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json)) {
		bool has_cost = !has_costs, has_stack = pd_json_peek(&r->json) != PD_JSON_WORD;

		if (has_costs && pd_json_item(&other))
			has_cost = pd_json_number(&other, &cost) && fabs(cost) <= PD_COUNT_MAX;
		else if (has_costs)
			other.at = other.end;
		if (!pd_json_index(&r->json, r->n_stacks, &stack)) {
			n_bad += has_stack; /* null: the thread did not run */
			continue;
		}
		n_bad += !has_cost;
		if (!has_cost)
			continue;
		r->has_negative |= cost < 0;
		r->selves[event][stack] += cost * weights[event].factor;
	}
	if (n_bad && !pd_json_is_failed(&r->json))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-sample", r->in->path, 0,
			     "thread %u: expected samples with a stack and a weight, found %u "
			     "without; samples skipped", r->thread, n_bad);
	pd_json_done(&other);
}

static void read_thread(struct reader *r)
{
	enum { SAMPLES = N_TABLES, N_FIELDS };
	enum { STACK, WEIGHT, TYPE, SCHEMA, N };
	struct pd_json_field own[N_FIELDS] = {[SAMPLES] = {.key = "samples"}};
	struct pd_json_field f[N] = {
		[STACK] = {.key = "stack"}, [WEIGHT] = {.key = "weight"},
		[TYPE] = {.key = "weightType"}, [SCHEMA] = {.key = "schema"},
	};
	const char *behind;
	uint32_t event;

	for (uint32_t t = 0; t < N_TABLES; t++)
		own[t].key = table_keys[t];
	r->thread++;
	(void)pd_json_fields(&r->json, own, N_FIELDS);
	behind = r->json.at;
	if (!pd_json_go(&r->json, own[SAMPLES].at) || !pd_json_fields(&r->json, f, N) ||
	    !f[STACK].at) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-thread", r->in->path, 0,
			     "thread %u: expected samples with stacks, found %s; thread skipped",
			     r->thread, f[SCHEMA].at ? "those of a profile that the Firefox "
			     "Profiler has not processed: load and save it there" : "none");
	} else {
		use_tables(r, own);
		event = pd_json_is_failed(&r->json) || r->failed ? N_EVENTS :
			event_of(r, f[TYPE].at);
		if (event < N_EVENTS)
			add_samples(r, event, f[STACK].at, f[WEIGHT].at);
	}
	(void)pd_json_go(&r->json, behind);
}

/* ---- the input ---- */

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct pd_json_field root[] = {{.key = "meta"}, {.key = "threads"}, {.key = "libs"}};
	struct pd_json_field version = {.key = "preprocessedProfileVersion"};
	struct pd_json j;

	pd_json_init(&j, head->bytes);
	(void)pd_json_fields(&j, root, 3);
	j.expected = NULL; /* the head may be cut */
	if (pd_json_go(&j, root[0].at))
		(void)pd_json_fields(&j, &version, 1);
	pd_json_done(&j);
	if (version.at)
		return PD_SNIFF_YES;
	return root[0].at && (root[1].at || root[2].at) ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

static void read_threads(struct reader *r)
{
	if (pd_json_array(&r->json))
		while (!r->failed && r->n_left && !pd_builder_is_failed(r->b) &&
		       pd_json_item(&r->json))
			read_thread(r);
	flush(r);
}

static void read_shared(struct reader *r)
{
	struct pd_json_field f[N_TABLES];

	for (uint32_t t = 0; t < N_TABLES; t++)
		f[t] = (struct pd_json_field){.key = table_keys[t]};
	if (pd_json_fields(&r->json, f, N_TABLES))
		for (uint32_t t = 0; t < N_TABLES; t++)
			r->shared[t] = f[t].at;
}

/* Where threads stand before what they share, they are read last. */
static void read_root(struct reader *r)
{
	struct pd_json_field product = {.key = "product"};
	const char *waiting = NULL, *behind;
	bool has_shared = false;
	struct pd_span s;

	if (!pd_json_object(&r->json))
		return;
	while (!r->failed && pd_json_key(&r->json, &s)) {
		if (pd_span_eq(s, "shared") && !has_shared) {
			read_shared(r);
			has_shared = true;
		} else if (pd_span_eq(s, "threads") && has_shared && !r->thread) {
			read_threads(r);
		} else if (pd_span_eq(s, "meta") && !product.at) {
			(void)pd_json_fields(&r->json, &product, 1);
			behind = r->json.at;
			if (pd_json_go(&r->json, product.at) && pd_json_string(&r->json, &s))
				pd_builder_set_command(r->b, r->run, s);
			(void)pd_json_go(&r->json, behind);
		} else {
			if (pd_span_eq(s, "threads") && !waiting)
				waiting = r->json.at;
			pd_json_skip(&r->json);
		}
	}
	if (!r->thread && pd_json_go(&r->json, waiting))
		read_threads(r);
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .n_left = 2 * in->bytes.len};
	int rc;

	r.run = pd_builder_run(b, pd_span_of(""));
	pd_json_init(&r.json, in->bytes);
	read_root(&r);
	if (r.has_negative)
		pd_builder_set_deltas(b, r.run);
	if (r.failed)
		rc = pd_fail_nomem(err);
	else if (!r.n_left)
		rc = pd_fail(err, PD_ERR_LIMIT, "too many threads without tables of their own");
	else
		rc = pd_json_check(&r.json, err);
	for (uint32_t c = 0; c < N_COLUMNS; c++)
		free(r.columns[c].items);
	free(r.strings);
	free(r.nodes);
	pd_stack_tree_done(&r.tree);
	pd_json_done(&r.json);
	return rc;
}

const struct pd_format pd_format_firefox = {
	.name = "firefox",
	.title = "Firefox Profiler, processed profiles: also of samply",
	.sniff = sniff,
	.read = read,
};
