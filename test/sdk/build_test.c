// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins built in many ways are read alike.

#include "sdk/build.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Several source files
//===----------------------------------------------------------------------===//

/// What `several` uses, each function once although three files call it.
static const char *const several_imports[] = {
    "mlirBlockGetFirstOperation", "mlirBlockGetNextInRegion",
    "mlirOperationGetLocation",   "mlirOperationGetNextInBlock",
    "mlirOperationGetNumRegions", "mlirOperationGetRegion",
    "mlirRegionGetFirstBlock",    "mlirplug_diagnose",
};

static void expect_several(const char *path) {
  mlirplug_plugin_description *plugin = build_read(path);
  cr_expect_str_eq(plugin->id, "org.mlirplug.test.several");
  cr_assert(plugin->pass_count == 1);
  cr_expect_str_eq(plugin->passes[0]->name, "several");
  cr_assert(plugin->passes[0]->option_count == 1);
  cr_expect_str_eq(plugin->passes[0]->options[0]->name, "least");
  cr_expect(plugin->passes[0]->options[0]->default_integer == 2);
  cr_expect(plugin->warning_count == 0, "%s", plugin->warnings[0]);
  size_t count = sizeof several_imports / sizeof several_imports[0];
  cr_assert(plugin->import_count == count, "%zu imports", plugin->import_count);
  for (size_t i = 0; i < count; ++i)
    cr_expect_str_eq(plugin->imports[i], several_imports[i]);
  mlirplug_plugin_description_destroy(plugin);
}

/// Builds `several` into `directory` and returns its path, to be freed.
static char *build_several(const char *directory, const char *compiler) {
  char *path = build_path(directory, "several.so");
  free(build_shell("%s " SDK_FLAGS
                   " several.c several_count.c several_depth.c -o %s",
                   compiler, path));
  return path;
}

#define SEVERAL_FILES(name, compiler)                                          \
  Test(a_plugin_of_several_files, is_read_when_built_by_##name) {              \
    char *directory = directory_create();                                      \
    char *path = build_several(directory, compiler);                           \
    expect_several(path);                                                      \
    build_expect_plain(path);                                                  \
    free(path);                                                                \
    free(directory);                                                           \
  }

SEVERAL_FILES(gcc_without_optimisation, "gcc -O0")
SEVERAL_FILES(gcc, "gcc -O2")
SEVERAL_FILES(gcc_with_link_time_optimisation, "gcc -O2 -flto=1")
SEVERAL_FILES(gcc_with_hardening,
              "gcc -O2 -g -fstack-protector-strong -fstack-clash-protection "
              "-fcf-protection -D_FORTIFY_SOURCE=3 -Wl,-z,relro,-z,now")
SEVERAL_FILES(clang_without_optimisation, "clang-22 -O0")
SEVERAL_FILES(clang, "clang-22 -O2")
SEVERAL_FILES(clang_with_link_time_optimisation,
              "clang-22 -O2 -flto -fuse-ld=lld")
SEVERAL_FILES(lld_with_packed_relocations,
              "clang-22 -O2 -fuse-ld=lld -Wl,--pack-dyn-relocs=relr")
SEVERAL_FILES(gold, "gcc -O2 -fuse-ld=gold -Wl,--gc-sections")

