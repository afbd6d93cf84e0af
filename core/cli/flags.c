// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/flags.h"

#include "cli/memory.h"
#include "cli/misspelled.h"
#include "cli/suggest.h"

#include <stdlib.h>
#include <string.h>

static bool begins_value(const char *text, const char *at) {
  return at == text || strchr(" \t\n=,{", at[-1]);
}

/// True if `options` stays within the braces that are put around it: it must
/// not close one that it did not open.
static bool stays_inside(const char *options) {
  size_t depth = 0;
  for (const char *c = options; *c; ++c) {
    if ((*c == '"' || *c == '\'') && begins_value(options, c)) {
      c = strchr(c + 1, *c);
      if (!c)
        return false;
    }
    if (*c == '}' && depth-- == 0)
      return false;
    depth += *c == '{';
  }
  return depth == 0;
}

bool flags_check(const struct argument_passes *passes,
                 struct console *console) {
  for (size_t i = 0; i < passes->count; ++i) {
    const struct argument_pass *pass = &passes->items[i];
    if (!pass->options || stays_inside(pass->options))
      continue;
    console_error(console, "'%s' has a brace or a quote without a partner",
                  pass->written);
    return false;
  }
  return true;
}

char *flags_text(const struct argument_passes *passes,
                 struct console *console) {
  struct memory memory;
  bool possible = memory_open(&memory);
  for (size_t i = 0; possible && i < passes->count; ++i) {
    const struct argument_pass *pass = &passes->items[i];
    fprintf(memory.stream, "%s%s", i ? "," : "", pass->name);
    if (pass->options)
      fprintf(memory.stream, "{%s}", pass->options);
  }
  if (possible && memory_close(&memory))
    return memory.bytes;
  memory_release(&memory);
  console_error(console, "out of memory");
  return NULL;
}

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

/// Asks MLIR's parser, which is the only one to know.
static bool is_mlir_pass(MlirContext context, const char *name) {
  struct memory memory;
  if (!MLIRPLUG_HAS(mlirPassManagerCreateOnOperation) || !memory_open(&memory))
    return true;
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      context, mlirStringRefCreateFromCString("any"));
  mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                               mlirStringRefCreateFromCString(name),
                               chunk_print, memory.stream);
  mlirPassManagerDestroy(manager);
  bool unknown = memory_close(&memory) &&
                 strstr(memory.bytes, "does not refer to a registered pass");
  memory_release(&memory);
  return !unknown;
}

static const char *meant_instead(const mlirplug_host *host, const char *name) {
  struct suggestion suggestion = {0};
  arguments_suggest(ARGUMENT_OPT, name, &suggestion);
  for (size_t i = 0; i < mlirplug_host_plugin_count(host); ++i) {
    const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, i);
    for (size_t j = 0; plugin && j < plugin->pass_count; ++j)
      suggestion_consider(&suggestion, name, plugin->passes[j]->name);
  }
  return suggestion.name;
}

/// Flags of LLVM that people may try; docs/flags.md says why they are missing.
static const char *const flags_missing[] = {
    "debug",
    "debug-only",
};

static bool is_missing(const char *name) {
  for (size_t i = 0; i < sizeof flags_missing / sizeof *flags_missing; ++i)
    if (strcmp(flags_missing[i], name) == 0)
      return true;
  return false;
}

static void unknown_report(const struct argument_pass *pass,
                           const mlirplug_host *host, struct console *console) {
  int length = (int)strcspn(pass->written, "=");
  if (is_missing(pass->name)) {
    console_error(console,
                  "'%.*s' is a flag of mlir-opt that mlirplug does not have: "
                  "release builds of MLIR log nothing; --log-actions-to and "
                  "--mlir-print-ir-after-all show what passes do",
                  length, pass->written);
    return;
  }
  const char *meant = meant_instead(host, pass->name);
  char *meant_pass = meant ? NULL : misspelled_pass(pass->name);
  meant = meant ? meant : meant_pass;
  const char *plugins = mlirplug_host_plugin_count(host)
                            ? "the plugins given and found"
                            : "a plugin (none is given or found: "
                              "--load-pass-plugin, --plugin-dir)";
  console_error(
      console,
      "unknown option '%.*s': it is no option of 'mlirplug opt', and no "
      "pass of %s or of %s%s%s%s",
      length, pass->written, plugins, mlirplug_host_provider(host),
      meant ? "; did you mean '--" : "", meant ? meant : "", meant ? "'?" : "");
  free(meant_pass);
}

static bool is_configuration(const mlirplug_refusal *refusal) {
  return strcmp(refusal->error->doing, "cannot use the configuration") == 0;
}

/// A pass that nobody has may be in a plugin that was refused.
static void refusals_recall(const mlirplug_host *host,
                            struct console *console) {
  const size_t told = 3;
  size_t count = mlirplug_host_refusal_count(host);
  for (size_t i = 0; i < count && i < told; ++i) {
    const mlirplug_refusal *refusal = mlirplug_host_refusal(host, i);
    if (is_configuration(refusal))
      console_note(console,
                   "it may be in a plugin that '%s' names, which is not used: "
                   "%s; %s",
                   refusal->path, refusal->error->found,
                   refusal->error->remedy);
    else
      console_note(console, "it may be in '%s', which was refused: %s",
                   refusal->path, refusal->error->found);
  }
  if (count > told)
    console_note(console, "or in others that were refused (%zu): mlirplug list",
                 count - told);
}

bool flags_refuse_unknown(const struct argument_passes *passes,
                          const mlirplug_host *host, MlirContext context,
                          struct console *console) {
  bool refused = false, may_be_refused = false;
  for (size_t i = 0; i < passes->count; ++i) {
    const struct argument_pass *pass = &passes->items[i];
    if (mlirplug_host_find_pass(host, pass->name, NULL) ||
        is_mlir_pass(context, pass->name))
      continue;
    unknown_report(pass, host, console);
    refused = true;
    may_be_refused = may_be_refused || !is_missing(pass->name);
  }
  if (may_be_refused)
    refusals_recall(host, console);
  return refused;
}

void flags_warn_hidden(const mlirplug_host *host, struct console *console) {
  const char *name;
  for (size_t i = 0; (name = arguments_name(ARGUMENT_OPT, i)); ++i) {
    const mlirplug_plugin_description *plugin;
    char *line = NULL;
    if (!mlirplug_host_find_pass(host, name, &plugin) ||
        asprintf(&line,
                 "pass '%s' of '%s' can be reached only in --pass-pipeline: "
                 "--%s is an option of 'mlirplug opt'",
                 name, plugin->path, name) < 0)
      continue;
    console_warning(line, console);
    free(line);
  }
}
