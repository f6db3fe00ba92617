/* The items of `ranks` are numbers of processes. */
int main(void)
{
    int i, n = 4;
#pragma cppc init
#pragma cppc register(i, n)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint ranks(2, n)
#pragma cppc checkpoint ranks(4:2)
#pragma cppc checkpoint ranks()
        n += i;
    }
#pragma cppc shutdown
    return n == 0;
}
