/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine. Contract: machine.h. Records as linux/perf_event.h has them; names in
 * them end with a NUL or with the record.
 */
#include "ingest/perfdata/machine.h"

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

enum {
	PROT_EXECUTE = 4,
	MAPPED_HUGE = 0x40000, /* MAP_HUGETLB */
	KSYMBOL_UNREGISTER = 1,
};

static const char kernel_prefix[] = "[kernel.kallsyms]";

/* A mapping as MMAP and MMAP2 tell it. */
struct mmap_record {
	int32_t pid, tid;
	uint64_t start, n_bytes, offset;
	uint32_t protection, flags;
	struct pd_perf_file_id id;
	struct pd_span name;
};

void pd_perf_machine_init(struct pd_perf_machine *m, struct pd_strtab *strings)
{
	*m = (struct pd_perf_machine){.strings = strings};
	pd_perf_dsos_init(&m->dsos, strings);
	m->kernel = pd_perf_space_new(&m->spaces);
	m->modules = pd_perf_space_new(&m->spaces);
	pd_perf_tasks_init(&m->tasks, &m->spaces, strings);
}

void pd_perf_machine_done(struct pd_perf_machine *m)
{
	pd_perf_dsos_done(&m->dsos);
	pd_perf_spaces_done(&m->spaces);
	pd_perf_tasks_done(&m->tasks);
}

bool pd_perf_machine_is_failed(const struct pd_perf_machine *m)
{
	return m->dsos.failed || m->spaces.failed || m->tasks.failed || m->strings->failed;
}

static uint64_t end_of(uint64_t start, uint64_t n_bytes)
{
	return n_bytes > UINT64_MAX - start ? UINT64_MAX : start + n_bytes;
}

/* The kernel's own mapping: its name ends in a symbol, whose address is the offset. */
static void map_kernel(struct pd_perf_machine *m, const struct mmap_record *r, uint32_t version)
{
	uint32_t i = pd_perf_dso_kernel(&m->dsos);
	struct pd_dso *dso = &m->dsos.items[i];
	uint64_t end = end_of(r->start, r->n_bytes);
	struct pd_span symbol = pd_span_sub(r->name, sizeof(kernel_prefix) - 1, r->name.len);

	/* Addresses were hidden from the recorder: all of the kernel. */
	if (!end)
		end = UINT64_MAX;
	if (r->offset && symbol.len) {
		dso->reference = pd_strtab_intern(m->strings, symbol);
		dso->reference_address = r->offset;
	}
	dso->address = r->start;
	dso->n_bytes = end - r->start;
	pd_perf_space_map(&m->spaces, m->kernel, (struct pd_perf_mapping){
		.start = r->start, .end = end, .dso = i, .version = version,
	});
}

static void map_in_kernel(struct pd_perf_machine *m, const struct mmap_record *r, uint32_t version)
{
	uint32_t i;

	if (pd_span_starts(r->name, kernel_prefix)) {
		map_kernel(m, r, version);
		return;
	}
	if (!pd_perf_is_module(r->name))
		return;
	i = pd_perf_dso_module(&m->dsos, r->name);
	m->dsos.items[i].address = r->start;
	m->dsos.items[i].n_bytes = r->n_bytes;
	pd_perf_space_map(&m->spaces, m->modules, (struct pd_perf_mapping){
		.start = r->start, .end = end_of(r->start, r->n_bytes), .shift = -r->start,
		.dso = i, .version = version,
	});
}

static bool is_anonymous(const struct mmap_record *r)
{
	return pd_span_eq(r->name, "//anon") || pd_span_starts(r->name, "/dev/zero") ||
	       pd_span_starts(r->name, "/anon_hugepage") || r->flags & MAPPED_HUGE;
}

static bool has_no_file(const struct mmap_record *r)
{
	return pd_span_starts(r->name, "[stack") || pd_span_starts(r->name, "/SYSV") ||
	       pd_span_eq(r->name, "[heap]");
}

