/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What pprof prints: -top (also called -text) of Go's pprof, --text of gperftools',
 * and -traces.
 *
 *	Type: cpu
 *	Showing nodes accounting for 1.11s, 99.11% of 1.12s total
 *	      flat  flat%   sum%        cum   cum%
 *	     1.10s 98.21% 98.21%      1.10s 98.21%  line1000
 *	         0     0% 98.21%      1.01s 90.18%  line2001 file2000.src:9 (inline)
 *
 *	Total: 712 samples
 *	     250  35.1%  35.1%      250  35.1% snappy::RawUncompress
 *
 *	Type: cpu
 *	-----------+-------------------------------------------------------
 *	     bytes:  1kB                labels
 *	     1.10s   line1000           a stack, the leaf first
 *	             line2000
 *	-----------+-------------------------------------------------------
 *
 * A text may hold several, which are runs. What -top leaves out is [unlisted].
 */
#include "base/num.h"
#include "ingest/pprof.h"
#include "ingest/quantity.h"
#include "io/lines.h"

enum kind {
	NOTHING,
	TOP,
	TRACES,
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct pp_costs costs;
	enum kind kind;        /* of the table at hand */
	bool has_event;        /* of it: it is made by the first row, which has a unit */
	bool is_in_stack;
	struct pd_buf type;    /* "cpu"; empty: it is not told */
	double total;          /* in its unit, or unknown */
	enum pd_unit total_unit;
	struct pp_unit row_unit; /* of numbers that have none */
	double quantum;
	bool is_cut;
};

/* A number with its unit: "1.10s", "0", "512.05kB", "-3". */
struct cost {
	double value, quantum; /* in the unit */
	enum pd_unit unit;     /* PD_UNIT_NONE: none is printed */
};

static bool parse_cost(struct pd_span word, struct cost *ret_cost)
{
	size_t len = pd_quantity_scan(word, &ret_cost->value), dot;
	struct pd_span unit = pd_span_sub(word, len, word.len);
	struct pp_unit u = {PD_UNIT_NONE, 1};

	if (!len || fabs(ret_cost->value) > PD_COUNT_MAX)
		return false;
	if (unit.len) {
		u = pp_unit_of(pd_span_of(""), unit);
		if (u.unit != PD_UNIT_NS && u.unit != PD_UNIT_BYTES)
			return false;
	}
	dot = pd_span_find(pd_span_sub(word, 0, len), ".");
	ret_cost->quantum = u.factor * (dot == SIZE_MAX ? 1 : pow(10, -(double)(len - dot - 1)));
	ret_cost->value *= u.factor;
	if (u.unit != PD_UNIT_NONE)
		ret_cost->value = round(ret_cost->value);
	ret_cost->unit = u.unit;
	return true;
}

static bool is_percent(struct pd_span word)
{
	double x;

	return word.len > 1 && word.ptr[word.len - 1] == '%' &&
	       pd_num_parse(pd_span_sub(word, 0, word.len - 1), &x);
}

/* A row of -top. */
struct row {
	struct cost flat, cum;
	struct pd_span name;
};

static bool parse_row(struct pd_span line, struct row *ret_row)
{
	struct pd_span f[6];

	if (pd_fields(line, f, 6) < 6 || !is_percent(f[1]) || !is_percent(f[2]) ||
	    !is_percent(f[4]) || !parse_cost(f[0], &ret_row->flat) ||
	    !parse_cost(f[3], &ret_row->cum))
		return false;
	ret_row->name = f[5];
	return true;
}

/* Without what pprof writes behind a name: "(inline)", and "file.c:12" with -lines. */
static struct pd_span plain_name(struct pd_span name, struct pd_span *ret_file)
{
	static const char *const marks[] = {" (inline)", " (partial-inline)"};
	size_t blank, colon, i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (pd_span_ends(name, marks[i]))
			name = pd_span_trim(pd_span_sub(name, 0, name.len - strlen(marks[i])));
	*ret_file = pd_span_of("");
	blank = pd_span_find_last(name, ' ');
	colon = pd_span_find_last(name, ':');
	if (blank == SIZE_MAX || !blank || colon == SIZE_MAX || colon < blank + 2 ||
	    colon + 1 == name.len)
		return name;
	for (i = colon + 1; i < name.len; i++)
		if (!pd_is_digit(name.ptr[i]))
			return name;
	*ret_file = pd_span_sub(name, blank + 1, colon);
	return pd_span_trim(pd_span_sub(name, 0, blank));
}

