/* A call that leads to a checkpoint, made by several threads.
 *
 * flags: -fopenmp
 */
static int step(int x)
{
#pragma cppc checkpoint
    return x + 1;
}

int main(void)
{
    int k, sum = 0;
#pragma cppc init
#pragma omp parallel for reduction(+ : sum)
    for (k = 0; k < 4; k++)
        sum += step(k);
//             ~~~~~~~ error[C0509] call to instrumented `step` in a statement of `omp parallel`
#pragma cppc shutdown
    return sum - 10;
}
