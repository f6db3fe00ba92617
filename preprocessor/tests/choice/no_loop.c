/* The only loop runs once. */
int main(void)
{
    double x = 1;
    for (int i = 0; i < 1; i++)
        x = x + i;
    return x > 1;
}
