/* A checkpoint in the body counts. */
int main(void)
{
    double x = 1;
    int i = 0;
#pragma cppc init
#pragma cppc register(x, i)
#pragma cppc checkpoint loop
    while (x < 100) {
        x = x + i++;
#pragma cppc checkpoint
        x = 2 * x;
    }
#pragma cppc shutdown
    return 0;
}
