/* Two variables with one name, each with its own member of the record. */
void work(int n)
{
    int k = n;

#pragma cppc register(k)
#pragma cppc checkpoint
    {
        double k = 0.5;

#pragma cppc register(k)
#pragma cppc checkpoint
        n += k > 0;
    }
    k += n;
}
