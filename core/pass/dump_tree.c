// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/dump_tree.h"

#include "base/text.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// Counted by directory, not by operation: what has no name of its own, or is
/// of another run, must not take the place of what was written before.
struct dump_count {
  char *directory;
  long number;
};

static int counts_compare(const void *left, const void *right) {
  const struct dump_count *a = left, *b = right;
  return strcmp(a->directory, b->directory);
}

static void count_destroy(void *count) {
  free(((struct dump_count *)count)->directory);
  free(count);
}

/// The count of a directory, which begins with `initial`; null if memory runs
/// out.
static struct dump_count *count_find(struct dump_tree *tree,
                                     const char *directory, long initial) {
  struct dump_count *made = malloc(sizeof *made);
  if (!made)
    return NULL;
  *made = (struct dump_count){strdup(directory), initial};
  struct dump_count **found =
      made->directory ? tsearch(made, &tree->counts, counts_compare) : NULL;
  struct dump_count *count = found ? *found : NULL;
  if (count != made)
    count_destroy(made);
  return count;
}

void dump_tree_release(struct dump_tree *tree) {
  tdestroy(tree->counts, count_destroy);
  tree->counts = NULL;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Adds `part` with '_' in place of what stands in `replaced`.
static void part_add(struct text *path, MlirStringRef part,
                     const char *replaced) {
  for (size_t i = 0; i < part.length; ++i) {
    bool taken = part.data[i] && !strchr(replaced, part.data[i]);
    text_add_bytes(path, taken ? &part.data[i] : "_", 1);
  }
}

static void symbol_add(const struct provider_api *api, struct text *path,
                       MlirOperation operation) {
  MlirAttribute symbol = {NULL};
  if (api->mlirOperationGetAttributeByName && api->mlirAttributeIsAString &&
      api->mlirStringAttrGetValue)
    symbol = api->mlirOperationGetAttributeByName(operation,
                                                  provider_string("sym_name"));
  if (symbol.ptr && api->mlirAttributeIsAString(symbol))
    part_add(path, api->mlirStringAttrGetValue(symbol), "/\\");
  else
    text_add(path, "no-symbol-name");
}

/// Adds the directories of `operation` to `path`, making each, and the numbers
/// of its file to `numbers`: how many dumps there were before of those around
/// it, and of itself, `is_dumped`. 0 or an errno.
static int operation_enter(struct dump_tree *tree, MlirOperation operation,
                           bool is_dumped, struct text *path,
                           struct text *numbers) {
  const struct provider_api *api = tree->api;
  MlirOperation parent = api->mlirOperationGetParentOperation(operation);
  int problem =
      parent.ptr ? operation_enter(tree, parent, false, path, numbers) : 0;
  if (problem)
    return problem;
  text_add(path, "/");
  part_add(path, api->mlirIdentifierStr(api->mlirOperationGetName(operation)),
           "./");
  text_add(path, "_");
  symbol_add(api, path, operation);
  if (path->failed)
    return ENOMEM;
  struct dump_count *count = count_find(tree, path->bytes, is_dumped ? -1 : 0);
  if (!count)
    return ENOMEM;
  count->number += is_dumped;
  text_format(numbers, "%ld_", count->number);
  return mkdir(path->bytes, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

/// Makes the tree's own directory and those above it.
static int root_enter(const struct dump_tree *tree, struct text *path) {
  const char *c = tree->directory;
  do {
    text_add_bytes(path, c, 1);
    ++c;
    if (path->failed)
      return ENOMEM;
    if ((*c == '/' || !*c) && mkdir(path->bytes, 0777) != 0 && errno != EEXIST)
      return errno;
  } while (*c);
  return 0;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static int file_write(const char *path, MlirStringRef text) {
  FILE *file = fopen(path, "we");
  if (!file)
    return errno;
  bool complete = fwrite(text.data, 1, text.length, file) == text.length;
  int problem = complete ? 0 : errno;
  if (fclose(file) != 0 && complete)
    problem = errno;
  return problem;
}

/// "my-pass" of "my-pass{top=3}".
static MlirStringRef name_alone(MlirStringRef pass) {
  const char *brace = memchr(pass.data, '{', pass.length);
  if (brace)
    pass.length = (size_t)(brace - pass.data);
  return pass;
}

int dump_tree_write(struct dump_tree *tree, MlirOperation operation,
                    MlirStringRef pass, MlirStringRef text, char **path) {
  struct text made = {0}, numbers = {0};
  int problem = root_enter(tree, &made);
  if (!problem)
    problem = operation_enter(tree, operation, true, &made, &numbers);
  if (!problem) {
    text_format(&made, "/%s", numbers.failed ? "" : numbers.bytes);
    part_add(&made, name_alone(pass), "/");
    text_add(&made, ".mlir");
    problem =
        made.failed || numbers.failed ? ENOMEM : file_write(made.bytes, text);
  }
  text_release(&numbers);
  *path = text_take(&made);
  return problem;
}
