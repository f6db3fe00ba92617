c Exercises: fixed form of 132 columns, where statements and directives go beyond column 72.
c
c flags: -ffixed-line-length-132
      program wide
      integer step, first_of_all, second_of_all, third_of_all
      first_of_all = 1
      second_of_all = 2
      third_of_all = 3
c$cppc init
c$cppc register(step, first_of_all, second_of_all,                                                    third_of_all)
      do 10 step = 1, 6
c$cppc checkpoint
        first_of_all = first_of_all + second_of_all * 2 - third_of_all + 7 * step - first_of_all / 3 + second_of_all / 5 + 1
      if (first_of_all .gt. 20 .and. second_of_all .lt. 1000 .and. third_of_all .ne. 0 .and. step .gt. 2) call bump(second_of_all)
        third_of_all = third_of_all + step
        print '(a, 4i8)', 'wide', step, first_of_all, second_of_all, third_of_all
   10 continue
c$cppc shutdown
      end

      subroutine bump(value)
      integer value
c$cppc register(value)
      value = value + 11
c$cppc checkpoint
      value = value * 2
      end
