static int done;

void weigh(double *x, double by);
void advance(double *u, int n, int turn);
int number_of_steps(void);

void advance(double *u, int n, int turn)
{
    int k;
#pragma cppc register(k, done)
    for (k = 0; k < n; k++) {
        weigh(&u[k], 0.5);
        if (k % 2 == 0) {
#pragma cppc checkpoint
            u[k] += turn;
        }
    }
    done++;
}

int number_of_steps(void)
{
    return done;
}
