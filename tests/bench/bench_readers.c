/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast readers are: MB/s of processor time on generated input, beside a
 * bare loop over the bytes of the same file, and how much heap they take.
 * Output is in the Go benchmark format.
 *
 *   bench_readers [MEGABYTES [FORMAT...]]
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/num.h"
#include "ingest/ingest.h"
#include "io/source.h"

enum { N_FUNCTIONS = 20000, N_REPEATS = 10 };

/* xorshift64* (S. Vigna, 2016): the same input every time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1du;
}

/* A function's number: few of them are common, as in real profiles. */
static unsigned pick(uint64_t *state)
{
	uint64_t r = next_random(state) >> 33;
	unsigned span = 1u << (r % 15);

	return (unsigned)(next_random(state) >> 33) % (span < N_FUNCTIONS ? span : N_FUNCTIONS);
}

/* A name of 8 to 30 bytes that depends on the number alone. */
static int write_name(FILE *f, unsigned number)
{
	static const char *const stems[] = {"do_", "sys_", "ext4_", "tcp_v4_", "__alloc_pages_",
					    "copy_", "security_inode_", "rcu_"};

	return fprintf(f, "%s%s_%u", stems[number % 8], number % 3 ? "entry" : "slowpath",
		       number);
}

static size_t write_folded(FILE *f, uint64_t *state)
{
	unsigned depth = 3 + (unsigned)(next_random(state) >> 60);
	int n = 0;

	for (unsigned i = 0; i < depth; i++) {
		n += write_name(f, pick(state));
		n += fputc(i + 1 < depth ? ';' : ' ', f) != EOF;
	}
	return (size_t)(n + fprintf(f, "%u\n", 1 + pick(state)));
}

static size_t write_readprofile(FILE *f, uint64_t *state)
{
	int n = fprintf(f, "%6u ", 1 + pick(state)), name = write_name(f, pick(state));

	return (size_t)(n + name + fprintf(f, "%*s %10.4f\n", name < 40 ? 40 - name : 0, "",
					   (double)pick(state) / 100));
}

static size_t write_table(FILE *f, uint64_t *state)
{
	int n = 0, name = write_name(f, pick(state));

	n = name + fprintf(f, "%*s", name < 32 ? 32 - name : 0, "");
	for (unsigned i = 0; i < 4; i++)
		n += fprintf(f, " %8u", pick(state));
	return (size_t)(n + fprintf(f, "\n"));
}

static size_t write_opreport(FILE *f, uint64_t *state)
{
	return (size_t)(fprintf(f, "%-8u  %-7.4f  vmlinux                  ", 1 + pick(state),
				(double)pick(state) / 10000) +
			write_name(f, pick(state)) + fprintf(f, "\n"));
}

static size_t write_perf_script(FILE *f, uint64_t *state)
{
	unsigned depth = 3 + (unsigned)(next_random(state) >> 60);
	int n = fprintf(f, "cc1 %5u [%03u] %6u.%06u: %10u cycles: \n", 1000 + pick(state),
			depth, 5000 + pick(state), 100000 + pick(state), 250000 + pick(state));

	for (unsigned i = 0; i < depth; i++) {
		unsigned number = pick(state);

		n += fprintf(f, "\tffffffff%08x ", 0x81000000 + 64 * number + pick(state) % 64);
		n += write_name(f, number);
		n += fprintf(f, "+0x%x (%s)\n", 1 + pick(state) % 64,
			     number % 4 ? "[kernel.kallsyms]" : "/usr/lib/gcc/x86_64/cc1");
	}
	return (size_t)(n + fprintf(f, "\n"));
}

static size_t write_perf_report(FILE *f, uint64_t *state)
{
	return (size_t)(fprintf(f, "    %5.2f%%  %12u  swapper          [kernel.kallsyms]  [k] ",
				(double)(pick(state) % 1000) / 100, 1 + pick(state)) +
			write_name(f, pick(state)) + fprintf(f, "\n"));
}

