#if 1
#else
#else
//~~~~~ error[C0108] `#else` after `#else`
#elif 1
//~~~~~ error[C0108] `#elif` after `#else`
#endif
#endif
//~~~~~~ error[C0108] `#endif` without `#if`
#else
//~~~~~ error[C0108] `#else` without `#if`
#elif 1
//~~~~~ error[C0108] `#elif` without `#if`
#ifdef
//~~~~~~ error[C0107] `#ifdef` needs the name of a macro
#endif
#ifndef 1
//~~~~~~~ error[C0107] `#ifndef` needs the name of a macro
#endif
   #if 1
// ~~~ error[C0102] the conditional does not end
#if 0
//~~~ error[C0102] the conditional does not end
