// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/describe.h"

#include "provider/installed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const mlirplug_missing_function ledger[] = {
#define LEDGER_FUNCTION(result, name, parameters, seen) {#name, seen},
#define LEDGER_PROCEDURE(name, parameters, seen) {#name, seen},
#define LEDGER_LATER(name, seen) {#name, seen},
#include "provider/ledger.inc"
};

enum { LEDGER_SIZE = sizeof ledger / sizeof ledger[0] };

/// One block of memory; what it points to lives for ever.
struct described {
  mlirplug_provider_description shown;
  const mlirplug_missing_function *missing[LEDGER_SIZE];
};

static int function_compare(const void *left, const void *right) {
  return strcmp((*(const mlirplug_missing_function *const *)left)->name,
                (*(const mlirplug_missing_function *const *)right)->name);
}

static void missing_find(struct described *made,
                         const struct binding *binding) {
  size_t count = 0;
  for (size_t i = 0; i < LEDGER_SIZE; ++i)
    if (!binding_find(binding, ledger[i].name))
      made->missing[count++] = &ledger[i];
  qsort(made->missing, count, sizeof made->missing[0], function_compare);
  made->shown.missing = made->missing;
  made->shown.missing_count = count;
  made->shown.function_count = LEDGER_SIZE - count;
}

static bool is_same_file(const char *left, const char *right) {
  struct stat a, b;
  if (strcmp(left, right) == 0)
    return true;
  return stat(left, &a) == 0 && stat(right, &b) == 0 && a.st_dev == b.st_dev &&
         a.st_ino == b.st_ino;
}

/// Which of the installed ones it is, whatever it was named; null if it is
/// another.
static const char *kind_find(const char *path) {
  const char *kind;
  for (size_t i = 0; (kind = installed_provider_kind(i)); ++i) {
    char *installed = installed_provider_path(kind, NULL);
    bool same = installed && is_same_file(installed, path);
    free(installed);
    if (same)
      return kind;
  }
  return NULL;
}

mlirplug_status provider_describe(const struct binding *binding,
                                  mlirplug_provider_description **description,
                                  mlirplug_error **error) {
  const struct provider_api *api = binding_api(binding);
  const char *kind = kind_find(binding_path(binding));
  struct described *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  // A binding lives for ever, and so do its strings.
  made->shown = (mlirplug_provider_description){
      .kind = kind ? kind : "path",
      .path = binding_path(binding),
      .version = binding_version(binding),
      .origin = kind ? "beside libmlirplug" : "named",
      .has_extension =
          api->emit && api->operation_traits && api->operation_is_function,
      .runs_passes = binding_find(binding, "mlirCreateExternalPass") != NULL,
  };
  missing_find(made, binding);
  *description = &made->shown;
  return MLIRPLUG_OK;
}

void provider_description_destroy(mlirplug_provider_description *description) {
  free(description);
}