static size_t write_perf_diff(FILE *f, uint64_t *state)
{
	return (size_t)(fprintf(f, "    %5.2f%%    +%5.2f%%  [kernel.kallsyms]  [k] ",
				(double)(pick(state) % 1000) / 100,
				(double)(pick(state) % 1000) / 100) +
			write_name(f, pick(state)) + fprintf(f, "\n"));
}

static size_t write_diffprofile(FILE *f, uint64_t *state)
{
	double share = (double)(pick(state) % 1000) / 10;

	return (size_t)(fprintf(f, "%10d  %6.1f%% ", -1 - (int)pick(state), -share) +
			write_name(f, pick(state)) + fprintf(f, "\n"));
}

/* A function with a dozen lines, and a call of one of a few others. */
static size_t write_callgrind(FILE *f, uint64_t *state)
{
	unsigned number = pick(state);
	int n = fprintf(f, "fn=") + write_name(f, number);

	n += fprintf(f, "\n%u %u\n", pick(state), pick(state));
	for (unsigned i = 0; i < 8; i++)
		n += fprintf(f, "+%u %u\n", 1 + i, pick(state));
	n += fprintf(f, "cfn=") + write_name(f, (7 * number + pick(state) % 4) % N_FUNCTIONS);
	return (size_t)(n + fprintf(f, "\ncalls=%u 0\n* %u\n+1 %u\n\n", 1 + pick(state),
				    pick(state), pick(state)));
}

static size_t write_gprof(FILE *f, uint64_t *state)
{
	int n = fprintf(f, "%6.2f %10.2f %8.2f %8u %8.2f %8.2f  ", (double)pick(state) / 1000,
			(double)pick(state), (double)pick(state) / 100, pick(state), 0.25, 0.5);

	return (size_t)(n + write_name(f, pick(state)) + fprintf(f, "\n"));
}

static size_t write_perf_json(FILE *f, uint64_t *state)
{
	unsigned depth = 3 + (unsigned)(next_random(state) >> 60);
	int n = fprintf(f, "\t\t{\n\t\t\t\"timestamp\": %u000,\n\t\t\t\"pid\": 1,\n"
			"\t\t\t\"tid\": 1,\n\t\t\t\"comm\": \"cc1\",\n\t\t\t\"callchain\": [\n",
			1000 + pick(state));

	for (unsigned i = 0; i < depth; i++) {
		unsigned number = pick(state);

		n += fprintf(f, "\t\t\t\t{\n\t\t\t\t\t\"ip\": \"0xffffffff%08x\",\n"
			     "\t\t\t\t\t\"symbol\": \"", 0x81000000 + 64 * number);
		n += write_name(f, number);
		n += fprintf(f, "\",\n\t\t\t\t\t\"dso\": \"%s\"\n\t\t\t\t}%s\n",
			     number % 4 ? "[kernel.kallsyms]" : "cc1", i + 1 < depth ? "," : "");
	}
	return (size_t)(n + fprintf(f, "\t\t\t]\n\t\t},\n"));
}

static size_t write_perf_annotate(FILE *f, uint64_t *state)
{
	unsigned number = pick(state);
	int n = fprintf(f, " Samples |\tSource code & Disassembly of vmlinux for cycles (%u "
			"samples, percent: local period)\n-----\n         : 5    %016x <",
			pick(state), number);

	n += write_name(f, number) + fprintf(f, ">:\n");
	for (unsigned i = 0; i < 24; i++)
		n += fprintf(f, "  %6u :   %8x:       mov    %%rax,0x%x(%%rsp)\n", pick(state) % 9,
			     64 * number + i, i);
	return (size_t)n;
}

/* The numbers of a stack's frames. */
static size_t write_speedscope(FILE *f, uint64_t *state)
{
	unsigned depth = 3 + (unsigned)(next_random(state) >> 60);
	int n = fprintf(f, "[0");

	for (unsigned i = 1; i < depth; i++)
		n += fprintf(f, ",%u", pick(state));
	return (size_t)(n + fprintf(f, "],\n"));
}

