c Parentheses that stay open, an empty list, a clause that does not belong.
      program opens
      integer i, k
      k = 0
c$cppc init
c$cppc register(i, k
c              ~ error[C0303] `(` is never closed
c$cppc register()
c              ~~ error[C0304] the list of `register` is empty
c$cppc checkpoint capture(k)
c                 ~~~~~~~~~~ error[C0305] `checkpoint` is followed by something more
      do 10 i = 1, 2
c$cppc checkpoint
   10 k = k + 1
      end
