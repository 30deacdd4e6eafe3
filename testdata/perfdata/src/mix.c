// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic in functions of known names, page faults, and calls of the kernel.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sink;

KEPT unsigned long gamma_step(unsigned long x, int n)
{
	while (n-- > 0)
		x = x * 6364136223846793005ul + 1442695040888963407ul;
	return x;
}

KEPT unsigned long beta(unsigned long x, int n)
{
	for (int i = 0; i < n; i++)
		x ^= x << 7 ^ x >> 9;
	return gamma_step(x, n / 2);
}

KEPT unsigned long alpha(unsigned long x, int n)
{
	for (int i = 0; i < n; i++)
		x += x / (i | 3);
	return beta(x, n);
}

KEPT void touch_pages(int n)
{
	char *at = mmap(NULL, (size_t)n * 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	for (int i = 0; i < n; i++)
		at[(size_t)i * 4096] = 1;
	munmap(at, (size_t)n * 4096);
}

KEPT void ask_kernel(int n)
{
	static char room[8192];
	int fd = open("/dev/zero", O_RDONLY);

	while (n-- > 0)
		if (read(fd, room, sizeof(room)) < 0)
			exit(1);
	close(fd);
}

int main(int argc, char **argv)
{
	int n_rounds = argc > 1 ? atoi(argv[1]) : 100;

	for (int i = 0; i < n_rounds; i++) {
		sink = alpha(i, 100000);
		touch_pages(20);
		ask_kernel(100);
	}
	return 0;
}
