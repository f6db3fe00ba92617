/* Pointers to heap memory that are moved after their register: each register saves from where its pointer points. The memory
 * of `kept`, of `base` and of `rows` is registered by a pointer that stays; `again` is registered again where it was moved.
 * reports: field.low[n], moved[n], stepped[], through[n] */
#include <stdio.h>
#include <stdlib.h>

struct field {
    double *low;
};

static void step_on(double **pointer)
{
    *pointer += 1;
}

int main(void)
{
    int n = 8, i, k;
    double *moved = malloc(n * sizeof *moved), *stepped = malloc(n * sizeof *stepped);
    double *kept = malloc(n * sizeof *kept), *place = kept, *through = malloc(n * sizeof *through);
    double *block = malloc(n * n * sizeof *block), *rows[8], *again = malloc(n * sizeof *again);
    double *base = malloc(n * sizeof *base), *walker = base;
    struct field field;

    field.low = malloc(n * sizeof *field.low);
    for (i = 0; i < n; i++) {
        rows[i] = block + i * n;
        moved[i] = stepped[i] = kept[i] = through[i] = field.low[i] = again[i] = base[i] = i;
        for (k = 0; k < n; k++)
            rows[i][k] = k;
    }
#pragma cppc init
#pragma cppc register(i, n, moved[n], stepped[], kept[n], place[0], through[n], block[n * n], rows, field.low[n], again[n])
#pragma cppc register(base[n], walker[])
    moved -= 1;
    for (i = 0; i < 4; i++) {
        stepped++;
        place++;
        walker++;
        again++;
        step_on(&through);
        field.low += 1;
#pragma cppc register(again[n - 4])
#pragma cppc checkpoint
        printf("%g %g %g %g %g %g %g %g\n", walker[-1], moved[1], stepped[-1], place[-1], through[-1], field.low[-1], again[0], rows[i][i]);
    }
    free(moved + 1);
#pragma cppc shutdown
    return 0;
}
