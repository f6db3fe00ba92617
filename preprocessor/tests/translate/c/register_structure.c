/* A structure type is described once, with its fields. */
struct particle {
    double position[3];
    int kind;
};

void work(struct particle *p, int n)
{
#pragma cppc register(n, p[n])
#pragma cppc checkpoint
}
