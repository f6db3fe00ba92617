! Exercises: ten megabytes of what shrinks and what does not, so that a state file has pieces packed and
! plain, whatever packs them.
program shrinking
  implicit none
  integer, parameter :: n = 400000
  real(8), save :: zeros(n), field(n)
  integer, save :: noise(2 * n)
  integer, allocatable :: indices(:)
  integer :: i, k
  integer(8) :: seed
  !$cppc init
  allocate (indices(n))
  zeros = 0
  field = [(mod(k, 1000) * 0.125d0, k = 1, n)]
  indices = [(k / 3, k = 1, n)]
  seed = 88172645463325252_8
  !$cppc register(seed, zeros, field, noise, indices)
  do i = 1, 4
    do k = 1, 2 * n
      seed = ieor(seed, ishft(seed, 13))
      seed = ieor(seed, ishft(seed, -7))
      seed = ieor(seed, ishft(seed, 17))
      noise(k) = int(ibits(seed, 20, 31))
    end do
    do k = 2, n
      field(k) = 0.5d0 * (field(k) + field(k - 1))
    end do
    indices = indices + i
    zeros(i) = i
    !$cppc checkpoint
    print '(i2, 2(1x, z16.16), 2i20)', i, sum(field), sum(zeros), &
      sum(int(noise(:n), 8) * mod(int(indices, 8), 97_8)) + sum(int(noise(n + 1:), 8)), sum(int(indices, 8))
  end do
  !$cppc shutdown
end program shrinking
