	program tabs
10	x = 1
	1+ 2
 	call s(
     &	x)
     	y = 2
c	comment
	! comment
	end
