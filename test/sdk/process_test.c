// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several plugins in one process, as a stock tool opens them: RTLD_GLOBAL, so
// that a name exported by two of them means the first one's.

#include "sdk/build.h"

#include <stdlib.h>

/// A tool, a library that stands in for libmlirplug, and two plugins.
struct scene {
  char *directory;
  char *library_directory;
};

static struct scene scene_create(const char *compiler, const char *flags) {
  struct scene scene = {directory_create(), directory_create()};
  free(build_shell("gcc -Wall -Wextra -Werror -I" SDK_INCLUDE
                   " stock_tool.c -o %s/tool -ldl",
                   scene.directory));
  free(build_shell("gcc -shared -fPIC -Wl,-soname,libmlirplug.so.1 "
                   "-I" SDK_INCLUDE " stock_library.c -o %s/libmlirplug.so.1",
                   scene.library_directory));
  for (int name = 'a'; name <= 'b'; ++name)
    free(build_shell("%s " SDK_FLAGS
                     " %s -DID='\"org.%c\"' -DNAME='\"pass-%c\"' named.c -o "
                     "%s/%c.so",
                     compiler, flags, name, name, scene.directory, name));
  return scene;
}

static void scene_release(struct scene *scene) {
  free(scene->directory);
  free(scene->library_directory);
}

static void expect_own(const char *said) {
  cr_expect_str_eq(said, "org.a pass-a org.a: org.a\n"
                         "org.b pass-b org.b: org.b\n");
}

/// Each plugin hands over its own descriptor.
static void expect_separate(const char *compiler, const char *flags) {
  struct scene scene = scene_create(compiler, flags);
  char *said = build_shell(
      "MLIRPLUG_LIBRARY=%s/libmlirplug.so.1 %s/tool %s/a.so %s/b.so",
      scene.library_directory, scene.directory, scene.directory,
      scene.directory);
  expect_own(said);
  free(said);
  scene_release(&scene);
}

Test(two_plugins_in_one_process, keep_apart_in_c_by_gcc) {
  expect_separate("gcc -O2", "");
}
Test(two_plugins_in_one_process, keep_apart_in_c_by_clang) {
  expect_separate("clang-22 -O0", "");
}
Test(two_plugins_in_one_process, keep_apart_in_cxx_by_gcc) {
  expect_separate("g++ -O0 -xc++", "");
}
Test(two_plugins_in_one_process, keep_apart_in_cxx_by_clang) {
  expect_separate("clang++-22 -O2 -xc++", "");
}
// The flag was forgotten: MLIRPLUG_PLUGIN does not depend on it.
Test(two_plugins_in_one_process, keep_apart_with_default_visibility) {
  expect_separate("gcc -O2", "-fvisibility=default");
}

//===----------------------------------------------------------------------===//
// Where a plugin looks for libmlirplug
//===----------------------------------------------------------------------===//

Test(a_plugin_in_a_stock_tool, finds_the_library_beside_itself) {
  struct scene scene = scene_create("gcc -O2", "");
  char *said = build_shell("mv %s/libmlirplug.so.1 %s && cd / && %s/tool "
                           "%s/a.so %s/b.so",
                           scene.library_directory, scene.directory,
                           scene.directory, scene.directory, scene.directory);
  expect_own(said);
  free(said);
  scene_release(&scene);
}

Test(a_plugin_in_a_stock_tool, finds_the_library_where_it_was_compiled_for) {
  struct scene scene = scene_create("gcc -O2", "");
  free(build_shell("gcc -O2 " SDK_FLAGS
                   " -DMLIRPLUG_LIBRARY_DIRECTORY='\"%s\"' "
                   "-DID='\"org.a\"' -DNAME='\"pass-a\"' named.c -o %s/a.so",
                   scene.library_directory, scene.directory));
  char *said = build_shell("%s/tool %s/a.so", scene.directory, scene.directory);
  cr_expect_str_eq(said, "org.a pass-a org.a: org.a\n");
  free(said);
  scene_release(&scene);
}

Test(a_plugin_in_a_stock_tool, finds_the_library_that_its_headers_came_with) {
  struct scene scene = scene_create("gcc -O2", "");
  free(build_shell("cmake --install " MLIRPLUG_BUILD_DIRECTORY
                   "/sdk --prefix '%s/some where'",
                   scene.directory));
  free(build_shell(
      "cp %s/libmlirplug.so.1 '%s/some where/lib' && gcc -Wall -Wextra "
      "-Wpedantic -Werror -O2 -shared -fPIC -fvisibility=hidden "
      "-I'%s/some where/include' -DID='\"org.a\"' -DNAME='\"pass-a\"' named.c "
      "-o %s/a.so",
      scene.library_directory, scene.directory, scene.directory,
      scene.directory));
  char *said = build_shell("%s/tool %s/a.so", scene.directory, scene.directory);
  cr_expect_str_eq(said, "org.a pass-a org.a: org.a\n");
  free(said);
  scene_release(&scene);
}

Test(a_plugin_in_a_stock_tool, says_where_it_looked_for_the_library) {
  struct scene scene = scene_create("gcc -O2", "");
  char *said =
      build_shell("%s/tool %s/a.so 2>&1", scene.directory, scene.directory);
  cr_expect_str_eq(
      said, "org.a pass-a org.a: mlirplug: plugin org.a: cannot find "
            "libmlirplug.so.1: not in this process, MLIRPLUG_LIBRARY, the "
            "plugin's directory or the system's directories; set "
            "MLIRPLUG_LIBRARY to its absolute path\n");
  free(said);
  scene_release(&scene);
}

Test(a_plugin_in_a_stock_tool, says_when_the_library_does_not_serve_it) {
  struct scene scene = scene_create("gcc -O2", "");
  free(build_shell("gcc -shared -fPIC -Dmlirplug_stock_register=other "
                   "-I" SDK_INCLUDE " stock_library.c -o %s/libmlirplug.so.1",
                   scene.directory));
  char *said =
      build_shell("%s/tool %s/a.so 2>&1", scene.directory, scene.directory);
  build_expect(said, "plugin org.a: this libmlirplug.so.1 does not serve other "
                     "tools; use 'mlirplug opt'\n");
  free(said);
  scene_release(&scene);
}
