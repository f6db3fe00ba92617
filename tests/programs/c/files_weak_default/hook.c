static int count;

void register_hook(void)
{
#pragma cppc register(count)
    count = 1;
}

int hook(int step)
{
    count += step;
    return count;
}
