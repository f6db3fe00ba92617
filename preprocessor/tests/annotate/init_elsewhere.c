/* A procedure that another file would contain starts MPI: its static data is registered after `init`. */
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int printf(const char *, ...);
int ask(void);

void start(int *argc, char ***argv);
void log_start(void);
int my_rank(void);

int main(int argc, char **argv)
{
    int i;

    log_start();
    start(&argc, &argv);
    for (i = 1; i < 5; i++) {
#pragma cppc checkpoint
        printf("%d %d\n", i, my_rank());
    }
    MPI_Finalize();
    return 0;
}

static int rank = -1;

void log_start(void)
{
    printf("start of %d\n", rank);
}

void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    rank = ask();
}

int my_rank(void)
{
    return rank;
}
