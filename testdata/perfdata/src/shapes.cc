// SPDX-License-Identifier: GPL-3.0-or-later
// Overloads, templates, a lambda, an unnamed namespace.
#define KEPT __attribute__((noinline))

static volatile unsigned long sink;

namespace geom {
KEPT unsigned long area(int n)
{
	unsigned long x = 1;
	while (n-- > 0)
		x = x * 3 + sink;
	return x;
}

KEPT unsigned long area(long n)
{
	unsigned long x = 1;
	while (n-- > 0)
		x = x * 5 + sink;
	return x;
}

KEPT unsigned long area(double n)
{
	unsigned long x = 1;
	for (; n > 0; n -= 1)
		x = x * 7 + sink;
	return x;
}

template <typename T, int STEP> struct Disc {
	T radius;
	KEPT T turn(int n) const
	{
		T x = radius;
		while (n-- > 0)
			x = x * STEP + sink;
		return x;
	}
	KEPT Disc operator+(const Disc &other) const
	{
		Disc sum = other;
		for (int i = 0; i < 100000; i++)
			sum.radius += radius * sink;
		return sum;
	}
};
} // namespace geom

namespace {
KEPT unsigned long hidden(int n)
{
	unsigned long x = 1;
	while (n-- > 0)
		x = x * 9 + sink;
	return x;
}
} // namespace

int main()
{
	auto spin = [](int n) KEPT {
		while (n-- > 0)
			sink = sink * 11 + 1;
	};
	geom::Disc<unsigned long, 3> a = {1};
	geom::Disc<unsigned int, 5> b = {2};

	for (int i = 0; i < 60; i++) {
		sink = geom::area(300000) + geom::area(300000l) + geom::area(300000.0);
		sink = a.turn(300000) + b.turn(300000) + (a + a).radius;
		sink = hidden(300000);
		spin(300000);
	}
	return 0;
}
