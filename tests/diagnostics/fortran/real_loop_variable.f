c A loop that counts in reals, around a checkpoint.
      program reals
      real x
      integer n
      n = 0
c$cppc init
c$cppc register(n)
      do 10 x = 0.0, 1.0, 0.25
c           ~ error[C0514] a restart cannot enter this loop: its variable `x` is not an integer
c$cppc checkpoint
   10 n = n + 1
      print *, n
      end
