// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/segments.h"

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <mlirplug/plugin.h>
#include <string.h>

static struct segments segments;
static const mlirplug_descriptor *descriptor;

static void plugin_load(void) {
  void *handle = dlopen(MLIR_PLUGIN("state"), RTLD_NOW | RTLD_LOCAL);
  cr_assert_not_null(handle, "%s", dlerror());
  cr_assert(segments_find(handle, &segments));
  descriptor = dlsym(handle, "mlirplug_plugin");
  cr_assert_not_null(descriptor);
}

TestSuite(memory_of_a_plugin, .init = plugin_load);

static const void *code_of(const mlirplug_pass *pass) {
  const void *address;
  memcpy(&address, &pass->run, sizeof address);
  return address;
}

Test(memory_of_a_plugin, holds_its_descriptor_to_read) {
  cr_expect(segments_hold(&segments, descriptor, sizeof *descriptor, PF_R));
  cr_expect(segments_hold(&segments, descriptor->passes[0],
                          sizeof(mlirplug_pass), PF_R));
  cr_expect(segments_hold_string(&segments, descriptor->id));
}

Test(memory_of_a_plugin, holds_its_code_to_run) {
  const void *code = code_of(descriptor->passes[0]);
  cr_expect(segments_hold(&segments, code, 1, PF_X));
  cr_expect_not(segments_hold(&segments, descriptor, 1, PF_X));
}

Test(memory_of_a_plugin, holds_its_imports_to_write) {
  size_t size = (size_t)((const char *)descriptor->imports_end -
                         (const char *)descriptor->imports_begin);
  cr_expect_gt(size, 0);
  cr_expect(segments_hold(&segments, descriptor->imports_begin, size, PF_W));
}

Test(memory_of_a_plugin, does_not_let_write_what_is_sealed_after_relocation) {
  cr_expect_not(segments_hold(&segments, descriptor, sizeof *descriptor, PF_W));
}

Test(memory_of_a_plugin, holds_nothing_of_others) {
  cr_expect_not(segments_hold(&segments, &segments, 1, PF_R));
  cr_expect_not(segments_hold(&segments, NULL, 0, PF_R));
  cr_expect_not(segments_hold_string(&segments, "of the program"));
}

Test(memory_of_a_plugin, holds_nothing_that_goes_beyond_it) {
  cr_expect_not(segments_hold(&segments, descriptor, (size_t)1 << 40, PF_R));
  cr_expect_not(segments_hold(&segments, descriptor, SIZE_MAX, PF_R));
}
