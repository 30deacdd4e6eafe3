static int counter;

static inline int twice(int x)
{
	counter += x;
	return 2 * x;
}

static inline int four(int x)
{
	return twice(x) + twice(x + counter);
}

__attribute__((noinline)) int callee(int x)
{
	return four(x);
}

int caller(int x)
{
	return callee(x) + callee(x + 1) + twice(x);
}

int alias(int x) __attribute__((alias("caller")));
