/* A counted loop whose header begins with a call that leads to a checkpoint. The check of usual runs copies this header.
 * reports: total */
static unsigned step(unsigned x)
{
#pragma cppc checkpoint
    return x % 7u;
}

int main(int argc, char **argv)
{
    unsigned sum = 0, total = 0;
    int i;
#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; (step(sum) | 1u) && i < 3; i++) {
        sum += (unsigned)i;
        total += sum;
    }
#pragma cppc shutdown
    return (int)total;
}
