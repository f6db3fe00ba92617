/* In a restart, control would leave the scope of `k` once more. */
static int count;
static void done(int *p)
{
    count += *p;
}
int main(void)
{
    int i;
#pragma cppc init
#pragma cppc register(i, count)
    for (i = 0; i < 4; i++) {
        int k __attribute__((cleanup(done))) = i;
//          ~ error[C0523] a restart would call the cleanup function of `k` twice
#pragma cppc register(k)
#pragma cppc checkpoint
        k++;
    }
#pragma cppc shutdown
    return count;
}