/* The same names, as objects with whatever else they need before the name. */
static void write_names(FILE *f, const char *before, const char *behind)
{
	for (unsigned i = 0; i < N_FUNCTIONS; i++) {
		fprintf(f, "%s%s", i ? "," : "", before);
		write_name(f, i);
		fprintf(f, "%s\n", behind);
	}
}

static void begin_speedscope(FILE *f)
{
	fprintf(f, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
		" \"shared\": {\"frames\": [");
	write_names(f, "{\"name\": \"", "\"}");
	fprintf(f, "]},\n\"profiles\": [{\"type\": \"sampled\", \"samples\": [\n");
}

/* N_FUNCTIONS stacks, each of a function that one of those above it called. */
static void begin_firefox(FILE *f)
{
	static const char *const columns[] = {
		"], \"frame\": [0", "]}, \"frameTable\": {\"func\": [0",
		"]}, \"funcTable\": {\"name\": [0",
	};

	fprintf(f, "{\"meta\": {\"preprocessedProfileVersion\": 57}, \"shared\": {\"stackTable\":"
		" {\"prefix\": [null");
	for (unsigned i = 1; i < N_FUNCTIONS; i++)
		fprintf(f, ",%u", i - 1 - (i * 7) % (i < 20 ? i : 20));
	for (unsigned c = 0; c < 3; c++) {
		fprintf(f, "%s", columns[c]);
		for (unsigned i = 1; i < N_FUNCTIONS; i++)
			fprintf(f, ",%u", i);
	}
	fprintf(f, "]}, \"stringArray\": [");
	write_names(f, "\"", "\"");
	fprintf(f, "]}, \"threads\": [{\"samples\": {\"stack\": [\n");
}

static void begin_cpuprofile(FILE *f)
{
	fprintf(f, "{\"nodes\": [");
	for (unsigned i = 0; i < N_FUNCTIONS; i++) {
		fprintf(f, "%s{\"id\": %u, \"parent\": %u, \"callFrame\": {\"functionName\": \"",
			i ? ",\n" : "", i, i ? i / 3 : N_FUNCTIONS);
		write_name(f, i);
		fprintf(f, "\"}}");
	}
	fprintf(f, "],\n\"samples\": [\n");
}

/* The numbers of a few rows. */
static size_t write_numbers(FILE *f, uint64_t *state)
{
	return (size_t)fprintf(f, "%u,%u,%u,\n", pick(state), pick(state), pick(state));
}

struct generator {
	const char *format;
	const char *head; /* before the first line */
	size_t (*write_line)(FILE *f, uint64_t *state);
	void (*write_head)(FILE *f); /* the same, or NULL */
	const char *tail;            /* behind the last line, or NULL */
};

static const struct generator generators[] = {
	{"folded", "", write_folded, NULL, NULL},
	{"perf-script", "", write_perf_script, NULL, NULL},
	{"readprofile", "", write_readprofile, NULL, NULL},
	{"table",
	 "                                        a        a        b        b\n",
	 write_table, NULL, NULL},
	{"opreport",
	 "CPU: P4 / Xeon, speed 2000 MHz (estimated)\n"
	 "Counted CLK events with a unit mask of 0x00 count 100000\n"
	 "samples  %        image name               symbol name\n", write_opreport, NULL, NULL},
	{"perf-report",
	 "# Samples: 39K of event 'cycles'\n"
	 "# Event count (approx.): 34044267368\n"
	 "# Overhead       Samples  Command          Shared Object      Symbol\n",
	 write_perf_report, NULL, NULL},
	{"perf-diff",
	 "# Event 'cycles'\n"
	 "# Baseline  Delta Abs  Shared Object      Symbol\n", write_perf_diff, NULL, NULL},
	{"diffprofile", "", write_diffprofile, NULL, NULL},
	{"gprof",
	 "  %   cumulative   self              self     total\n"
	 " time   seconds   seconds    calls  ms/call  ms/call  name\n", write_gprof, NULL, NULL},
	{"callgrind", "positions: line\nevents: Ir\n\n", write_callgrind, NULL, NULL},
	{"perf-json", "{\"linux-perf-json-version\": 1, \"samples\": [\n",
	 write_perf_json, NULL, NULL},
	{"perf-annotate", "", write_perf_annotate, NULL, NULL},
	{"speedscope", "", write_speedscope, begin_speedscope, "[0]]}]}\n"},
	{"firefox", "", write_numbers, begin_firefox, "null]}}]}\n"},
	{"cpuprofile", "", write_numbers, begin_cpuprofile, "1]}\n"},
};

