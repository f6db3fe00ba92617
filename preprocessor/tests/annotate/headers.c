/* Variables of the headers of loops, and a call in the step of a loop. */
static int step(int i)
{
#pragma cppc checkpoint
    return i + 1;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i = step(i)) {
        sum += i;
    }
    for (int k = 0; k < 3; k++)
        for (int m = step(k); m > 0; m--) {
            int left = m * k;
            sum += step(m);
            sum += left;
        }
    return sum;
}
