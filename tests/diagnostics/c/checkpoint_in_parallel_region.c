/* A block inside an OpenMP region: calls of the runtime come from one thread. */
int main(void)
{
    int k, sum = 0;
#pragma cppc init
#pragma omp parallel for reduction(+ : sum)
    for (k = 0; k < 4; k++) {
        #pragma cppc checkpoint
//                   ~~~~~~~~~~ error[C0406] `checkpoint` is in a block of `#pragma omp parallel`
        sum += k;
    }
#pragma cppc shutdown
    return sum - 6;
}
