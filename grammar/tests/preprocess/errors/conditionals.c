#if 1
#else
#else
//~~~ C0108 `#else` after `#else`
#elif 1
//~~~ C0108 `#elif` after `#else`
#endif
#endif
//~~~~ C0108 `#endif` without `#if`
#else
//~~~ C0108 `#else` without `#if`
#elif 1
//~~~ C0108 `#elif` without `#if`
#ifdef
//~~~~ C0107 `#ifdef` needs the name of a macro
#endif
#ifndef 1
//~~~~~ C0107 `#ifndef` needs the name of a macro
#endif
   #if 1
// ~~~ C0102 the conditional does not end
#if 0
//~ C0102 the conditional does not end
