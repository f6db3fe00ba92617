/* The directives of a whole program. */
int main(int argc, char **argv)
{
    int i;
    double sum = 0;

#pragma cppc init
#pragma cppc register(i, sum)
    for (i = 0; i < 10; i++) {
#pragma cppc checkpoint
        sum += i;
    }
#pragma cppc shutdown
    return sum != 45;
}