static bool is_top_head(struct pd_span line)
{
	static const char *const words[] = {"flat", "flat%", "sum%", "cum", "cum%"};
	struct pd_span f[6];

	if (pd_fields(line, f, 6) != 5)
		return false;
	for (size_t i = 0; i < 5; i++)
		if (!pd_span_eq(f[i], words[i]))
			return false;
	return true;
}

static bool is_traces_rule(struct pd_span line)
{
	size_t plus = pd_span_find(line, "+");

	if (plus == SIZE_MAX || plus < 3 || line.len < plus + 4)
		return false;
	for (size_t i = 0; i < line.len; i++)
		if (i != plus && line.ptr[i] != '-')
			return false;
	return true;
}

/* "Total: 712 samples" of gperftools' pprof. */
static bool parse_total(struct pd_span line, struct cost *ret_total, struct pd_span *ret_type)
{
	struct pd_span f[3];

	if (!pd_span_starts(line, "Total: ") || pd_fields(line, f, 3) != 3 ||
	    !parse_cost(f[1], ret_total))
		return false;
	*ret_type = f[2];
	return true;
}

/* The run at hand ends. */
static void end_run(struct reader *r)
{
	struct pd_event *event;

	if (r->is_in_stack)
		pp_costs_end(&r->costs);
	r->is_in_stack = false;
	pp_costs_tell(&r->costs);
	if (r->has_event) {
		event = pd_builder_event_at(r->b, r->costs.run, 0);
		if (event && event->unit != PD_UNIT_SAMPLES)
			event->quantum = r->quantum;
		if (pd_is_known(r->total))
			pd_builder_set_total(r->b, r->costs.run, 0, r->total);
		else if (r->is_cut || r->kind == TOP)
			pd_builder_set_cut(r->b, r->costs.run, 0);
		else
			pd_builder_set_complete(r->b, r->costs.run, 0);
	}
	r->has_event = r->is_cut = false;
	r->kind = NOTHING;
	r->quantum = 0;
	r->total = PD_UNKNOWN;
	r->total_unit = PD_UNIT_NONE;
	r->row_unit = (struct pp_unit){PD_UNIT_NONE, 1};
}

/* The first number with a unit tells that of the event. */
static void make_event(struct reader *r, const struct cost *cost)
{
	struct pd_event *event;

	if (!r->has_event) {
		enum pd_unit unit = r->total_unit ? r->total_unit : cost->unit;
		struct pd_span type = pd_span_of(unit == PD_UNIT_NS ? "time" :
						 unit == PD_UNIT_BYTES ? "space" : "samples");

		if (r->type.len)
			type = pd_buf_span(&r->type);
		r->costs.run = pd_builder_run(r->b, pd_span_of(""));
		(void)pd_builder_event(r->b, r->costs.run, type,
				       unit ? unit : pp_unit_of(type, pd_span_of("")).unit);
		r->costs.n_events = 1;
		r->has_event = true;
	}
	event = pd_builder_event_at(r->b, r->costs.run, 0);
	if (event && cost->unit != PD_UNIT_NONE)
		event->unit = cost->unit;
	if (cost->value < 0) {
		pd_builder_set_deltas(r->b, r->costs.run);
		r->total = PD_UNKNOWN; /* the printed one is that of the base */
	}
	if (cost->value != 0)
		r->quantum = fmax(r->quantum, cost->quantum);
}

static void add_row(struct reader *r, struct row *row)
{
	struct pd_span file, name = plain_name(row->name, &file);
	bool is_known;
	uint32_t func;

	if (r->row_unit.factor > 1) {
		row->flat.value *= r->row_unit.factor;
		row->cum.value *= r->row_unit.factor;
		row->flat.quantum *= r->row_unit.factor;
	}
	make_event(r, &row->flat);
	make_event(r, &row->cum);
	func = pd_builder_func(r->b, name, pd_span_of(""));
	is_known = pd_is_known(pd_builder_self(r->b, r->costs.run, 0, func));
	pd_builder_set_file(r->b, func, file);
	pd_builder_add_self(r->b, r->costs.run, 0, func, row->flat.value);
	/* Lines of one function contain each other's callees. */
	pd_builder_add_inclusive(r->b, r->costs.run, 0, func,
				 is_known ? PD_UNKNOWN : row->cum.value);
}

