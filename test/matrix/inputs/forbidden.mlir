"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32):
    %0 = "unknown.op"(%a) {forbidden} : (i32) -> i32
    %1 = "unknown.op"(%0) {forbidden = 5 : i32} : (i32) -> i32
    %2 = "unknown.op"(%1) : (i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) {sym_name = "f", function_type = (i32) -> i32} : () -> ()
}) : () -> ()
