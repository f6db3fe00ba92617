/* Fields of a structure behind a pointer. */
typedef struct {
    int count;
    double *values;
} State;

void work(State *s)
{
#pragma cppc register(s->count, s->values[s->count])
#pragma cppc checkpoint
}
