// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin in C++ that has one of everything. cxx.so was built from this file
// once; see test/golden/README.md.

#include <mlirplug/ir.h>
#include <mlirplug/json.h>
#include <mlirplug/plugin.hpp>

namespace {

struct options {
  bool flag;
  int64_t top;
  uint64_t mask;
  double factor;
  const char *name;
  int64_t mode;
  mlirplug_bool_list flags;
  mlirplug_int_list tops;
  mlirplug_uint_list masks;
  mlirplug_double_list factors;
  mlirplug_string_list names;
  mlirplug_int_list modes;
};

constexpr mlirplug_option table[] = {
    MLIRPLUG_OPTION(options, flag, "flag", "A bool").otherwise(true),
    MLIRPLUG_OPTION(options, top, "top", "An integer")
        .otherwise(3)
        .range(-1, 100),
    MLIRPLUG_OPTION(options, mask, "mask", "An unsigned integer")
        .otherwise(UINT64_MAX)
        .range(1, UINT64_MAX),
    MLIRPLUG_OPTION(options, factor, "factor", "A number")
        .otherwise(0.5)
        .range(0, 1),
    MLIRPLUG_OPTION(options, name, "name", "A string").otherwise("nobody"),
    MLIRPLUG_OPTION(options, mode, "mode", "A choice")
        .choices("fast,exact")
        .otherwise(1),
    MLIRPLUG_OPTION(options, flags, "flags", "Bools"),
    MLIRPLUG_OPTION(options, tops, "tops", "Integers").otherwise("1,2"),
    MLIRPLUG_OPTION(options, masks, "masks", "Unsigned integers"),
    MLIRPLUG_OPTION(options, factors, "factors", "Numbers"),
    MLIRPLUG_OPTION(options, names, "names", "Strings"),
    MLIRPLUG_OPTION(options, modes, "modes", "Choices").choices("fast,exact"),
};

constexpr mlirplug_statistic statistics[] = {{"runs", "Calls of run"}};

enum name { FUNCTION };
constexpr const char *names[] = {"func.func"};

struct state {
  uint64_t runs;
};

void *create(const mlirplug_run *) noexcept {
  return __builtin_calloc(1, sizeof(state));
}

void *clone(const mlirplug_run *run) noexcept {
  void *copy = create(run);
  if (copy)
    *static_cast<state *>(copy) = mlirplug::state<state>(run);
  return copy;
}

void destroy(void *old) noexcept { __builtin_free(old); }

mlirplug_status run(const mlirplug_run *run, MlirOperation root) noexcept {
  ++mlirplug::state<state>(run).runs;
  mlirplug_statistic_add(run, 0, 1);
  if (!mlirplug_op_is(run, root, FUNCTION))
    return mlirplug_fail(run, mlirOperationGetLocation(root), "not a function");
  mlirplug_json json = mlirplug_json_create(run);
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("top"));
  mlirplug_json_integer(&json, mlirplug::options<options>(run).top);
  mlirplug_json_end_object(&json);
  return mlirplug_json_record(&json);
}

constexpr mlirplug_pass everything =
    mlirplug::pass("cxx-everything", "Has one of everything")
        .description("A longer text.")
        .anchor("func.func")
        .dialects("func")
        .options<options>(table)
        .statistics(statistics)
        .names(names)
        .state(create, clone, destroy)
        .initialize([](const mlirplug_run *, MlirContext) noexcept {
          return MLIRPLUG_OK;
        })
        .run(run)
        .merge([](void *into, const void *from) noexcept {
          static_cast<state *>(into)->runs +=
              static_cast<const state *>(from)->runs;
        })
        .finish([](const mlirplug_run *) noexcept { return MLIRPLUG_OK; })
        .reset([](void *old) noexcept { static_cast<state *>(old)->runs = 0; });

constexpr mlirplug_pass small =
    mlirplug::pass("cxx-small", "Does nothing")
        .run([](const mlirplug_run *, MlirOperation) noexcept {
          return MLIRPLUG_OK;
        });

} // namespace

MLIRPLUG_PLUGIN("org.mlirplug.golden.cxx", "1.0.0", &everything, &small);
