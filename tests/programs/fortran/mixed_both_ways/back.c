double in_fortran(double x, int depth);
double in_c(double x, int depth);

extern int shared_level;

double in_c(double x, int depth)
{
    double y = x + shared_level;
#pragma cppc register(x, y, depth)
#pragma cppc checkpoint
    if (depth > 0)
        y += in_fortran(x, depth - 1) * 0.25;
    return y;
}
