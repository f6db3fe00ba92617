second
#if __has_include_next("layered.h")
third
#endif
