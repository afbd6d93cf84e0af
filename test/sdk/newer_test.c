// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that was built with a later SDK, whose structures are longer, does
// on this library what it does when built with today's.

#include "sdk/build.h"

#include <stdlib.h>
#include <string.h>

#define RELEASED MLIRPLUG_SOURCE_DIRECTORY "/test/golden/plugins/1.0"

/// A copy of the SDK's headers as version 1.1 may have them: each structure
/// that may grow has another field. Returns the directory, to be freed.
static char *make_newer_sdk(void) {
  char *directory = directory_create();
  free(build_shell(
      "cp -r " SDK_INCLUDE "/mlirplug %s && cd %s/mlirplug && "
      "sed -i -E 's/(MLIRPLUG_ABI_MINOR) 0/\\1 1/; "
      "s/^  void \\(\\*reset\\).*/&\\n  const void *later;/; "
      "s/^  const mlirplug_import \\*imports_end;/&\\n  const void *later;/; "
      "s/^  const void \\*const \\*identifiers;/&\\n  const void *later;/' "
      "plugin.h && "
      "sed -i -E 's/^  double maximum_double;/&\\n  const void *later;/; "
      "s/^(} mlirplug_statistic;)/  const void *later;\\n\\1/' option.h && "
      "test $(cat *.h | grep -c 'void \\*later;') = 5",
      directory, directory));
  return directory;
}

/// Builds the plugin of the release with the SDK in `sdk` into a copy of the
/// release's directory, which is returned, to be freed.
static char *build_newer(const char *sdk, const char *flags) {
  char *directory = directory_create();
  free(build_shell("cp " RELEASED "/runs " RELEASED "/input.mlir %s && "
                   "gcc -O2 -shared -fPIC -fvisibility=hidden %s -I%s " RELEASED
                   "/source/everything.c -o %s/everything.so",
                   directory, flags, sdk, directory));
  return directory;
}

/// What `everything` says and does, without the line on its ABI.
static char *say(const char *directory) {
  return build_shell(RELEASED "/../say.sh " COMMAND_MLIRPLUG
                              " %s everything | grep -v '^  ABI  '",
                     directory);
}

Test(a_plugin_of_a_newer_sdk, does_what_it_does_when_built_with_this_one) {
  char *sdk = make_newer_sdk();
  char *directory = build_newer(sdk, "");
  char *newer = say(directory);
  char *today = build_shell("grep -v '^  ABI  ' " RELEASED "/everything.txt");
  cr_assert(strcmp(newer, today) == 0, "found:\n%s\nexpected:\n%s", newer,
            today);
  free(today);
  free(newer);
  free(directory);
  free(sdk);
}

/// The version of the ABI that the plugin says it needs.
static void expect_minor(const char *sdk, const char *flags, uint32_t minor) {
  char *directory = build_newer(sdk, flags);
  char *path = build_path(directory, "everything.so");
  mlirplug_plugin_description *plugin = build_read(path);
  cr_expect(plugin->abi_major == 1);
  cr_expect(plugin->abi_minor == minor, "%u", plugin->abi_minor);
  mlirplug_plugin_description_destroy(plugin);
  free(path);
  free(directory);
}

Test(a_plugin_of_a_newer_sdk, states_the_minor_version_it_was_built_for) {
  char *sdk = make_newer_sdk();
  expect_minor(sdk, "", 1);
  expect_minor(sdk, "-DMLIRPLUG_TARGET_MINOR=0", 0);
  free(sdk);
}
