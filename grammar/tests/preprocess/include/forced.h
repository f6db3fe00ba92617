forced
#define FORCED done
