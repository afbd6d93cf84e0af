// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/describe.h"

#include "provider/installed.h"
#include "provider/ledger.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// One block of memory; what it points to lives for ever.
struct described {
  mlirplug_provider_description shown;
  const mlirplug_missing_function *pointers[];
};

/// Room for every function that the SDK has.
static struct described *described_create(void) {
  size_t each =
      sizeof(mlirplug_missing_function) + sizeof(mlirplug_missing_function *);
  return calloc(1, sizeof(struct described) + ledger_entry_count * each);
}

static int function_compare(const void *left, const void *right) {
  return strcmp((*(const mlirplug_missing_function *const *)left)->name,
                (*(const mlirplug_missing_function *const *)right)->name);
}

static void missing_find(struct described *made,
                         const struct binding *binding) {
  mlirplug_missing_function *functions =
      (mlirplug_missing_function *)(made->pointers + ledger_entry_count);
  size_t count = 0, known = 0;
  for (size_t i = 0; i < ledger_entry_count; ++i) {
    const struct ledger_entry *entry = &ledger_entries[i];
    if (!entry->in_sdk)
      continue;
    ++known;
    if (binding_find(binding, entry->name))
      continue;
    functions[count] = (mlirplug_missing_function){entry->name, entry->seen};
    made->pointers[count] = &functions[count];
    ++count;
  }
  qsort(made->pointers, count, sizeof made->pointers[0], function_compare);
  made->shown.missing = made->pointers;
  made->shown.missing_count = count;
  made->shown.function_count = known - count;
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
  struct described *made = described_create();
  if (!made)
    return error_set_memory(error);
  // A binding lives for ever, and so do its strings.
  made->shown = (mlirplug_provider_description){
      .kind = kind ? kind : "path",
      .path = binding_path(binding),
      .version = binding_version(binding),
      .origin = kind ? "beside libmlirplug" : "named",
      .has_extension = api->emit && api->operation_traits,
      .runs_passes = binding_has_passes(binding),
  };
  missing_find(made, binding);
  *description = &made->shown;
  return MLIRPLUG_OK;
}

void provider_description_destroy(mlirplug_provider_description *description) {
  free(description);
}
