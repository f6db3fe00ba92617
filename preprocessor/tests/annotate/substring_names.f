C A block captures all of a name of which OPEN uses a part.
      program solve
      common /files/ iout, iin
      real total, x
      call openall
      total = 0
      do 10 i = 1, 6
!$cppc checkpoint
        read (iin, *) x
        total = total + x
        write (iout, *) i, total
10    continue
      end
      subroutine openall
      common /files/ iout, iin
      character*80 name, names(2)
      open (99, file='names.txt', status='old')
20    read (99, '(a)', end=30) name
      length = len_trim(name)
      names(2) = name
      if (name(1:3) .eq. 'out') then
        iout = 7
        open (iout, file=name(1:length), status='replace')
      else
        iin = 8
        open (iin, file=names(2)(1:length), status='old')
      end if
      go to 20
30    close (99)
      end
