/* Keywords and odd words may be macros. */
#define if IF
#define int long
#define while(x) for (;x;)
#define __attribute__(x)
#define true 1
#define defined_ defined
if int while(1) __attribute__((packed)) true return
#define return if
return
#undef if
return if
#define const
const int x;
#define NULL ((void*)0)
#define foo() foo
foo foo() foo()() (foo)()
