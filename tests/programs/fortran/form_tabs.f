c Exercises: lines that start with a tab, a tab and a digit for a continuation, tabs in the middle,
c and labels in front of tabs.
	program tabs
	integer i, k	! a tab before a comment
	real*8 a(4),
	1  b
	b = 1
	do 5 k = 1, 4
5	a(k) = k
!$cppc	init
c$cppc register(a, b,	i)
	do 20 i = 1, 5
!$cppc checkpoint
	  do 10 k = 1, 4
	    a(k) = a(k) * 0.5d0 +
	2	b
10	  continue
	  b = b + a(1)
	  if (i .eq. 3) then
c$cppc checkpoint
	    b = -b
	  end if
	  print '(i3, 5(1x, z16.16))', i, a, b
20	continue
!$cppc	shutdown
	end
