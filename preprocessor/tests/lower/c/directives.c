typedef struct file FILE;
FILE *fopen(const char *, const char *);
double grid[10][10];
struct state { int step; double *values; int n; };

int main(void)
{
    struct state s = { 0 };
    FILE *log;
#pragma cppc init
#pragma cppc register(s.step, s.values[s.n], grid, grid[5])
#pragma cppc execute capture(s.n)
    log = fopen("log", "a");
#pragma cppc end execute
    for (s.step = 0; s.step < 10; s.step++) {
#pragma cppc checkpoint
        grid[s.step][0] = 1;
    }
#pragma cppc unregister(grid)
#pragma cppc shutdown
    return 0;
}
