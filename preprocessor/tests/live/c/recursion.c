/* reports: wanted */
static long explore(int depth)
{
    long sum = depth, wanted = depth * 2;
    int way;
#pragma cppc register(sum, way)
    for (way = 0; way < 2 && depth > 0; way++) {
        sum = sum * 3 + explore(depth - 1);
#pragma cppc checkpoint
        sum += wanted;
        wanted++;
    }
    return sum;
}

int main(void)
{
    int i;
    long total = 0;
#pragma cppc init
#pragma cppc register(i, total)
    for (i = 0; i < 2; i++)
        total += explore(i);
#pragma cppc shutdown
    return total > 3;
}
