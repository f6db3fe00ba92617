/* Exercises: declared arrays as items: one and two dimensions, of structures, `static`, global and
 * automatic, and only the first elements of one (`partial[used]`). */
#include "check.h"

#define N 6

struct point {
    float x, y;
    short tag;
};

double field[N][N];

int main(void)
{
    double line[N] = {1, 2, 3, 4, 5, 6};
    float plane[N][2] = {{0}};
    struct point points[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    static int counts[2][3][2];
    double partial[100];
    int used = 0, i, j;

#pragma cppc init
#pragma cppc register(i, used, line, plane, field, points, counts)
    for (i = 0; i < 6; i++) {
#pragma cppc register(partial[used])
#pragma cppc checkpoint
        partial[used++] = line[i] * 0.1 + i;
        for (j = 0; j < N; j++) {
            field[i][j] = field[(i + N - 1) % N][j] + line[j];
            line[j] = line[(j + 1) % N] * 1.125;
            plane[j][i % 2] += (float)field[i][j];
        }
        points[i % 3].x += plane[i][0];
        points[i % 3].tag = (short)(points[i % 3].tag * 3);
        counts[i % 2][i % 3][1] += i;
        show("field", i, sum_bytes(SUM_START, field, sizeof field));
        show("rest", i, sum_bytes(sum_bytes(sum_reals(SUM_START, partial, (size_t)used), plane,
                                            sizeof plane), counts, sizeof counts));
        printf("%.9g %.9g %d\n", points[i % 3].x, points[i % 3].y, points[i % 3].tag);
    }
#pragma cppc shutdown
    return 0;
}