static void map_in_task(struct pd_perf_machine *m, const struct mmap_record *r, uint32_t version)
{
	uint32_t space = pd_perf_task_space(&m->tasks, r->pid, r->tid, version);
	struct pd_perf_mapping x = {
		.start = r->start, .end = end_of(r->start, r->n_bytes), .version = version,
	};

	if (is_anonymous(r) || has_no_file(r)) {
		x.dso = pd_perf_dso_memory(&m->dsos, r->name, r->protection & PROT_EXECUTE,
					   pd_perf_task_pid(&m->tasks, r->tid, r->pid));
	} else {
		x.dso = pd_perf_dso_file(&m->dsos, r->name, &r->id);
		x.shift = -r->start;
		if (m->dsos.items[x.dso].kind != PD_DSO_VDSO)
			x.shift += r->offset;
	}
	pd_perf_space_map(&m->spaces, space, x);
}

static void take_mapping(struct pd_perf_machine *m, struct mmap_record *r, unsigned misc,
			 uint32_t version)
{
	unsigned mode = misc & PD_PERF_MODE_MASK;

	r->name = pd_perf_text(r->name);
	if (mode == PD_PERF_MODE_KERNEL || mode == PD_PERF_MODE_GUEST_KERNEL)
		map_in_kernel(m, r, version);
	else if (r->name.len)
		map_in_task(m, r, version);
}

static void take_mmap(struct pd_perf_machine *m, struct pd_span body, unsigned misc,
		      uint32_t version, bool is_swapped)
{
	enum { NAME = 32 };
	struct mmap_record r;

	if (body.len < NAME)
		return;
	r = (struct mmap_record){
		.pid = (int32_t)pd_perf_u32(body.ptr, is_swapped),
		.tid = (int32_t)pd_perf_u32(body.ptr + 4, is_swapped),
		.start = pd_perf_u64(body.ptr + 8, is_swapped),
		.n_bytes = pd_perf_u64(body.ptr + 16, is_swapped),
		.offset = pd_perf_u64(body.ptr + 24, is_swapped),
		.protection = misc & PD_PERF_MISC_DATA ? 0 : PROT_EXECUTE,
		.name = pd_span_sub(body, NAME, body.len),
	};
	take_mapping(m, &r, misc, version);
}

static void take_mmap2(struct pd_perf_machine *m, struct pd_span body, unsigned misc,
		       uint32_t version, bool is_swapped)
{
	enum { ID = 32, PROTECTION = 56, NAME = 64 };
	struct mmap_record r;

	if (body.len < NAME)
		return;
	r = (struct mmap_record){
		.pid = (int32_t)pd_perf_u32(body.ptr, is_swapped),
		.tid = (int32_t)pd_perf_u32(body.ptr + 4, is_swapped),
		.start = pd_perf_u64(body.ptr + 8, is_swapped),
		.n_bytes = pd_perf_u64(body.ptr + 16, is_swapped),
		.offset = pd_perf_u64(body.ptr + 24, is_swapped),
		.protection = pd_perf_u32(body.ptr + PROTECTION, is_swapped),
		.flags = pd_perf_u32(body.ptr + PROTECTION + 4, is_swapped),
		.name = pd_span_sub(body, NAME, body.len),
	};
	if (misc & PD_PERF_MISC_BUILD_ID) {
		uint8_t n = (uint8_t)body.ptr[ID];

		r.id.n_build_id = n < sizeof(r.id.build_id) ? n : sizeof(r.id.build_id);
		memcpy(r.id.build_id, body.ptr + ID + 4, sizeof(r.id.build_id));
	} else {
		r.id.major = pd_perf_u32(body.ptr + ID, is_swapped);
		r.id.minor = pd_perf_u32(body.ptr + ID + 4, is_swapped);
		r.id.inode = pd_perf_u64(body.ptr + ID + 8, is_swapped);
		r.id.generation = pd_perf_u64(body.ptr + ID + 16, is_swapped);
	}
	take_mapping(m, &r, misc, version);
}

static void take_comm(struct pd_perf_machine *m, struct pd_span body, uint32_t version,
		      bool is_swapped)
{
	if (body.len < 8)
		return;
	pd_perf_task_rename(&m->tasks, (int32_t)pd_perf_u32(body.ptr, is_swapped),
			    (int32_t)pd_perf_u32(body.ptr + 4, is_swapped),
			    pd_perf_text(pd_span_sub(body, 8, body.len)), version);
}

