/* The runtime finds bit-fields by their bits in a sample. */
struct date {
    unsigned day : 5;
    int offset : 4;
    unsigned : 0;
    _Bool leap : 1;
    double weight;
};

int main(void)
{
    struct date date = {1, -2, 1, 0.5};
#pragma cppc init
#pragma cppc register(date)
#pragma cppc checkpoint
#pragma cppc shutdown
    return date.day;
}
