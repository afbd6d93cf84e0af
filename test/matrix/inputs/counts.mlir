// In the generic form, which every MLIR reads, and which needs no dialect.
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32, %b: i32):
    %0 = "arith.addi"(%a, %b) : (i32, i32) -> i32
    %1 = "arith.muli"(%0, %0) : (i32, i32) -> i32
    %2 = "unknown.op"(%1) {text = "arith.addi arith.addi"} : (i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) {sym_name = "f", function_type = (i32, i32) -> i32} : () -> ()
  "func.func"() ({
  ^bb0(%a: i32):
    %0 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) {sym_name = "g", function_type = (i32) -> i32} : () -> ()
}) : () -> ()
