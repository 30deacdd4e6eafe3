// SPDX-License-Identifier: GPL-3.0-or-later
// Loads and unloads two libraries, which land at one address one after the other.
#include <dlfcn.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static const char *const names[] = {"./plug_a.so", "./plug_b.so"};
	int n = argc > 1 ? atoi(argv[1]) : 20;

	for (int i = 0; i < n; i++) {
		void *library = dlopen(names[i % 2], RTLD_NOW);
		void (*run)(int) = library ? (void (*)(int))dlsym(library, "run") : NULL;

		if (!run)
			return 1;
		run(3000000);
		dlclose(library);
	}
	return 0;
}
