// SPDX-License-Identifier: GPL-3.0-or-later
// Writes machine code to anonymous memory, runs it, and names it in perf-PID.map.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// mov eax, edi; 1: imul ecx, ecx, 5; dec eax; jne 1b; ret
static const unsigned char code[] = {0x89, 0xf8, 0x6b, 0xc9, 0x05, 0xff, 0xc8, 0x75, 0xf9, 0xc3};

int main(void)
{
	static const struct {
		const char *name;
		int at, n;
	} made[] = {{"hot loop", 0, 60000000}, {"Cool::loop(int, char)", 256, 30000000},
		    {"", 1024, 20000000}};
	char path[64];
	char *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	FILE *map = fopen(path, "w");

	if (memory == MAP_FAILED || !map)
		return 1;
	for (int i = 0; i < 3; i++) {
		char *to = memory + made[i].at;

		memcpy(to, code, sizeof(code));
		if (made[i].name[0])
			fprintf(map, "%lx %x %s\n", (unsigned long)(uintptr_t)to,
				(unsigned)sizeof(code), made[i].name);
	}
	fclose(map);
	for (int i = 0; i < 3; i++)
		((void (*)(int))(uintptr_t)(memory + made[i].at))(made[i].n);
	return 0;
}
