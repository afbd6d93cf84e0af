// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dumps of the IR as files, in a tree of directories like that of operations:
//
//     DIRECTORY/builtin_module_no-symbol-name/0_cse.mlir
//     DIRECTORY/builtin_module_no-symbol-name/func_func_f/0_0_my-pass.mlir
//
// The numbers count the dumps of each operation, from the outermost one on. The
// names are those that mlir-opt gives, except that nothing is written over:
// operations of one name, and several runs, are counted together.

#ifndef MLIRPLUG_PASS_DUMP_TREE_H
#define MLIRPLUG_PASS_DUMP_TREE_H

#include "provider/api.h"

/// Zero bytes but for the first two members. Used by one thread at a time.
struct dump_tree {
  const struct provider_api *api;
  const char *directory;
  void *counts; ///< Of dumps, by directory.
};

/// Writes a dump of `operation` around `pass` to the next file for it. 0 or an
/// errno; `*path`, if not null then, is the file or directory, to be freed.
int dump_tree_write(struct dump_tree *tree, MlirOperation operation,
                    MlirStringRef pass, MlirStringRef text, char **path);

void dump_tree_release(struct dump_tree *tree);

#endif // MLIRPLUG_PASS_DUMP_TREE_H
