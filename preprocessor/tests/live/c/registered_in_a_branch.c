/* reports: nothing
 * all: late, later */
#include <stdlib.h>

static int kept, late;

static void step(int i)
{
#pragma cppc register(kept)
    kept += i;
#pragma cppc checkpoint
    kept++;
}

int main(int argc, char **argv)
{
    int i, later = argc;
    double *part = NULL;
    (void)argv;
#pragma cppc init
#pragma cppc register(i)
    if (argc > 1) {
        part = calloc(8, sizeof *part);
#pragma cppc register(part[8])
    }
    if (argc > 2) {
        late = argc;
#pragma cppc register(late, later)
    } else {
        late = 7;
    }
    later = argc * 2;
    for (i = 0; i < 5; i++) {
#pragma cppc checkpoint
        if (part != NULL)
            kept += (int)part[i];
        step(i);
        late++;
        later++;
    }
#pragma cppc shutdown
    return kept + late + later;
}
