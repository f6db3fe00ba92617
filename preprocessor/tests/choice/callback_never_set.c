/* The program can set a pointer to a procedure, but no statement that it runs does so. The call through the null pointer does not
 * communicate. */
#include <stdio.h>
static double row[8];
static void (*report)(double *);
void set_report(void (*given)(double *))
{
    report = given;
}
int main(void)
{
    double sum = 0;
    int i, k;
    for (i = 0; i < 10; i++) {
        if (report != NULL)
            report(row);
        for (k = 0; k < 8; k++)
            row[k] = i * k;
        for (k = 0; k < 8; k++)
            sum += row[k];
    }
    printf("%g\n", sum);
    return 0;
}
