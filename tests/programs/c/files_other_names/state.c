static long total = 1;
static int calls;
static long limit = 40;
extern long bound __attribute__((alias("limit")));

void register_state(void)
{
#pragma cppc register(total, calls, limit)
    total = 2;
}

static void change(int step)
{
    total = total * 3 + step;
    calls++;
    bound += calls;
}

/* Fortran and older callers use the name with an underscore. */
void change_(int step) __attribute__((alias("change")));

long count_of_calls(void) __asm__("calls_so_far");
long count_of_calls(void)
{
    return calls;
}

long sum_now(void)
{
    return total + limit;
}
#pragma weak sum_of_all = sum_now
