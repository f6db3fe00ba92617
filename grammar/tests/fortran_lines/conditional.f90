! flags: -fopenmp
program c
  !$ use omp_lib
  !$omp parallel
  !$ n = 1 + &
  !$ & 2
  !$x = 1
  m = 1 + &
  !$ 3 + &
  4
end program
