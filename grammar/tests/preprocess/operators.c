/* What the compiler is asked. */
#if defined __has_attribute && __has_attribute(noreturn) && __has_attribute(__packed__) && !__has_attribute(no_such_thing)
attribute
#endif
#if defined __has_builtin && __has_builtin(__builtin_expect) && __has_builtin(__builtin_popcountll) && !__has_builtin(no_such_thing)
builtin
#endif
#ifdef __has_c_attribute
c_attribute
#if __has_c_attribute(deprecated)
deprecated
#endif
#endif
#ifdef __has_feature
feature
#if __has_feature(c_atomic) && !__has_feature(none) && __has_extension(c_generic_selections)
atomic
#endif
#endif
#define HAS(x) __has_attribute(x)
#if HAS(unused) && !HAS(none_such)
through_macro
#endif
