struct site { int id; };
static struct { struct site *cells; } world[3];

void work(int from)
{
    for (int k = 0; k < 2; k++) {
#pragma cppc register(world[k].cells[from:3].id)
    }
#pragma cppc checkpoint
#pragma cppc unregister(world[0].cells[from:3].id)
}

int main(void)
{
#pragma cppc init
    work(1);
#pragma cppc shutdown
    return 0;
}
