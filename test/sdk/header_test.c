// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of the SDK, as compilers see them.

#include "sdk/build.h"

#include <stdlib.h>
#include <string.h>

/// Each header included by a source file of its own, in one language.
static void expect_clean(const char *compiler, const char *language,
                         const char *standard, const char *more_files) {
  free(build_shell("find " SDK_INCLUDE " " SDK_COMPAT
                   " -name '*.h' %s | sort | while read -r header; do "
                   "printf '#include \"%%s\"\\nextern int more;\\n' $header | "
                   "%s -std=%s -Wall -Wextra -Wpedantic %s -Werror "
                   "-fsyntax-only -I" SDK_INCLUDE " -x %s - || exit 1; done",
                   more_files, compiler, standard,
                   strcmp(language, "c++") == 0 ? "-Wold-style-cast" : "",
                   language));
}

#define EACH_HEADER_IN_C(name, compiler, standard)                             \
  Test(each_header, compiles_alone_as_##name) {                                \
    expect_clean(compiler, "c", standard, "");                                 \
  }
#define EACH_HEADER_IN_CXX(name, compiler, standard)                           \
  Test(each_header, compiles_alone_as_##name) {                                \
    expect_clean(compiler, "c++", standard, "-o -name '*.hpp'");               \
  }

EACH_HEADER_IN_C(c11_with_gcc, "gcc", "c11")
EACH_HEADER_IN_C(c17_with_gcc, "gcc", "c17")
EACH_HEADER_IN_C(c2x_with_gcc, "gcc", "c2x")
EACH_HEADER_IN_CXX(cxx17_with_gcc, "g++", "c++17")
EACH_HEADER_IN_CXX(cxx20_with_gcc, "g++", "c++20")
EACH_HEADER_IN_C(c11_with_clang, "clang-22", "c11")
EACH_HEADER_IN_C(c17_with_clang, "clang-22", "c17")
EACH_HEADER_IN_C(c2x_with_clang, "clang-22", "c2x")
EACH_HEADER_IN_CXX(cxx17_with_clang, "clang++-22", "c++17")
EACH_HEADER_IN_CXX(cxx20_with_clang, "clang++-22", "c++20")

Test(the_generated_files, are_what_the_ledger_gives) {
  free(build_shell("python3 " MLIRPLUG_SOURCE_DIRECTORY
                   "/sdk/abi/generate.py --check"));
}

//===----------------------------------------------------------------------===//
// Mistakes that the compiler finds
//===----------------------------------------------------------------------===//

#define FIELD_OF_WRONG_TYPE                                                    \
  "struct options { int top; }; "                                              \
  "static const mlirplug_option options[] = "                                  \
  "{MLIRPLUG_INT(struct options, top, \"top\", 0, \"\")};"

Test(an_option, in_c_needs_a_field_of_its_type) {
  free(build_shell("printf '%%s\\n' '#include <mlirplug/plugin.h>' '%s' | "
                   "sed 's/int top/int64_t top/' | gcc -fsyntax-only "
                   "-I" SDK_INCLUDE " -xc -",
                   FIELD_OF_WRONG_TYPE));
  char *said = build_refusal(
      "printf '%%s\\n' '#include <mlirplug/plugin.h>' '%s' | gcc -fsyntax-only "
      "-I" SDK_INCLUDE " -xc -",
      FIELD_OF_WRONG_TYPE);
  build_expect(said, "_Generic");
  build_expect(said, "int *");
  free(said);
}

static char *refuse_cxx(const char *compiler, const char *text) {
  return build_refusal("printf '%%s\\n' '#include <mlirplug/plugin.hpp>' '%s' "
                       "| LC_ALL=C %s -std=c++17 -fsyntax-only -I" SDK_INCLUDE
                       " -xc++ -",
                       text, compiler);
}

static void expect_cxx_refusal(const char *text, const char *part) {
  for (size_t i = 0; i < 2; ++i) {
    char *said = refuse_cxx(i ? "clang++-22" : "g++", text);
    build_expect(said, part);
    free(said);
  }
}

Test(an_option, in_cxx_needs_a_field_of_some_options_type) {
  expect_cxx_refusal("struct options { int top; }; "
                     "constexpr mlirplug_option table[] = "
                     "{MLIRPLUG_OPTION(options, top, \"top\", \"\")};",
                     "the field of an option is a bool, int64_t");
}

Test(an_option, in_cxx_has_a_range_only_if_it_is_a_number) {
  expect_cxx_refusal(
      "struct options { bool fast; }; constexpr mlirplug_option table[] = "
      "{MLIRPLUG_OPTION(options, fast, \"fast\", \"\").range(false, true)};",
      "only a number has a range");
}

Test(a_callback, in_cxx_is_noexcept) {
  expect_cxx_refusal(
      "static mlirplug_status run(const mlirplug_run *, MlirOperation) "
      "{ return MLIRPLUG_OK; } "
      "constexpr mlirplug_pass own = mlirplug::pass(\"a\", \"\").run(run);",
      "noexcept");
}
