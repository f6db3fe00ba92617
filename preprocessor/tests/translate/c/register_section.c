struct site { int id; double link[3][2]; struct { float a, b; } pair; };
static struct site lattice[50], grid[4][5];

void work(struct site *sites, int n)
{
#pragma cppc register(lattice[:].link, lattice[2:n].pair.a, grid[1:2][:].id, sites[0:n].id)
#pragma cppc checkpoint
#pragma cppc unregister(lattice[:].link, sites[0:n].id)
}

int main(void)
{
#pragma cppc init
    work(lattice, 4);
#pragma cppc shutdown
    return 0;
}
