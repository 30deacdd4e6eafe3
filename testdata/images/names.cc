// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of C++: overloads, namespaces, templates, a class, a lambda. GROWN makes
// one of the overloads larger.
namespace shapes {

int volatile store[8];

__attribute__((noinline)) int measure(int x)
{
	store[0] = x;
	return store[1];
}

__attribute__((noinline)) int measure(int x, int y)
{
#ifdef GROWN
	store[5] = y / 3;
	store[6] = x % 7;
#endif
	store[2] = x * y;
	return store[3] + y;
}

template <typename T> __attribute__((noinline)) T twice(T x)
{
	store[4] = static_cast<int>(x);
	return x + x;
}

class Counter {
public:
	explicit Counter(int start);
	int next();

private:
	int n_;
};

__attribute__((noinline)) Counter::Counter(int start) : n_(start)
{
	store[7] = start;
}

__attribute__((noinline)) int Counter::next()
{
	return ++n_ + store[7];
}

} // namespace shapes

namespace {

__attribute__((noinline)) int hidden(int x)
{
	shapes::store[1] = x;
	return shapes::store[2] + x;
}

} // namespace

int use(int x)
{
	shapes::Counter counter(x);
	auto more = [&](int y) __attribute__((noinline)) { return counter.next() * y; };

	return shapes::measure(x) + shapes::measure(x, 2) + shapes::twice(x) +
	       static_cast<int>(shapes::twice(1.5 * x)) + more(x) + hidden(x);
}
