// Nothing of the dialect arith.
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32):
    "func.return"(%a) : (i32) -> ()
  }) {sym_name = "f", function_type = (i32) -> i32} : () -> ()
}) : () -> ()
