// SPDX-License-Identifier: GPL-3.0-or-later
// The library of stub.c.
void near_call(void);
void far_call(void);

void near_call(void)
{
}

void far_call(void)
{
	near_call();
}
