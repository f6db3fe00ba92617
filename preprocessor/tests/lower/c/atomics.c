_Atomic int counter;
volatile int flag;
int *shared;

int atomics(int *expected)
{
    counter++;
    flag = flag + 1;
    int old = __atomic_fetch_add(&counter, 2, 5);
    if (__atomic_compare_exchange_n(&flag, expected, 1, 0, 5, 5))
        __sync_synchronize();
    int *p = __atomic_load_n(&shared, 5);
    return old + *p;
}

int sum(int count, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, count);
    int *p = __builtin_va_arg(list, int *);
    __builtin_va_end(list);
    char *memory = __builtin_alloca(count + 1);
    memory[0] = 0;
    return *p;
}
