// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object shows to other objects: how to tell other kinds of plugins,
// and what a plugin of ours had better not show or need.

#ifndef MLIRPLUG_READ_EXPORT_H
#define MLIRPLUG_READ_EXPORT_H

#include "read/symbol.h"
#include "read/warning.h"

/// Another kind of plugin.
struct foreign_plugin {
  const char *kind;   ///< "an MLIR pass plugin written in C++"
  const char *remedy; ///< Which program takes it, and how.
};

/// What `symbols` belong to, and at `evidence` the name of the symbol that
/// tells it; null if nothing known.
const struct foreign_plugin *
export_find_foreign(const struct symbol_table *symbols,
                    struct error_buffer *evidence);

/// Warns about exports beside a plugin's own two, about symbols that are one
/// for the whole process, and about a second copy of MLIR or LLVM.
void export_warn(const struct symbol_table *symbols,
                 struct warning_list *warnings);

#endif // MLIRPLUG_READ_EXPORT_H
