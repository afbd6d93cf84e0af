// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/tool.h"

#include "base/text.h"
#include "provider/mapped.h"
#include "provider/symtab.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "check how arguments are passed on this machine, and add it"
#endif

#define REGISTER "_ZN4mlir20registerPassPipelineEN4llvm9StringRefES1_RK"
#define FIND_PASS "_ZN4mlir8PassInfo6lookupEN4llvm9StringRefE"
#define FIND_PIPELINE "_ZN4mlir16PassPipelineInfo6lookupEN4llvm9StringRefE"

/// The names that mlir::registerPassPipeline has. LogicalResult, a bool in a
/// class, was in the namespace mlir up to 18.
static const struct {
  const char *name;
  bool fits; ///< It takes libstdc++'s std::function, not libc++'s.
} registrations[] = {
    {REGISTER "St8functionIFNS0_13LogicalResultERNS_13OpPassManagerES1_NS0_12"
              "function_refIFS3_RKNS0_5TwineEEEEEES2_IFvNS6_IFvRKNS_6detail11"
              "PassOptionsEEEEEE",
     true},
    {REGISTER "St8functionIFNS_13LogicalResultERNS_13OpPassManagerES1_NS0_12"
              "function_refIFS3_RKNS0_5TwineEEEEEES2_IFvNS6_IFvRKNS_6detail11"
              "PassOptionsEEEEEE",
     true},
    {REGISTER "NSt3__18functionIFNS0_13LogicalResultERNS_13OpPassManagerES1_"
              "NS0_12function_refIFS4_RKNS0_5TwineEEEEEEENS3_IFvNS7_IFvRKNS_6"
              "detail11PassOptionsEEEEEEE",
     false},
    {REGISTER "NSt3__18functionIFNS_13LogicalResultERNS_13OpPassManagerES1_"
              "NS0_12function_refIFS4_RKNS0_5TwineEEEEEEENS3_IFvNS7_IFvRKNS_6"
              "detail11PassOptionsEEEEEEE",
     false},
};
enum { registration_count = sizeof registrations / sizeof registrations[0] };

static mlirplug_status tool_refuse(const char *subject, const char *found,
                                   const char *expected, const char *remedy,
                                   mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot enter passes into",
                                            .subject = subject,
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// One object
//===----------------------------------------------------------------------===//

/// Where names are looked up.
struct place_of_names {
  const struct mapped *object;
  void *handle;
  struct symtab *locals; ///< Null if it exports them.
};

static void *name_find(const struct place_of_names *place, const char *name) {
  void *address = place->locals ? symtab_find(place->locals, name)
                                : dlsym(place->handle, name);
  return address && segments_hold(&place->object->segments, address, 1, PF_X)
             ? address
             : NULL;
}

/// Which of `registrations` the object has; registration_count if none.
static size_t registration_find(const struct place_of_names *place) {
  size_t i = 0;
  while (i < registration_count && !name_find(place, registrations[i].name))
    ++i;
  return i;
}

static symtab_filter keep_registry;
static bool keep_registry(const char *name) {
  return strncmp(name, REGISTER, sizeof REGISTER - 1) == 0 ||
         strcmp(name, FIND_PASS) == 0 || strcmp(name, FIND_PIPELINE) == 0;
}

/// Looks at an object; in the symbol table of its file if `read_file`. The
/// place is to be released if there is a registry.
static size_t object_look(const struct mapped *object, bool read_file,
                          struct place_of_names *place) {
  *place = (struct place_of_names){object, mapped_open(object), NULL};
  struct error_buffer reason;
  if (!place->handle ||
      (read_file && symtab_read(object, keep_registry, &place->locals,
                                &reason) != SYMTAB_READ))
    return registration_count;
  size_t registration = registration_find(place);
  if (registration == registration_count)
    symtab_destroy(place->locals);
  return registration;
}

static mlirplug_status tool_fill(const struct place_of_names *place,
                                 size_t registration, struct tool *tool,
                                 mlirplug_error **error) {
  if (!registrations[registration].fits)
    return tool_refuse(place->object->path,
                       "its MLIR was built with libc++ (std::__1)",
                       "one built with libstdc++",
                       "run the plugin with 'mlirplug opt'", error);
  *tool = (struct tool){.path = strdup(place->object->path)};
  if (!tool->path)
    return error_set_memory(error);
  void *addresses[] = {name_find(place, registrations[registration].name),
                       name_find(place, FIND_PASS),
                       name_find(place, FIND_PIPELINE)};
  memcpy(&tool->register_pipeline, &addresses[0], sizeof addresses[0]);
  memcpy(&tool->find_pass, &addresses[1], sizeof addresses[1]);
  memcpy(&tool->find_pipeline, &addresses[2], sizeof addresses[2]);
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

/// What a look at all objects brought.
struct registries {
  struct place_of_names place; ///< Of the first.
  size_t registration;
  size_t count;
  struct text paths; ///< Of all.
};

static void objects_look(const struct mapped_list *list, bool read_files,
                         struct registries *found) {
  for (size_t i = 0; i < list->count; ++i) {
    struct place_of_names place;
    size_t registration = object_look(&list->objects[i], read_files, &place);
    if (registration == registration_count)
      continue;
    text_format(&found->paths, "%s'%s'", found->count ? ", " : "",
                list->objects[i].path);
    if (found->count++) {
      symtab_destroy(place.locals);
    } else {
      found->place = place;
      found->registration = registration;
    }
  }
}

mlirplug_status tool_find(struct tool *tool, mlirplug_error **error) {
  struct mapped_list list;
  struct registries found = {0};
  if (mapped_list_make(&list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const char *program = list.objects[0].path;
  objects_look(&list, false, &found);
  if (!found.count)
    objects_look(&list, true, &found);
  mlirplug_status status;
  if (found.count == 1)
    status = tool_fill(&found.place, found.registration, tool, error);
  else if (found.count)
    status = tool_refuse(
        program,
        error_text("it has several copies of MLIR: %s", found.paths.bytes),
        "one", "run the plugin with 'mlirplug opt'", error);
  else
    status = tool_refuse(
        program,
        error_text("none of its %zu objects has mlir::registerPassPipeline, "
                   "neither exported nor in a symbol table that was not "
                   "stripped",
                   list.count),
        "a tool that is linked to libMLIR.so or exports its functions",
        "run the plugin with 'mlirplug opt'", error);
  symtab_destroy(found.place.locals);
  text_release(&found.paths);
  mapped_list_release(&list);
  return status;
}

void tool_release(struct tool *tool) {
  free((char *)tool->path);
  *tool = (struct tool){0};
}
