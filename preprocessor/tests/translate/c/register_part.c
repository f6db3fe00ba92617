struct pair { double a, b; };

double last(int n)
{
    double sum = 0;
#pragma cppc register(sum)
    {
        struct pair first = { n, 1 };
#pragma cppc register(first.a)
        sum += first.a;
    }
#pragma cppc checkpoint
    return sum;
}
