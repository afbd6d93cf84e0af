// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/validate.h"

#include "read/names.h"
#include "read/refuse.h"
#include "read/validate_options.h"

#include <inttypes.h>
#include <mlirplug/layout.h>
#include <mlirplug/plugin.h>
#include <string.h>

#define EXPECTED_ABI "ABI %u, which this loader has"

static const char rebuild[] = "rebuild the plugin with the SDK";
static const char correct[] = "correct the plugin's source and rebuild it";

//===----------------------------------------------------------------------===//
// The descriptor's first 16 bytes
//===----------------------------------------------------------------------===//

static bool is_zero(const mlirplug_descriptor *descriptor) {
  static const char zeros[sizeof descriptor->magic];
  return memcmp(descriptor->magic, zeros, sizeof zeros) == 0 &&
         descriptor->size == 0;
}

static mlirplug_status magic_check(const char *path,
                                   const mlirplug_descriptor *descriptor,
                                   mlirplug_error **error) {
  static const char magic[sizeof descriptor->magic] = MLIRPLUG_MAGIC;
  if (memcmp(descriptor->magic, magic, sizeof magic) == 0)
    return MLIRPLUG_OK;
  if (is_zero(descriptor))
    return refuse(path,
                  "mlirplug_plugin is all zero in the file; it is filled in at "
                  "run time (C++ dynamic initialisation?)",
                  "constant data", "make it constinit or constexpr", error);
  char shown[sizeof magic + 1] = {0};
  for (size_t i = 0; i < sizeof magic; ++i) {
    char c = descriptor->magic[i];
    shown[i] = c;
    if (c < ' ' || c > '~')
      shown[i] = '.';
  }
  return refuse(path,
                error_text("not a plugin of this SDK: mlirplug_plugin begins "
                           "with \"%s\"",
                           shown),
                "\"MLIRPLUG\"", rebuild, error);
}

mlirplug_status validate_structure_size(const char *path, const char *what,
                                        uint32_t size, mlirplug_error **error) {
  if (size > 0 && size <= VALIDATE_LARGEST_STRUCTURE)
    return MLIRPLUG_OK;
  return refuse(
      path,
      error_text("corrupt descriptor: the size of %s is %" PRIu32, what, size),
      error_text("1 to %" PRIu32, VALIDATE_LARGEST_STRUCTURE), rebuild, error);
}

