c Exercises: execute blocks in a loop with captured scalars and arrays of several types, which are
c something else behind the block; in a branch, in a callee, and one without captures.
      program execs
      integer table(8), used, i, id(3), base
      real*8 weight
      character*4 label
      logical loud
      common /tab/ table, used
      base = 0
      used = 0
c$cppc init
c$cppc execute
      base = base + 5
c$cppc end execute
      do 10 i = 1, 4
        id(1) = i
        id(2) = i * i
        id(3) = -i
        weight = i * 0.5d0
        label = 'abcd'(i:i)
        loud = i .gt. 2
        if (i .ne. 3) then
c$cppc execute capture(id, weight,
c$cppc&                label, loud)
          used = used + 1
          table(used) = id(1) * 100 + id(2) + id(3) + int(2 * weight)
          if (loud) table(used) = table(used) + ichar(label(1:1))
c$cppc end execute
        else
          call extra(i)
        end if
        id(1) = 0
   10 continue
c$cppc register(i, base)
      do 20 i = 1, 5
c$cppc checkpoint
        base = base + table(mod(i - 1, used) + 1)
        print '(3i6)', i, used, base
   20 continue
      print '(8i6)', (table(i), i = 1, used)
c$cppc shutdown
      end

      subroutine extra(k)
      integer k, table(8), used
      common /tab/ table, used
c$cppc execute capture(k)
      used = used + 1
      table(used) = -k
c$cppc end execute
      end
