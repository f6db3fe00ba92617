/* The stages of the work, by name. */
struct work {
    int turn;
    double value;
};

struct stage {
    const char *name;
    int (*run)(struct work *, int);
};

extern const struct stage stages[];
extern const int stage_count;
