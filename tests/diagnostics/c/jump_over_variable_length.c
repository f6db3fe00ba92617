/* A restart would jump into the scope of a variable-length array. */
int main(void)
{
    int i, n = 3;
#pragma cppc init
    n += 2;
    double row[n];
//         ~~~ error[C0505] a restart would jump over the variable-length array `row`
#pragma cppc register(i)
    for (i = 0; i < n; i++) {
        row[i] = i;
#pragma cppc checkpoint
    }
#pragma cppc shutdown
    return (int)row[0];
}
