/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A helper that is a function of its own, or is inlined where INLINED is defined: into
 * ten callers, with PAIR into two of them, with SINGLE into one. PARTLY leaves it a
 * body there.
 */
#ifdef INLINED
#define HELPER static inline __attribute__((always_inline))
#else
#define HELPER static __attribute__((noinline))
#endif

volatile long committed, limit, failures;

HELPER void vm_acct_memory(long pages)
{
	committed += pages;
	if (committed > limit)
		failures++;
	if (committed < 0)
		committed = failures;
	limit += committed / 7;
}

int vm_enough_memory(long pages)
{
	vm_acct_memory(pages);
	return limit > pages;
}

/* As large on both sides, whatever it calls. */
int vm_other(long pages)
{
	return (int)(committed + pages);
}

#define CALLER(name, n)                                                                    \
	int name(long pages)                                                               \
	{                                                                                  \
		vm_acct_memory(pages + (n));                                               \
		return committed > (n);                                                    \
	}

#ifdef PARTLY
void (*volatile hook)(long pages) = vm_acct_memory;
#endif

#ifndef SINGLE
CALLER(do_brk, 1)
#ifndef PAIR
CALLER(do_mmap, 2)
CALLER(do_munmap, 3)
CALLER(do_mremap, 4)
CALLER(mprotect_fixup, 5)
CALLER(expand_stack, 6)
CALLER(shmem_file_setup, 7)
CALLER(sys_swapoff, 8)
CALLER(dup_mmap, 9)
#endif
#endif

#ifdef WITH_MAIN
int main(int argc, char **argv)
{
	return vm_enough_memory(argc) + vm_other(argc) + (argv != 0)
#ifndef SINGLE
	       + do_brk(argc)
#endif
		;
}
#endif
