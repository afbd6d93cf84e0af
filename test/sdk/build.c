// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sdk/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *build_path(const char *directory, const char *name) {
  char *path = NULL;
  cr_assert(asprintf(&path, "%s/%s", directory, name) >= 0);
  return path;
}

static struct command_result run(const char *format, va_list values) {
  char *line = NULL;
  cr_assert(vasprintf(&line, format, values) >= 0);
  struct command_result result =
      command_shell("cd " SDK_SOURCES " && %s", line);
  free(line);
  return result;
}

char *build_shell(const char *format, ...) {
  va_list values;
  va_start(values, format);
  struct command_result result = run(format, values);
  va_end(values);
  cr_assert(result.exit_code == 0, "%s%s", result.output, result.errors);
  free(result.errors);
  return result.output;
}

char *build_refusal(const char *format, ...) {
  va_list values;
  va_start(values, format);
  struct command_result result = run(format, values);
  va_end(values);
  cr_assert(result.exit_code > 0, "was accepted: %s%s", result.output,
            result.errors);
  free(result.output);
  return result.errors;
}

void build_expect(const char *text, const char *part) {
  cr_assert(strstr(text, part), "no '%s' in:\n%s", part, text);
}

mlirplug_plugin_description *build_read(const char *path) {
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status = mlirplug_plugin_read(path, &description, &error);
  cr_assert(status == MLIRPLUG_OK, "%s", error ? error->message : "no error");
  return description;
}

/// The newest version that the undefined symbols of `path` ask of glibc.
static char *newest_glibc(const char *path) {
  return build_shell("readelf -W -V %s | grep -o 'GLIBC_[0-9.]*' | sort -uV | "
                     "tail -1",
                     path);
}

void build_expect_plain(const char *path) {
  // GNU ld lists the hidden bounds of the imports too; they bind to nobody.
  // gold adds three names of its own.
  char *exports = build_shell(
      "readelf -W --dyn-syms %s | awk '$7 != \"UND\" && $5 != \"LOCAL\" && "
      "($6 == \"DEFAULT\" || $6 == \"PROTECTED\") && $8 !~ "
      "/^(|__bss_start|_edata|_end)$/ { print $5, $8 }' | sort",
      path);
  cr_expect_str_eq(exports, "GLOBAL mlirGetPassPluginInfo\n"
                            "GLOBAL mlirplug_plugin\n");
  free(exports);
  char *needed = build_shell("readelf -W -d %s | sed -n 's/.*(NEEDED).*"
                             "\\[\\(.*\\)\\]/\\1/p'",
                             path);
  cr_expect_str_eq(needed, "libc.so.6\n");
  free(needed);
  char *newest = newest_glibc(path);
  cr_assert(strncmp(newest, "GLIBC_2.", 8) == 0, "%s needs %s", path, newest);
  cr_expect(strtol(newest + 8, NULL, 10) <= 17, "%s needs %s", path, newest);
  free(newest);
}
