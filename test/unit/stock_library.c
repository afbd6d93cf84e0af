// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock_library.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

void *stock_library_load(const char *source, unsigned version) {
  char *directory = directory_create();
  char path[4096];
  char llvm[256] = "";
  if (version)
    (void)snprintf(llvm, sizeof llvm,
                   "void LLVMGetVersion(unsigned *a, unsigned *b, unsigned *c) "
                   "{ *a = %u; *b = 1; *c = 0; }",
                   version);
  (void)snprintf(path, sizeof path, "%s/lib.so", directory);
  struct command_result result =
      command_shell("printf '%%s\\n' '%s' '%s' | cc -shared -fPIC -x c - -o %s",
                    source, llvm, path);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert(handle, "%s", dlerror());
  free(directory);
  return handle;
}
