func.func @triangle(%n: index) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%so_far = %zero) -> (index) {
    %next = arith.addi %so_far, %i : index
    scf.yield %next : index
  }
  return %sum : index
}

func.func @square(%x: index) -> index {
  %result = arith.muli %x, %x : index
  return %result : index
}
