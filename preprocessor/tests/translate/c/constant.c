/* A local variable that never changes becomes static: a restart does not run its initializer. */
double scaled(double x)
{
    const double factor = 0.5;
    const int weights[3] = {1, 2, 1};

#pragma cppc checkpoint
    return x * factor * weights[1];
}