static void take_fork(struct pd_perf_machine *m, struct pd_span body, unsigned misc,
		      uint32_t version, bool is_swapped)
{
	struct pd_perf_fork fork;

	if (body.len < 16)
		return;
	fork = (struct pd_perf_fork){
		.pid = (int32_t)pd_perf_u32(body.ptr, is_swapped),
		.parent_pid = (int32_t)pd_perf_u32(body.ptr + 4, is_swapped),
		.tid = (int32_t)pd_perf_u32(body.ptr + 8, is_swapped),
		.parent_tid = (int32_t)pd_perf_u32(body.ptr + 12, is_swapped),
		.copies_maps = !(misc & PD_PERF_MISC_SYNTHESIZED),
	};
	pd_perf_task_fork(&m->tasks, &fork, version);
}

/* {u64 address, u32 n_bytes, u16 type, u16 flags, name}: code that was made or dropped */
static void take_ksymbol(struct pd_perf_machine *m, struct pd_span body, uint32_t version,
			 bool is_swapped)
{
	enum { NAME = 16 };
	struct pd_perf_mapping x = {.version = version};
	struct pd_span name;

	if (body.len < NAME)
		return;
	x.start = pd_perf_u64(body.ptr, is_swapped);
	x.end = end_of(x.start, pd_perf_u32(body.ptr + 8, is_swapped));
	name = pd_perf_text(pd_span_sub(body, NAME, body.len));
	if (!(pd_perf_u16(body.ptr + 14, is_swapped) & KSYMBOL_UNREGISTER) && name.len) {
		x.dso = pd_perf_dso_named(&m->dsos, name, x.start, x.end - x.start);
		x.shift = -x.start;
	}
	pd_perf_space_map(&m->spaces, m->modules, x);
}

static void apply(struct pd_perf_machine *m, struct pd_span record, uint32_t version,
		  bool is_swapped)
{
	struct pd_span body = pd_span_sub(record, PD_PERF_HEADER_BYTES, record.len);
	unsigned misc = pd_perf_u16(record.ptr + 4, is_swapped);

	switch (pd_perf_u32(record.ptr, is_swapped)) {
	case PD_PERF_MMAP:
		take_mmap(m, body, misc, version, is_swapped);
		break;
	case PD_PERF_MMAP2:
		take_mmap2(m, body, misc, version, is_swapped);
		break;
	case PD_PERF_COMM:
		take_comm(m, body, version, is_swapped);
		break;
	case PD_PERF_FORK:
		take_fork(m, body, misc, version, is_swapped);
		break;
	case PD_PERF_KSYMBOL:
		take_ksymbol(m, body, version, is_swapped);
		break;
	default:
		break;
	}
}

int pd_perf_machine_run(struct pd_perf_machine *m, const struct pd_perf_order *order,
			bool is_swapped, struct pd_error *err)
{
	for (size_t i = 0; i < order->n_ops && !pd_perf_machine_is_failed(m); i++)
		apply(m, pd_perf_op_record(order, &order->ops[i], is_swapped), (uint32_t)i + 1,
		      is_swapped);
	return pd_perf_machine_is_failed(m) ? pd_fail_nomem(err) : PD_OK;
}

struct pd_perf_target pd_perf_machine_find(struct pd_perf_machine *m,
					   const struct pd_perf_view *view, unsigned mode,
					   uint64_t address)
{
	const struct pd_perf_mapping *x = NULL;

	if (mode == PD_PERF_MODE_KERNEL) {
		x = pd_perf_space_find(&m->spaces, m->modules, view->n_modules, address);
		if (!x)
			x = pd_perf_space_find(&m->spaces, m->kernel, view->n_kernel, address);
	} else if (mode == PD_PERF_MODE_USER) {
		x = pd_perf_space_find(&m->spaces, view->space, view->n, address);
	}
	/* Where code was dropped, the mapping is of the DSO of no mapping. */
	if (!x || !x->dso)
		return (struct pd_perf_target){0, address};
	return (struct pd_perf_target){x->dso, address + x->shift};
}
