/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of a recording, as linux/perf_event.h and perf's own file format have
 * them: {u32 type, u16 misc, u16 size}, then size - 8 bytes.
 */
#ifndef PD_INGEST_PERFDATA_RECORD_H
#define PD_INGEST_PERFDATA_RECORD_H

enum {
	PD_PERF_HEADER_BYTES = 8, /* of a record */
	PD_PERF_RECORD_MAX = 65535,
};

enum pd_perf_type {
	PD_PERF_MMAP = 1,
	PD_PERF_LOST = 2,
	PD_PERF_COMM = 3,
	PD_PERF_THROTTLE = 5,
	PD_PERF_FORK = 7,
	PD_PERF_SAMPLE = 9,
	PD_PERF_MMAP2 = 10,
	PD_PERF_LOST_SAMPLES = 13,
	PD_PERF_KSYMBOL = 17,
	PD_PERF_USER_TYPES = 64, /* from here on perf's own: they have no time */
	PD_PERF_HEADER_ATTR = 64,
	PD_PERF_HEADER_TRACING_DATA = 66,
	PD_PERF_HEADER_BUILD_ID = 67,
	PD_PERF_FINISHED_ROUND = 68,
	PD_PERF_AUXTRACE = 71,
	PD_PERF_EVENT_UPDATE = 78,
	PD_PERF_HEADER_FEATURE = 80,
	PD_PERF_COMPRESSED = 81,
	PD_PERF_COMPRESSED2 = 83,
};

/* Of misc: where the processor was. */
enum pd_perf_mode {
	PD_PERF_MODE_MASK = 7,
	PD_PERF_MODE_KERNEL = 1,
	PD_PERF_MODE_USER = 2,
	PD_PERF_MODE_HYPERVISOR = 3,
	PD_PERF_MODE_GUEST_KERNEL = 4,
	PD_PERF_MODE_GUEST_USER = 5,
};

enum pd_perf_misc {
	PD_PERF_MISC_DATA = 1 << 13,     /* MMAP: not executable */
	PD_PERF_MISC_SYNTHESIZED = 1 << 13, /* FORK: of a task that was there before */
	PD_PERF_MISC_BUILD_ID = 1 << 14, /* MMAP2: in place of device and inode */
	PD_PERF_MISC_ID_BYTES = 1 << 15, /* build-id: how long it is stands beside it */
};

/* Bits of sample_type, in the order of the bits. */
enum pd_perf_sample_bit {
	PD_PERF_IP = 1 << 0,
	PD_PERF_TID = 1 << 1,
	PD_PERF_TIME = 1 << 2,
	PD_PERF_ADDR = 1 << 3,
	PD_PERF_READ = 1 << 4,
	PD_PERF_CALLCHAIN = 1 << 5,
	PD_PERF_ID = 1 << 6,
	PD_PERF_CPU = 1 << 7,
	PD_PERF_PERIOD = 1 << 8,
	PD_PERF_STREAM_ID = 1 << 9,
	PD_PERF_IDENTIFIER = 1 << 16,
};

enum pd_perf_read_bit {
	PD_PERF_READ_ENABLED = 1,
	PD_PERF_READ_RUNNING = 2,
	PD_PERF_READ_ID = 4,
	PD_PERF_READ_GROUP = 8,
	PD_PERF_READ_LOST = 16,
};

#endif
