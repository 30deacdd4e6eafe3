/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a fuzz target defines; libFuzzer and replay.c call it.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Feeds `size` bytes to the code under test, which has to survive them; data may
 * be NULL where size is 0. Returns 0.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
