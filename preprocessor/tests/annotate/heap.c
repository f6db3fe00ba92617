/* Memory of the heap: in a variable, in a field, for each row, in an unbraced statement. */
#include <stdlib.h>

struct series {
    int length;
    double *values;
};

static int rounds;

static void grow(struct series *s, int by)
{
    for (int k = 0; k < s->length; k++)
        s->values[k] += by;
    rounds++;
}

int main(void)
{
    int n = 8, step;
    struct series s = {n, NULL};
    double **rows = malloc(n * sizeof *rows);
    char *text;

    s.values = calloc((size_t)s.length, sizeof *s.values); /* zeros */
    for (int k = 0; k < n; k++)
        rows[k] = malloc((n + k) * sizeof(double));
    text = malloc(n + 1);
    text[n] = rows[0][0] = rows[n - 1][1] = 0;
    for (step = 0; step < 10; step++) {
#pragma cppc checkpoint
        grow(&s, step);
        rows[step % n][0] += s.values[step % n] + text[n];
    }
    return rounds + (int)rows[1][0];
}
