int caller(int);
void _start(void)
{
	(void)caller(1);
	for (;;)
		;
}
