// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/object.h"

#include "cli/output.h"

#include <mlirplug/object.h>

#include <string.h>

bool object_is_wanted(const struct arguments *arguments) {
  return arguments->emit_object || arguments->emit_assembly;
}

//===----------------------------------------------------------------------===//
// The command line
//===----------------------------------------------------------------------===//

/// A flag that means nothing without another.
static bool needs_object(const char *flag, const char *value,
                         struct console *console) {
  if (!value)
    return true;
  console_error(console,
                "'--%s' says what an object file is for: give --emit-object "
                "or --emit-assembly, too",
                flag);
  return false;
}

static bool unwanted_check(const struct arguments *arguments,
                           struct console *console) {
  return needs_object("object-header", arguments->object_header, console) &&
         needs_object("object-level", arguments->object_level, console) &&
         needs_object("target", arguments->target, console) &&
         needs_object("cpu", arguments->cpu, console) &&
         needs_object("features", arguments->features, console);
}

bool object_check(const struct arguments *arguments, size_t inputs,
                  struct console *console) {
  if (!object_is_wanted(arguments))
    return unwanted_check(arguments, console);
  const char *other = arguments->emit_object && arguments->emit_assembly
                          ? "--emit-assembly"
                      : arguments->emit_bytecode ? "--emit-bytecode"
                      : arguments->split_marker  ? "--split-input-file"
                                                 : NULL;
  if (other) {
    console_error(console,
                  "'%s' and '%s' make different things of an input; give one "
                  "of them",
                  arguments->emit_object ? "--emit-object" : "--emit-assembly",
                  other);
    return false;
  }
  if (!arguments->object_header || inputs <= 1)
    return true;
  console_error(console,
                "'--object-header' names one file, and there are %zu inputs; "
                "compile them one by one",
                inputs);
  return false;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static mlirplug_object *object_make(const struct arguments *arguments,
                                    mlirplug_host *host, MlirModule module,
                                    struct console *console) {
  mlirplug_object_configuration configuration = {
      .size = sizeof configuration,
      .target = arguments->target,
      .cpu = arguments->cpu,
      .features = arguments->features,
      .optimization = arguments->object_level,
      .assembly = arguments->emit_assembly,
  };
  mlirplug_object *object = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_object_create(host, module, &configuration, &object, &error) !=
      MLIRPLUG_OK)
    console_failure(console, error);
  return object;
}

bool object_write(const struct arguments *arguments, mlirplug_host *host,
                  MlirOperation root, FILE *stream, struct console *console) {
  MlirModule module = mlirModuleFromOperation(root);
  if (mlirModuleIsNull(module)) {
    console_error(console, "an object file is made of a builtin.module, which "
                           "the input is not");
    return false;
  }
  mlirplug_object *object = object_make(arguments, host, module, console);
  if (!object)
    return false;
  fwrite(object->bytes, 1, object->length, stream);
  const char *header = arguments->object_header;
  bool written = !header || output_file(console, header, object->header,
                                        strlen(object->header));
  mlirplug_object_destroy(object);
  return written;
}
