// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/process.h"

#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN_AT_MOST 5
#define CHOOSE                                                                 \
  "choose one with mlirplug_host_attach_package or "                           \
  "mlirplug_host_attach_library"
#define MODULES "_mlir_libs/"

static mlirplug_status find_refuse(const char *subject, const char *found,
                                   const char *expected, const char *remedy,
                                   mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot attach the provider",
                                     .subject = subject,
                                     .found = found,
                                     .expected = expected,
                                     .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// Looking at objects
//===----------------------------------------------------------------------===//

/// What a look at several objects brought.
struct findings {
  struct library library; ///< The first one with a C API; to be released.
  size_t count;           ///< Of those.
  struct text paths;      ///< Of all of them.
  struct text failures;   ///< The largest other ones, and why not they.
};

static void findings_release(struct findings *findings) {
  library_release(&findings->library);
  text_release(&findings->paths);
  text_release(&findings->failures);
}

/// In the order of what they take in memory: an MLIR is large.
static size_t object_size(const struct mapped *object) {
  size_t size = 0;
  for (size_t i = 0; i < object->segments.count; ++i)
    size += object->segments.items[i].end - object->segments.items[i].begin;
  return size;
}

static int object_compare(const void *left, const void *right) {
  const struct mapped *const *a = left, *const *b = right;
  size_t one = object_size(*a), other = object_size(*b);
  return (one < other) - (one > other);
}

/// The objects whose paths begin with `prefix`, the largest first; freed by the
/// caller. Null if memory runs out.
static const struct mapped **objects_under(const struct mapped_list *list,
                                           const char *prefix, size_t *count) {
  const struct mapped **objects = calloc(list->count + 1, sizeof *objects);
  size_t length = strlen(prefix);
  *count = 0;
  for (size_t i = 0; objects && i < list->count; ++i)
    if (strncmp(list->objects[i].path, prefix, length) == 0)
      objects[(*count)++] = &list->objects[i];
  if (objects)
    qsort(objects, *count, sizeof *objects, object_compare);
  return objects;
}

static void library_note(struct findings *findings, struct library *library) {
  text_format(&findings->paths, "%s'%s'", findings->count ? ", " : "",
              library->path);
  if (findings->count++)
    library_release(library);
  else
    findings->library = *library;
}

/// Looks at the objects whose paths begin with `prefix`; at local functions
/// too, unless `exports_suffice` and one exports them.
static mlirplug_status objects_look(const struct mapped_list *list,
                                    const char *prefix, bool exports_suffice,
                                    struct findings *findings,
                                    mlirplug_error **error) {
  size_t count, failures = 0;
  const struct mapped **objects = objects_under(list, prefix, &count);
  if (!objects)
    return error_set_memory(error);
  struct library library;
  struct error_buffer reason;
  for (size_t i = 0; i < count; ++i) {
    if (library_look(objects[i], false, &library, &reason) == LIBRARY_NONE)
      continue;
    library_note(findings, &library);
    objects[i] = NULL;
  }
  for (size_t i = 0; i < count && !(exports_suffice && findings->count); ++i) {
    if (!objects[i])
      continue;
    if (library_look(objects[i], true, &library, &reason) != LIBRARY_NONE)
      library_note(findings, &library);
    else if (++failures <= SHOWN_AT_MOST)
      text_format(&findings->failures, "%s'%s': %s", failures > 1 ? ", " : "",
                  objects[i]->path, reason.bytes);
  }
  free((void *)objects);
  return MLIRPLUG_OK;
}

/// The one that was found, handed over; null if it is not one.
static mlirplug_status findings_take(struct findings *findings,
                                     const struct mapped_list *list,
                                     struct library *library,
                                     mlirplug_error **error) {
  if (library_check(&findings->library, list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *library = findings->library;
  findings->library = (struct library){0};
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// The whole process
//===----------------------------------------------------------------------===//

mlirplug_status process_find(struct library *library, mlirplug_error **error) {
  static const char subject[] = "this process";
  struct mapped_list list;
  struct findings findings = {0};
  if (mapped_list_make(&list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = objects_look(&list, "", false, &findings, error);
  if (status != MLIRPLUG_OK)
    ;
  else if (findings.count == 1)
    status = findings_take(&findings, &list, library, error);
  else if (findings.count)
    status = find_refuse(
        subject,
        error_text("it has several copies of MLIR: %s", findings.paths.bytes),
        "one", CHOOSE, error);
  else
    status = find_refuse(
        subject,
        error_text("none of its %zu objects has the C API of MLIR; the largest "
                   "are %s",
                   list.count, findings.failures.bytes),
        "a compiler that has it",
        "import or load the compiler before, or name a library with "
        "mlirplug_host_attach_library",
        error);
  findings_release(&findings);
  mapped_list_release(&list);
  return status;
}

//===----------------------------------------------------------------------===//
// A package
//===----------------------------------------------------------------------===//

/// "jaxlib/mlir/" of "jaxlib.mlir" or "jaxlib.mlir.ir.Module._CAPIPtr"; null
/// with an error if it is no name of a package. Freed by the caller.
static char *package_path(const char *package, mlirplug_error **error) {
  const char *end = strstr(package, ".ir.");
  size_t length = end ? (size_t)(end - package) : strlen(package);
  bool is_name = length && length < PATH_MAX && package[0] != '.' &&
                 package[length - 1] != '.';
  for (size_t i = 0; i < length; ++i)
    is_name = is_name && (isalnum((unsigned char)package[i]) ||
                          package[i] == '_' || package[i] == '.');
  if (!is_name) {
    find_refuse(package, "it is no name of a Python package",
                "a name like jaxlib.mlir, or that of a capsule, like "
                "jaxlib.mlir.ir.Module._CAPIPtr",
                NULL, error);
    return NULL;
  }
  char *path = NULL;
  if (asprintf(&path, "%.*s/", (int)length, package) < 0) {
    error_set_memory(error);
    return NULL;
  }
  for (char *dot; (dot = strchr(path, '.'));)
    *dot = '/';
  return path;
}

/// Whether the directory of `length` bytes is one of a Python package.
static bool is_package(const char *directory, size_t length) {
  char *file = NULL;
  if (asprintf(&file, "%.*s__init__.py", (int)length, directory) < 0)
    return false;
  bool found = access(file, F_OK) == 0;
  free(file);
  return found;
}

/// Where `package` ("mlir/") begins in the path of an extension module of its
/// bindings ("/x/mlir/_mlir_libs/_mlir.so"); null if it is none of those. The
/// package mlir is not the package jaxlib.mlir.
static const char *package_in(const char *path, const char *package) {
  size_t length = strlen(package);
  for (const char *at = path; (at = strstr(at, package)); ++at)
    if (at > path && at[-1] == '/' &&
        strncmp(at + length, MODULES, sizeof MODULES - 1) == 0 &&
        !strchr(at + length + sizeof MODULES - 1, '/') &&
        !is_package(path, (size_t)(at - path)))
      return at;
  return NULL;
}

/// Where the package was loaded from.
struct package {
  char *directory;       ///< "/x/jaxlib/mlir/_mlir_libs/"; owned.
  size_t above;          ///< Length of "/x/".
  const char *elsewhere; ///< A module of the same package in another place.
};

static mlirplug_status package_locate(const struct mapped_list *list,
                                      const char *path, struct package *package,
                                      mlirplug_error **error) {
  *package = (struct package){0};
  for (size_t i = 0; i < list->count; ++i) {
    const char *module = list->objects[i].path;
    const char *at = package_in(module, path);
    if (!at)
      continue;
    size_t length = (size_t)(strrchr(module, '/') - module) + 1;
    if (!package->directory) {
      package->directory = strndup(module, length);
      package->above = (size_t)(at - module);
      if (!package->directory)
        return error_set_memory(error);
    } else if (strlen(package->directory) != length ||
               strncmp(package->directory, module, length) != 0) {
      package->elsewhere = module;
    }
  }
  return MLIRPLUG_OK;
}

/// Looks in the package's directory, then in the one around it, as long as it
/// belongs to the package.
static mlirplug_status package_look(const struct mapped_list *list,
                                    const struct package *package,
                                    struct findings *findings,
                                    mlirplug_error **error) {
  char *directory = strdup(package->directory);
  if (!directory)
    return error_set_memory(error);
  mlirplug_status status = MLIRPLUG_OK;
  while (status == MLIRPLUG_OK && !findings->count &&
         strlen(directory) > package->above) {
    text_release(&findings->failures);
    status = objects_look(list, directory, true, findings, error);
    directory[strlen(directory) - 1] = '\0'; // the last slash
    *(strrchr(directory, '/') + 1) = '\0';
  }
  free(directory);
  return status;
}

static mlirplug_status package_find(const struct mapped_list *list,
                                    const char *name, const char *path,
                                    struct package *package,
                                    struct library *library,
                                    mlirplug_error **error) {
  if (package_locate(list, path, package, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!package->directory)
    return find_refuse(
        name,
        error_text("none of the %zu objects in this process is in a directory "
                   "%s" MODULES,
                   list->count, path),
        "a package that was imported", "import it before", error);
  if (package->elsewhere)
    return find_refuse(name,
                       error_text("it was imported from two places: '%s' and "
                                  "the directory of '%s'",
                                  package->directory, package->elsewhere),
                       "one copy of MLIR",
                       "choose one with mlirplug_host_attach_library", error);
  struct findings findings = {0};
  mlirplug_status status = package_look(list, package, &findings, error);
  if (status != MLIRPLUG_OK)
    ;
  else if (findings.count == 1)
    status = findings_take(&findings, list, library, error);
  else if (findings.count)
    status = find_refuse(name,
                         error_text("it has several: %s", findings.paths.bytes),
                         "one copy of MLIR",
                         "choose one with mlirplug_host_attach_library", error);
  else
    status = find_refuse(
        name,
        error_text("it has no C API of MLIR that can be reached: %s",
                   findings.failures.bytes),
        "a package that exports it, or is not stripped",
        "passes run here on text only: write the module out and use the "
        "mlirplug command",
        error);
  findings_release(&findings);
  return status;
}

mlirplug_status process_find_package(const char *package,
                                     struct library *library,
                                     mlirplug_error **error) {
  struct mapped_list list;
  struct package located = {0};
  char *path = package_path(package, error);
  if (!path)
    return MLIRPLUG_FAILED;
  mlirplug_status status = mapped_list_make(&list, error);
  if (status == MLIRPLUG_OK)
    status = package_find(&list, package, path, &located, library, error);
  mapped_list_release(&list);
  free(located.directory);
  free(path);
  return status;
}