Test(a_plugin_of_several_files, runs) {
  char *directory = directory_create();
  char *path = build_several(directory, "gcc -O2 -flto=1");
  char *said = build_shell(
      COMMAND_MLIRPLUG " opt --load-pass-plugin=%s --several=least=1 %s "
                       "-o /dev/null 2>&1",
      path, COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  build_expect(said, "remark: 5 operations in 1 regions, 3 deep");
  free(said);
  free(path);
  free(directory);
}

//===----------------------------------------------------------------------===//
// Damaged, but good enough for the dynamic linker
//===----------------------------------------------------------------------===//

Test(a_plugin, is_read_without_its_section_headers) {
  char *directory = directory_create();
  char *path = build_several(directory, "gcc -O2 -s");
  char *image = file_content(path);
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  size_t length = header.e_shoff; // GNU ld puts them last
  header.e_shoff = 0;
  header.e_shnum = 0;
  header.e_shstrndx = 0;
  memcpy(image, &header, sizeof header);
  file_write(path, image, length);
  char *sections = build_shell("readelf -W -S %s 2>&1", path);
  build_expect(sections, "There are no sections in this file");
  expect_several(path);
  free(sections);
  free(image);
  free(path);
  free(directory);
}

//===----------------------------------------------------------------------===//
// C++
//===----------------------------------------------------------------------===//

static void expect_option(const mlirplug_option *option, const char *name,
                          uint32_t kind, uint32_t flags) {
  cr_expect_str_eq(option->name, name);
  cr_expect(option->kind == kind, "%s has kind %u", name, option->kind);
  cr_expect(option->flags == flags, "%s has flags %u", name, option->flags);
}

static void expect_cxx_options(const mlirplug_pass_description *pass) {
  cr_assert(pass->option_count == 12);
  cr_expect(pass->options_size == 144);
  const mlirplug_option *const *options = pass->options;
  expect_option(options[0], "flag", MLIRPLUG_KIND_BOOL, 0);
  cr_expect(options[0]->default_integer == 1);
  expect_option(options[1], "top", MLIRPLUG_KIND_INT, MLIRPLUG_OPTION_RANGE);
  cr_expect(options[1]->offset == 8);
  cr_expect(options[1]->default_integer == 3);
  cr_expect(options[1]->minimum == -1 && options[1]->maximum == 100);
  expect_option(options[2], "mask", MLIRPLUG_KIND_UINT, MLIRPLUG_OPTION_RANGE);
  cr_expect((uint64_t)options[2]->default_integer == UINT64_MAX);
  cr_expect(options[2]->minimum == 1 &&
            (uint64_t)options[2]->maximum == UINT64_MAX);
  expect_option(options[3], "factor", MLIRPLUG_KIND_DOUBLE,
                MLIRPLUG_OPTION_RANGE);
  cr_expect(options[3]->default_double == 0.5);
  cr_expect(options[3]->minimum_double == 0 && options[3]->maximum_double == 1);
  expect_option(options[4], "name", MLIRPLUG_KIND_STRING, 0);
  cr_expect_str_eq(options[4]->default_text, "nobody");
  expect_option(options[5], "mode", MLIRPLUG_KIND_ENUM, 0);
  cr_expect_str_eq(options[5]->choices, "fast,exact");
  cr_expect(options[5]->default_integer == 1);
  expect_option(options[6], "flags", MLIRPLUG_KIND_BOOL | MLIRPLUG_KIND_LIST,
                0);
  expect_option(options[7], "tops", MLIRPLUG_KIND_INT | MLIRPLUG_KIND_LIST, 0);
  cr_expect_str_eq(options[7]->default_text, "1,2");
  expect_option(options[8], "masks", MLIRPLUG_KIND_UINT | MLIRPLUG_KIND_LIST,
                0);
  expect_option(options[9], "factors",
                MLIRPLUG_KIND_DOUBLE | MLIRPLUG_KIND_LIST, 0);
  expect_option(options[10], "names", MLIRPLUG_KIND_STRING | MLIRPLUG_KIND_LIST,
                0);
  expect_option(options[11], "modes", MLIRPLUG_KIND_ENUM | MLIRPLUG_KIND_LIST,
                0);
}

static void expect_cxx(const char *path) {
  mlirplug_plugin_description *plugin = build_read(path);
  cr_expect_str_eq(plugin->id, "org.mlirplug.test.cxx");
  cr_expect(plugin->warning_count == 0, "%s", plugin->warnings[0]);
  cr_assert(plugin->pass_count == 2);
  const mlirplug_pass_description *pass = plugin->passes[0];
  cr_expect_str_eq(pass->name, "cxx-everything");
  cr_expect_str_eq(pass->description, "A longer text.");
  cr_assert(pass->anchor_count == 1 && pass->dialect_count == 1);
  cr_expect_str_eq(pass->anchors[0], "func.func");
  cr_expect_str_eq(pass->dialects[0], "func");
  cr_assert(pass->statistic_count == 1 && pass->name_count == 1);
  cr_expect_str_eq(pass->statistics[0]->name, "runs");
  cr_expect_str_eq(pass->names[0], "func.func");
  expect_cxx_options(pass);
  cr_expect_str_eq(plugin->passes[1]->name, "cxx-small");
  mlirplug_plugin_description_destroy(plugin);
}

/// Builds the plugin in C++ so that it needs no library of C++.
static char *build_cxx(const char *directory, const char *compiler) {
  char *path = build_path(directory, "cxx.so");
  free(build_shell("%s -fno-exceptions -Wl,--as-needed " SDK_FLAGS
                   " cxx.cpp -o %s",
                   compiler, path));
  return path;
}

#define CXX(name, compiler)                                                    \
  Test(a_plugin_in_cxx, is_read_when_built_by_##name) {                        \
    char *directory = directory_create();                                      \
    char *path = build_cxx(directory, compiler);                               \
    expect_cxx(path);                                                          \
    build_expect_plain(path);                                                  \
    free(path);                                                                \
    free(directory);                                                           \
  }

CXX(gcc_without_optimisation, "g++ -std=c++17 -O0")
CXX(gcc, "g++ -std=c++17 -O2")
CXX(gcc_with_link_time_optimisation, "g++ -std=c++20 -O2 -flto=1")
CXX(clang_without_optimisation, "clang++-22 -std=c++17 -O0")
CXX(clang, "clang++-22 -std=c++20 -O2")
CXX(clang_with_link_time_optimisation,
    "clang++-22 -std=c++17 -O2 -flto -fuse-ld=lld")

Test(a_plugin_in_cxx, runs) {
  char *directory = directory_create();
  char *path = build_cxx(directory, "g++ -O2");
  char *said =
      build_shell(COMMAND_MLIRPLUG " opt --load-pass-plugin=%s --records=- "
                                   "--cxx-everything=top=7 %s",
                  path, COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  build_expect(said, "\"pass\": \"cxx-everything\", \"top\": 7}");
  free(said);
  free(path);
  free(directory);
}

//===----------------------------------------------------------------------===//
// With containers of the C++ library
//===----------------------------------------------------------------------===//

static char *build_containers(const char *directory, const char *compiler,
                              const char *flags) {
  char *path = build_path(directory, "containers.so");
  free(build_shell("%s -std=c++17 " SDK_FLAGS " %s containers.cpp -o %s",
                   compiler, flags, path));
  return path;
}

/// Reads without a warning, and runs.
static void expect_containers(const char *compiler, const char *flags) {
  char *directory = directory_create();
  char *path = build_containers(directory, compiler, flags);
  mlirplug_plugin_description *plugin = build_read(path);
  cr_expect(plugin->warning_count == 0, "%s", plugin->warnings[0]);
  mlirplug_plugin_description_destroy(plugin);
  char *said =
      build_shell(COMMAND_MLIRPLUG " opt --load-pass-plugin=%s --containers %s "
                                   "-o /dev/null 2>&1",
                  path, COMMAND_CASES "/01-plugin-load-errors/input.mlir");
  build_expect(said, "remark: 1 func.func");
  free(said);
  free(path);
  free(directory);
}

Test(a_plugin_with_cxx_containers, raises_no_warning_when_built_by_gcc) {
  expect_containers("g++ -O0", "");
}
Test(a_plugin_with_cxx_containers, raises_no_warning_when_built_by_clang) {
  expect_containers("clang++-22 -O2", "");
}

Test(a_plugin_with_cxx_containers, exports_nothing_of_them_with_the_map) {
  static const char *const compilers[] = {"g++ -O0",
                                          "clang++-22 -O0 -fuse-ld=lld"};
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; ++i) {
    char *directory = directory_create();
    char *path =
        build_containers(directory, compilers[i],
                         "-Wl,--version-script=" MLIRPLUG_SOURCE_DIRECTORY
                         "/sdk/cmake/plugin.map");
    char *exported =
        build_shell("nm -D --defined-only %s | cut -c20- | sort", path);
    cr_expect_str_eq(exported, "mlirGetPassPluginInfo\nmlirplug_plugin\n");
    free(exported);
    free(path);
    free(directory);
  }
}
