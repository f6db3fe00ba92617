__attribute__((weak)) int hook(int step)
{
    return step;
}