/* "Showing nodes accounting for 1.11s, 99.11% of 1.12s total", "1.11s of 1.12s total (99.11%)". */
static bool read_showing(struct reader *r, struct pd_span line)
{
	size_t of = pd_span_find(line, " of "), total = pd_span_find(line, " total");
	struct cost cost;

	if (of == SIZE_MAX || total == SIZE_MAX || total < of ||
	    !parse_cost(pd_span_sub(line, of + 4, total), &cost))
		return false;
	if (r->kind != NOTHING)
		end_run(r);
	r->total = cost.value;
	r->total_unit = cost.unit;
	return true;
}

/* A line of a stack: the first has the number, and labels may stand before it. */
static void read_trace(struct reader *r, struct pd_span line)
{
	struct pd_span text = pd_span_trim(line), name, file;
	size_t len = 0;
	struct cost cost;

	while (len < text.len && !pd_is_blank(text.ptr[len]))
		len++;
	if (!r->is_in_stack) {
		if (len && text.ptr[len - 1] == ':')
			return;
		if (!parse_cost(pd_span_sub(text, 0, len), &cost)) {
			if (text.len)
				pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path,
					     r->lines.no, "expected a cost and a function, found "
					     "\"%.*s\"; line skipped", PD_SPAN_ARG(text));
			return;
		}
		make_event(r, &cost);
		r->costs.values[0] = cost.value;
		pp_costs_begin(&r->costs);
		r->is_in_stack = true;
		text = pd_span_trim(pd_span_sub(text, len, text.len));
	}
	name = plain_name(text, &file);
	if (name.len)
		pp_costs_frame(&r->costs, pd_builder_func(r->b, name, pd_span_of("")), false);
}

/* A line that begins something, or says something of what follows; else false. */
static bool read_head(struct reader *r, struct pd_span line)
{
	static const char type[] = "Type: ";
	struct pd_span kind;
	struct cost total;

	if (pd_span_starts(line, type)) {
		end_run(r);
		r->type.len = 0;
		pd_buf_add(&r->type, line.ptr + sizeof(type) - 1, line.len - sizeof(type) + 1);
	} else if (is_top_head(line)) {
		if (r->kind != NOTHING)
			end_run(r);
		r->kind = TOP;
	} else if (parse_total(line, &total, &kind)) {
		end_run(r);
		r->kind = TOP;
		r->row_unit = pp_unit_of(kind, kind);
		r->total = total.value * r->row_unit.factor;
		r->type.len = 0;
		if (r->row_unit.unit == PD_UNIT_NS || r->row_unit.unit == PD_UNIT_BYTES)
			r->total_unit = r->row_unit.unit;
		else
			pd_buf_add(&r->type, kind.ptr, kind.len);
	} else if (is_traces_rule(line)) {
		if (r->kind != TRACES)
			end_run(r);
		r->kind = TRACES;
		if (r->is_in_stack)
			pp_costs_end(&r->costs);
		r->is_in_stack = false;
	} else if (r->kind == TRACES) {
		return false;
	} else {
		return read_showing(r, line);
	}
	return true;
}

int pp_text_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .costs.b = b, .total = PD_UNKNOWN};
	struct pd_span line;
	struct row row;
	int rc = PD_OK;

	pd_input_lines(in, &r.lines);
	while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b)) {
		if (r.kind == TOP && parse_row(line, &row))
			add_row(&r, &row);
		else if (read_head(&r, pd_span_trim(line)))
			continue;
		else if (r.kind == TRACES)
			read_trace(&r, line);
		else if (r.kind == TOP && line.len && r.has_event)
			end_run(&r); /* prose */
	}
	end_run(&r);
	if (r.costs.failed || r.lines.clean.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r.lines);
	pp_costs_done(&r.costs);
	pd_buf_done(&r.type);
	return rc;
}

enum pd_sniff pp_text_sniff(const struct pd_input *in)
{
	enum pd_sniff found = PD_SNIFF_NO;
	bool has_type = false, has_total = false;
	struct pd_span line, kind;
	struct pd_lines lines;
	struct cost total;
	struct row row;

	pd_input_lines(in, &lines);
	while (found == PD_SNIFF_NO && pd_lines_next(&lines, &line)) {
		line = pd_span_trim(line);
		has_type |= pd_span_starts(line, "Type: ");
		if (is_top_head(line) || (has_type && is_traces_rule(line)) ||
		    (has_total && parse_row(line, &row)))
			found = PD_SNIFF_YES;
		has_total |= parse_total(line, &total, &kind);
	}
	pd_lines_done(&lines);
	return found;
}
