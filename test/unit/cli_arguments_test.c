// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/arguments.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

static struct arguments arguments;
static struct console console;

static void release(void) { arguments_release(&arguments); }

TestSuite(arguments_of_opt, .init = cr_redirect_stderr, .fini = release);

#define PARSE(...)                                                             \
  parse((char *[]){__VA_ARGS__},                                               \
        (int)(sizeof((char *[]){__VA_ARGS__}) / sizeof(char *)))

static bool parse(char **texts, int count) {
  return arguments_parse(ARGUMENT_OPT, count, texts, &arguments, &console);
}

Test(arguments_of_opt, have_defaults) {
  cr_assert(parse(NULL, 0));
  cr_expect(arguments.verify_each);
  cr_expect_not(arguments.emit_bytecode);
  cr_expect_null(arguments.pipeline);
  cr_expect_null(arguments.output);
  cr_expect_eq(arguments.inputs.count, 0);
}

Test(arguments_of_opt, come_in_any_order_and_form) {
  cr_assert(PARSE("a.mlir", "-pass-pipeline=builtin.module(x{a=b})",
                  "--load-pass-plugin", "p.so", "-o", "-", "-",
                  "-load-pass-plugin=q.so", "--records=r", "--verify-each=0",
                  "--", "--cse"));
  cr_expect_str_eq(arguments.pipeline, "builtin.module(x{a=b})");
  cr_expect_str_eq(arguments.output, "-");
  cr_expect_str_eq(arguments.records, "r");
  cr_expect_not(arguments.verify_each);
  cr_assert_eq(arguments.plugins.count, 2);
  cr_expect_str_eq(arguments.plugins.items[0], "p.so");
  cr_expect_str_eq(arguments.plugins.items[1], "q.so");
  cr_assert_eq(arguments.inputs.count, 3);
  cr_expect_str_eq(arguments.inputs.items[1], "-");
  cr_expect_str_eq(arguments.inputs.items[2], "--cse");
  cr_expect_eq(arguments.passes.count, 0);
}

Test(arguments_of_opt, say_where_plugins_are_and_whom_to_trust) {
  cr_assert(PARSE("--plugin-dir=a", "-plugin-dir", "b", "--no-default-plugins",
                  "--trust=any"));
  cr_assert_eq(arguments.directories.count, 2);
  cr_expect_str_eq(arguments.directories.items[0], "a");
  cr_expect_str_eq(arguments.directories.items[1], "b");
  cr_expect(arguments.no_default_plugins);
  cr_expect(arguments.trust_any);
  cr_expect_eq(arguments.passes.count, 0);
}

Test(arguments_of_opt, trust_nobody_by_a_wrong_word) {
  cr_expect_not(PARSE("--trust=all"));
  cr_expect_not(PARSE("--trust"));
  cr_expect_not(PARSE("--trust="));
}

Test(arguments_of_opt, keep_the_order_of_passes) {
  cr_assert(PARSE("--b", "--a=x=1 y={2,3}", "-o=f", "-b="));
  cr_assert_eq(arguments.passes.count, 3);
  cr_expect_str_eq(arguments.passes.items[0].name, "b");
  cr_expect_null(arguments.passes.items[0].options);
  cr_expect_str_eq(arguments.passes.items[1].name, "a");
  cr_expect_str_eq(arguments.passes.items[1].options, "x=1 y={2,3}");
  cr_expect_str_eq(arguments.passes.items[1].written, "--a=x=1 y={2,3}");
  cr_expect_str_eq(arguments.passes.items[2].options, "");
  cr_expect_str_eq(arguments.output, "f");
}

Test(arguments_of_opt, let_the_last_switch_win) {
  cr_assert(PARSE("--emit-bytecode", "--emit-bytecode=False", "-verify-each=1",
                  "--verify-each=FALSE"));
  cr_expect_not(arguments.emit_bytecode);
  cr_expect_not(arguments.verify_each);
}

Test(arguments_of_opt, are_refused_when_they_cannot_be_meant) {
  cr_expect_not(PARSE("--verify-each=yes"));
  cr_expect_not(PARSE("--pass-pipeline"));
  cr_expect_not(PARSE("--records="));
  cr_expect_not(PARSE("-o", ""));
  cr_expect_not(PARSE("-o", "a", "-o", "b"));
  cr_expect_not(PARSE(""));
  cr_expect_not(PARSE("--=a"));
  cr_expect_not(PARSE("--a(b)"));
  cr_expect_not(PARSE("---a"));
  cr_expect_not(PARSE("--a,b"));
}

Test(arguments_of_list, do_not_have_passes) {
  cr_redirect_stderr();
  char *texts[] = {"--cse"};
  cr_expect_not(arguments_parse(ARGUMENT_LIST, 1, texts, &arguments, &console));
}
