// flags: -Iinclude -Inext
/* `#include_next` goes on behind the directory where the file was found. */
#include <layered.h>
#include "layered.h"
#if __has_include_next(<layered.h>)
in_main
#endif
