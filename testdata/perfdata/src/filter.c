// SPDX-License-Identifier: GPL-3.0-or-later
// A program for the kernel's own machine (BPF), loaded and run often.
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N_STEPS 1000

int main(void)
{
	static struct bpf_insn code[N_STEPS + 2];
	static char packet[64];
	union bpf_attr attr;
	int n = 0;

	code[n++] = (struct bpf_insn){.code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1};
	while (n <= N_STEPS)
		code[n++] = (struct bpf_insn){.code = BPF_ALU64 | BPF_MUL | BPF_K, .imm = 5};
	code[n++] = (struct bpf_insn){.code = BPF_JMP | BPF_EXIT};
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insn_cnt = n;
	attr.insns = (uintptr_t)code;
	attr.license = (uintptr_t)"GPL";
	memcpy(attr.prog_name, "sieve", 6);
	int fd = (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));

	if (fd < 0) {
		perror("bpf");
		return 1;
	}
	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = fd;
	attr.test.data_in = (uintptr_t)packet;
	attr.test.data_size_in = sizeof(packet);
	attr.test.repeat = 100000;
	if (syscall(SYS_bpf, BPF_PROG_TEST_RUN, &attr, sizeof(attr)) != 0) {
		perror("test run");
		return 1;
	}
	return 0;
}
