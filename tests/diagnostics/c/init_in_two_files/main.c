/* The runtime is started once, over all files of a program. */
void other(void);

int main(void)
{
#pragma cppc init
    other();
#pragma cppc shutdown
    return 0;
}
