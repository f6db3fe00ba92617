/* A union with an address is passed by value, and cannot be recorded with the call. */
union item {
    const char *text;
    long number;
};

static long use(union item item, int step)
{
#pragma cppc checkpoint
    return step % 2 ? item.text[0] : item.number;
}

int main(void)
{
    long sum = 0;
    int step;
#pragma cppc init
#pragma cppc register(sum, step)
    for (step = 0; step < 4; step++) {
        union item item;
        if (step % 2)
            item.text = "text";
        else
            item.number = step;
        sum += use(item, step);
//                 ~~~~ warning[C0512] an argument with an address that cannot be recorded is evaluated again on a restart
    }
#pragma cppc shutdown
    return sum > 9;
}
