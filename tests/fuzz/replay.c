/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replays files through a fuzz target without a fuzzer: each argument is a file or
 * a directory, whose files are taken by name, at any depth. One TAP case for each
 * argument, which fails if no input was found.
 *
 * Invariant: an input lies in a block of exactly its size, so that a sanitizer
 * sees the first byte that is read too far. Each input is named before it is
 * replayed: a crash leaves its name in the last line.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INPUT_LIMIT_S = 20 }; /* the alarm ends the program: it hangs */

/* Reports what the system refused; returns false. */
static bool refuse(const char *path)
{
	printf("# %s: %s\n", path, strerror(errno));
	return false;
}

static bool replay_bytes(FILE *file, const char *path, size_t size)
{
	uint8_t *data = size > 0 ? malloc(size) : NULL;

	if (size > 0 && (!data || fread(data, 1, size, file) != size)) {
		free(data);
		return refuse(path);
	}
	printf("# %s\n", path);
	fflush(stdout);
	alarm(INPUT_LIMIT_S);
	LLVMFuzzerTestOneInput(data, size);
	alarm(0);
	free(data);
	return true;
}

static bool replay_file(const char *path, size_t size, size_t *n_inputs)
{
	FILE *file = fopen(path, "rb");
	bool ok;

	if (!file)
		return refuse(path);
	ok = replay_bytes(file, path, size);
	fclose(file);
	*n_inputs += ok;
	return ok;
}

static int skip_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Replays a file or all that is below a directory; false if something failed. */
static bool replay_path(const char *path, size_t *n_inputs)
{
	struct stat st;
	struct dirent **entries;
	int n_entries;
	bool ok = true;

	if (stat(path, &st) != 0)
		return refuse(path);
	if (!S_ISDIR(st.st_mode))
		return replay_file(path, (size_t)st.st_size, n_inputs);
	n_entries = scandir(path, &entries, skip_dots, alphasort);
	if (n_entries < 0)
		return refuse(path);
	for (int i = 0; i < n_entries; i++) {
		char *below = NULL;

		if (asprintf(&below, "%s/%s", path, entries[i]->d_name) < 0)
			abort();
		ok = replay_path(below, n_inputs) && ok;
		free(below);
		free(entries[i]);
	}
	free(entries);
	return ok;
}

int main(int argc, char **argv)
{
	int n_failed = 0;

	printf("1..%d\n", argc - 1);
	for (int i = 1; i < argc; i++) {
		size_t n_inputs = 0;
		bool ok = replay_path(argv[i], &n_inputs);

		ok = ok && n_inputs > 0;
		n_failed += !ok;
		printf("%sok %d - %zu inputs in %s\n", ok ? "" : "not ", i, n_inputs,
		       argv[i]);
	}
	return n_failed > 0 || argc < 2;
}
