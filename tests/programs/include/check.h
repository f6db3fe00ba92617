/* Rolling checksums and step lines: whatever a resumed run has lost or doubled shows in the next
 * line that it prints. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdio.h>

typedef unsigned long long Sum;

#define SUM_START 14695981039346656037ULL

static inline Sum sum_bytes(Sum sum, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    size_t k;
    for (k = 0; k < count; k++)
        sum = (sum ^ byte[k]) * 1099511628211ULL;
    return sum;
}

static inline Sum sum_int(Sum sum, long long value)
{
    return sum_bytes(sum, &value, sizeof value);
}

static inline Sum sum_real(Sum sum, double value)
{
    return sum_bytes(sum, &value, sizeof value);
}

static inline Sum sum_reals(Sum sum, const double *values, size_t count)
{
    return sum_bytes(sum, values, count * sizeof *values);
}

static inline void show(const char *what, int step, Sum sum)
{
    printf("%s %d %016llx\n", what, step, sum);
}

#endif
