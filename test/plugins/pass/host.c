// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host plugin for .words: each line of such a file is the name of a pass,
// which says its name. A line with "!" is refused with what is behind it, one
// with "?" without a word; one with "#" makes the host plugin leave a mark in
// that directory.

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)root;
  mlirplug_emit(run, MlirDiagnosticRemark, (MlirLocation){NULL}, "I am %s",
                run->pass->name);
  return MLIRPLUG_OK;
}

static const mlirplug_pass *pass_create(const char *name) {
  mlirplug_pass *made = malloc(sizeof *made);
  *made =
      (mlirplug_pass){MLIRPLUG_PASS(strdup(name), "Says its name"), .run = run};
  return made;
}

static void mark_leave(const char *directory) {
  char path[4096];
  snprintf(path, sizeof path, "%s/opened", directory);
  FILE *mark = fopen(path, "a");
  if (mark)
    fclose(mark);
}

static const mlirplug_descriptor *on_open(const mlirplug_opening *opening) {
  mlirplug_descriptor *made = malloc(sizeof *made);
  const mlirplug_pass **passes = calloc(opening->length + 1, sizeof *passes);
  *made = (mlirplug_descriptor){.magic = MLIRPLUG_MAGIC,
                                .size = sizeof *made,
                                .abi_major = MLIRPLUG_ABI_MAJOR,
                                .id = "org.example.words",
                                .passes = passes};
  char *text = strdup(opening->bytes), *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line;
       line = strtok_r(NULL, "\n", &rest)) {
    if (*line == '!' || *line == '?') {
      if (*line == '!')
        opening->refuse(opening, line + 1, "words", "write some");
      free(text);
      free(passes);
      free(made);
      return NULL;
    }
    if (*line == '#')
      mark_leave(line + 1);
    else
      passes[made->pass_count++] = pass_create(line);
  }
  free(text);
  return made;
}

static const mlirplug_hosting hosting = {
    .size = sizeof hosting,
    .language = "Words",
    .suffixes = ".words,.wds",
    .open = on_open,
};

static const mlirplug_descriptor descriptor __attribute__((used)) = {
    .magic = MLIRPLUG_MAGIC,
    .size = sizeof descriptor,
    .abi_major = MLIRPLUG_ABI_MAJOR,
    .abi_minor = MLIRPLUG_ABI_MINOR,
    .id = "org.example.words-host",
    .version = "1.0.0",
    .sdk = MLIRPLUG_SDK_VERSION,
    .imports_begin = __start_mlirplug_imports,
    .imports_end = __stop_mlirplug_imports,
    .hosting = &hosting,
};
extern __attribute__((alias("descriptor"), visibility("default")))
const mlirplug_descriptor mlirplug_plugin;
