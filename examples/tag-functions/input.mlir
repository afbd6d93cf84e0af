func.func private @extern(i32) -> i32

func.func @twice(%x: i32) -> i32 {
  %0 = call @extern(%x) : (i32) -> i32
  %1 = call @extern(%0) : (i32) -> i32
  return %1 : i32
}
