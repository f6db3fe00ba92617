/* A descriptor is a number: in a structure, from a procedure, as a copy.
 * reports: other, output */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
    int lines;
    int descriptor;
} Output;

static int opened(const char *name)
{
    int found = open(name, O_WRONLY | O_CREAT, 0600);
    return found;
}

static void open_output(Output *output)
{
    output->descriptor = opened("output.txt");
}

int main(void)
{
    Output output;
    int i, first, other;
#pragma cppc init
    output.lines = 0;
    open_output(&output);
    first = opened("other.txt");
    other = first;
#pragma cppc register(i, output.lines)
    for (i = 0; i < 3; i++) {
#pragma cppc checkpoint
        dprintf(output.descriptor, "%d\n", output.lines++);
        dprintf(other, "%d\n", i);
    }
#pragma cppc shutdown
    return 0;
}
