/* Exercises: the look of the text: line ends of another system, tabs, form feeds, digraphs, directives
 * with odd spacing, with comments, continued, and behind conditionals; no line end at the end. */
#include "check.h"

#define CHECKPOINTS 1

int main(void)
{
	int i;
	double x = 1; /* café ∑ */ const char *text = "€ // no comment";

#pragma cppc init
	# 	pragma   cppc	register ( i ,\
		x )  /* both */
	for (i = 0; i < 5; i++) <%
#if CHECKPOINTS
  #  pragma cppc checkpoint // here
#else
  #pragma cppc chekpoint in text that nobody reads
#endif
#ifdef NEVER
#pragma cppc register(nothing[0])
#elif 0
#pragma cppc
#endif
		x = x * 1.5 + i; printf("%d %.17g %s\n", i, x, text);
%:pragma cppc checkpoint
	%>
#pragma cppc shutdown
	return 0;
}