/* The directives of the program are used: no loop is chosen. */
int main(void)
{
    double x = 1;
    for (int i = 0; i < 1000; i++)
        x = x + i;
    for (int i = 0; i < 10; i++) {
#pragma cppc checkpoint
        x = x / 2;
    }
    return x > 1 ? 0 : 1;
}
