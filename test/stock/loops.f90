! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Loops to survey.

subroutine saxpy(n, a, x, y)
  integer, intent(in) :: n
  real, intent(in) :: a, x(n)
  real, intent(inout) :: y(n)
  integer :: i
  do i = 1, n
    y(i) = y(i) + a * x(i)
  end do
end subroutine

function dot(n, x, y)
  integer, intent(in) :: n
  real, intent(in) :: x(n), y(n)
  real :: dot
  integer :: i
  dot = 0.0
  do i = 1, n
    dot = dot + x(i) * y(i)
  end do
end function

subroutine stencil(n, m, old, new)
  integer, intent(in) :: n, m
  real, intent(in) :: old(n, m)
  real, intent(inout) :: new(n, m)
  integer :: i, j
  do j = 2, m - 1
    do i = 2, n - 1
      new(i, j) = 0.25 * (old(i - 1, j) + old(i + 1, j) + old(i, j - 1) + old(i, j + 1))
    end do
  end do
end subroutine

subroutine matmul_plain(n, a, b, c)
  integer, intent(in) :: n
  real, intent(in) :: a(n, n), b(n, n)
  real, intent(inout) :: c(n, n)
  integer :: i, j, k
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
