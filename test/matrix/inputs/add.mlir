// Results that are used twice, by what is inside another region, and not at all.
"builtin.module"() ({
  "func.func"() ({
  ^bb0(%a: i32, %b: i32):
    %0 = "arith.addi"(%a, %b) : (i32, i32) -> i32
    %1 = "arith.subi"(%b, %0) : (i32, i32) -> i32
    %2 = "unknown.region"(%0) ({
      %3 = "arith.addi"(%0, %1) : (i32, i32) -> i32
      "unknown.yield"(%3) : (i32) -> ()
    }) : (i32) -> i32
    %4 = "arith.addi"(%a, %a) : (i32, i32) -> i32
    "func.return"(%2) : (i32) -> ()
  }) {sym_name = "f", function_type = (i32, i32) -> i32} : () -> ()
}) : () -> ()