mlirplug_status validate_header(const char *path,
                                const mlirplug_descriptor *descriptor,
                                mlirplug_error **error) {
  if (magic_check(path, descriptor, error) != MLIRPLUG_OK ||
      validate_structure_size(path, "mlirplug_descriptor", descriptor->size,
                              error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  unsigned wanted = descriptor->abi_major;
  if (wanted == MLIRPLUG_ABI_MAJOR)
    return MLIRPLUG_OK;
  return refuse(path, error_text("the plugin wants ABI %u", wanted),
                error_text(EXPECTED_ABI, MLIRPLUG_ABI_MAJOR),
                wanted > MLIRPLUG_ABI_MAJOR
                    ? "get a newer mlirplug"
                    : "rebuild the plugin with this mlirplug's SDK",
                error);
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static mlirplug_status pass_name_check(const char *path, size_t index,
                                       const char *name,
                                       struct warning_list *warnings,
                                       mlirplug_error **error) {
  const char *defect = name_defect(name);
  if (defect)
    return refuse(path,
                  error_text("the name of pass %zu ('%.80s') %s, so it cannot "
                             "be used in a pipeline",
                             index, name, defect),
                  "a name like my-pass", correct, error);
  if (strncmp(name, "p-", 2) == 0)
    warning_add(warnings,
                "the name of pass '%s' begins with \"p-\"; as a flag, mlir-opt "
                "takes that for its own -p",
                name);
  return MLIRPLUG_OK;
}

static mlirplug_status callbacks_check(const char *path, const char *pass,
                                       const struct pass_callbacks *callbacks,
                                       struct warning_list *warnings,
                                       mlirplug_error **error) {
  if (!callbacks->run)
    return refuse(
        path, error_text("pass '%.80s' has no run callback in the file", pass),
        "the address of a function",
        "set .run; if it is filled in at run time (C++ dynamic "
        "initialisation), make the pass constinit",
        error);
  const struct {
    const char *name;
    bool is_there;
  } state[] = {{"create", callbacks->create},
               {"clone", callbacks->clone},
               {"destroy", callbacks->destroy}};
  const char *present = NULL, *absent = NULL;
  for (size_t i = 0; i < sizeof state / sizeof *state; ++i)
    *(state[i].is_there ? &present : &absent) = state[i].name;
  if (present && absent)
    return refuse(path,
                  error_text("pass '%.80s' has the callback %s but not %s",
                             pass, present, absent),
                  "all of create, clone and destroy, or none", correct, error);
  if (callbacks->merge && !callbacks->reset)
    return refuse(
        path,
        error_text("pass '%.80s' has merge but not reset: what a clone has "
                   "counted would be added again after the next run",
                   pass),
        NULL,
        "give it a reset that puts the state back to what create makes, and "
        "rebuild it",
        error);
  if (callbacks->create && callbacks->finish && !callbacks->merge)
    warning_add(warnings,
                "what clones of pass '%.80s' count for other threads is lost "
                "before 'finish'; give it merge and reset",
                pass);
  return MLIRPLUG_OK;
}

/// A comma-separated list of the pass: each name by `is_valid`, none twice.
static mlirplug_status list_check(const char *path,
                                  const mlirplug_pass_description *pass,
                                  const char *const *names, size_t count,
                                  const char *what,
                                  bool (*is_valid)(const char *name),
                                  struct arena *arena, mlirplug_error **error) {
  for (size_t i = 0; i < count; ++i)
    if (!is_valid(names[i]))
      return refuse(path,
                    error_text("pass '%.80s' has the %s '%.80s'", pass->name,
                               what, names[i]),
                    error_text("the name of %s", is_valid == name_is_dialect
                                                     ? "a dialect"
                                                     : "an operation"),
                    correct, error);
  const char *duplicate;
  if (!names_find_duplicate(arena, names, count, &duplicate))
    return error_set_memory(error);
  if (duplicate)
    return refuse(path,
                  error_text("pass '%.80s' has the %s '%.80s' twice",
                             pass->name, what, duplicate),
                  NULL, correct, error);
  return MLIRPLUG_OK;
}

/// "any" is how a pipeline says that there is no anchor, which a descriptor
/// says by leaving the field out.
static bool name_is_anchor(const char *name) {
  return strcmp(name, "@function") == 0 || strcmp(name, "@symbol") == 0 ||
         (name_is_operation(name) && strcmp(name, "any") != 0);
}

static mlirplug_status tables_check(const char *path,
                                    const mlirplug_pass_description *pass,
                                    mlirplug_error **error) {
  for (size_t i = 0; i < pass->statistic_count; ++i)
    if (!*pass->statistics[i]->name)
      return refuse(path,
                    error_text("statistic %zu of pass '%.80s' has no name", i,
                               pass->name),
                    NULL, correct, error);
  for (size_t i = 0; i < pass->name_count; ++i)
    if (!*pass->names[i])
      return refuse(path,
                    error_text("operation name %zu of pass '%.80s' is empty", i,
                               pass->name),
                    NULL, correct, error);
  return MLIRPLUG_OK;
}

mlirplug_status validate_pass(const char *path, size_t index,
                              const mlirplug_pass_description *pass,
                              const struct pass_callbacks *callbacks,
                              struct warning_list *warnings,
                              mlirplug_error **error) {
  struct arena scratch = {0};
  bool is_good =
      pass_name_check(path, index, pass->name, warnings, error) ==
          MLIRPLUG_OK &&
      callbacks_check(path, pass->name, callbacks, warnings, error) ==
          MLIRPLUG_OK &&
      list_check(path, pass, pass->anchors, pass->anchor_count, "anchor",
                 name_is_anchor, &scratch, error) == MLIRPLUG_OK &&
      list_check(path, pass, pass->dialects, pass->dialect_count, "dialect",
                 name_is_dialect, &scratch, error) == MLIRPLUG_OK &&
      validate_options(path, pass, &scratch, error) == MLIRPLUG_OK &&
      tables_check(path, pass, error) == MLIRPLUG_OK;
  arena_release(&scratch);
  return is_good ? MLIRPLUG_OK : MLIRPLUG_FAILED;
}

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

/// The name of a pass that the plugin has twice, or null.
static mlirplug_status
passes_find_duplicate(const mlirplug_plugin_description *description,
                      const char **duplicate, mlirplug_error **error) {
  struct arena scratch = {0};
  const char **names =
      arena_array(&scratch, description->pass_count, sizeof *names);
  bool has_memory = names != NULL;
  if (has_memory) {
    for (size_t i = 0; i < description->pass_count; ++i)
      names[i] = description->passes[i]->name;
    has_memory = names_find_duplicate(&scratch, names, description->pass_count,
                                      duplicate);
  }
  arena_release(&scratch);
  return has_memory ? MLIRPLUG_OK : error_set_memory(error);
}

mlirplug_status validate_plugin(const mlirplug_plugin_description *description,
                                struct warning_list *warnings,
                                mlirplug_error **error) {
  const char *path = description->path;
  if (!*description->id || strpbrk(description->id, " \t\n/"))
    return refuse(
        path, error_text("the id '%.80s'", description->id),
        "a name without spaces or slashes, like org.example.my-plugin", correct,
        error);
  if (description->pass_count == 0 && !description->suffixes)
    warning_add(warnings, "it has no passes");
  const char *duplicate = NULL;
  if (passes_find_duplicate(description, &duplicate, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (duplicate)
    return refuse(path,
                  error_text("it has two passes called '%.80s'", duplicate),
                  "each name once", correct, error);
  for (size_t i = 0; i < description->import_count; ++i)
    if (!name_is_function(description->imports[i]))
      return refuse(path,
                    error_text("it imports '%.80s'", description->imports[i]),
                    "the name of a function", correct, error);
  for (size_t i = 0; i < description->optional_import_count; ++i)
    if (!name_is_function(description->optional_imports[i]))
      return refuse(
          path,
          error_text("it imports '%.80s'", description->optional_imports[i]),
          "the name of a function", correct, error);
  return MLIRPLUG_OK;
}
