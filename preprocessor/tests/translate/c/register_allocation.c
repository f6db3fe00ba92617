/* Pointers with the size of their allocation. */
struct series { double *values; };

void work(struct series *s, double **rows, int n)
{
    int i;
    char *text = 0;

#pragma cppc register(s->values[], rows[], text[])
    for (i = 0; i < n; i++) {
#pragma cppc register(rows[i][])
    }
#pragma cppc checkpoint
#pragma cppc unregister(text[])
}