static void die(const char *what)
{
	fprintf(stderr, "bench_readers: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void generate(const struct generator *g, const char *path, size_t n_bytes)
{
	FILE *f = fopen(path, "w");
	uint64_t state = 88172645463325252u;

	if (!f)
		die(path);
	fputs(g->head, f);
	if (g->write_head)
		g->write_head(f);
	for (size_t n = 0; n < n_bytes;)
		n += g->write_line(f, &state);
	if (g->tail)
		fputs(g->tail, f);
	if (fclose(f) != 0)
		die(path);
}

static double cpu_seconds(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* Seconds of a loop that only looks at each byte: counts lines, as any reader must. */
static double time_byte_loop(const char *path, size_t *ret_bytes)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	double from = cpu_seconds();
	struct pd_source s = {0};
	struct pd_error err = {0};
	volatile size_t n_lines = 0;
	size_t n = 0;

	if (pd_source_open(path, &limits, &s, &err) != PD_OK)
		die(err.msg);
	for (size_t i = 0; i < s.bytes.len; i++)
		n += s.bytes.ptr[i] == '\n';
	n_lines = n;
	(void)n_lines;
	*ret_bytes = s.bytes.len;
	pd_source_close(&s);
	return cpu_seconds() - from;
}

static double time_reader(const char *path, const struct pd_format *format)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	double from = cpu_seconds();
	struct pd_profiles ps = {0};
	struct pd_error err = {0};

	if (pd_ingest_file(path, format, &limits, NULL, NULL, &ps, &err) != PD_OK)
		die(err.msg);
	pd_profiles_done(&ps);
	return cpu_seconds() - from;
}

static void measure(const struct generator *g, const char *path)
{
	const struct pd_format *format = pd_format_find(g->format);
	double reader = HUGE_VAL, loop = HUGE_VAL;
	size_t n_bytes = 0;

	if (!format)
		return;
	for (int i = 0; i < N_REPEATS; i++) {
		loop = fmin(loop, time_byte_loop(path, &n_bytes));
		reader = fmin(reader, time_reader(path, NULL));
	}
	/* The heap never shrinks (see main), so its size is its peak. */
	printf("BenchmarkRead/%s 1 %.0f ns/op %.1f MB/s %.1f loop-MB/s %.2f heap-MB\n", g->format,
	       reader * 1e9, (double)n_bytes / 1e6 / reader, (double)n_bytes / 1e6 / loop,
	       (double)mallinfo2().arena / 1e6);
	(void)fflush(stdout);
}

static int is_wanted(const char *format, int argc, char **argv)
{
	for (int i = 2; i < argc; i++)
		if (!strcmp(argv[i], format))
			return 1;
	return argc <= 2;
}

int main(int argc, char **argv)
{
	size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 200;
	char path[] = "/tmp/bench_readers-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		die(path);
	(void)close(fd);
	(void)mallopt(M_MMAP_MAX, 0);
	(void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
	for (size_t i = 0; i < sizeof(generators) / sizeof(generators[0]); i++) {
		if (!is_wanted(generators[i].format, argc, argv))
			continue;
		generate(&generators[i], path, megabytes * 1000000);
		measure(&generators[i], path);
	}
	(void)unlink(path);
	return 0;
}
