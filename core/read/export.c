// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Other kinds of plugins
//===----------------------------------------------------------------------===//

struct foreign_rule {
  const char *pattern;
  bool (*matches)(const char *name, const char *pattern);
  bool is_export; ///< The symbol is defined; else it is only used.
  struct foreign_plugin plugin;
};

static bool is_equal(const char *name, const char *pattern) {
  return strcmp(name, pattern) == 0;
}

static bool has_prefix(const char *name, const char *pattern) {
  return strncmp(name, pattern, strlen(pattern)) == 0;
}

static bool has_part(const char *name, const char *pattern) {
  return strstr(name, pattern) != NULL;
}

static const struct foreign_rule rules[] = {
    {"mlirGetPassPluginInfo",
     is_equal,
     true,
     {"an MLIR pass plugin written in C++",
      "use 'mlirplug opt --provider=shared', or give it to mlir-opt of the "
      "same build with --load-pass-plugin=FILE"}},
    {"mlirGetDialectPluginInfo",
     is_equal,
     true,
     {"an MLIR dialect plugin written in C++",
      "give it to mlir-opt of the same build with "
      "--load-dialect-plugin=FILE"}},
    {"llvmGetPassPluginInfo",
     is_equal,
     true,
     {"an LLVM pass plugin",
      "give it to LLVM's opt with -load-pass-plugin=FILE, or to clang with "
      "-fpass-plugin=FILE"}},
    {"N5clang15PluginASTAction",
     has_part,
     false,
     {"a clang plugin", "give it to clang with -fplugin=FILE"}},
    {"plugin_is_GPL_compatible",
     is_equal,
     true,
     {"a GCC plugin", "give it to gcc with -fplugin=FILE"}},
    {"PyInit_",
     has_prefix,
     true,
     {"a Python extension module", "import it in Python"}},
};

static bool rule_matches(const struct foreign_rule *rule,
                         const struct symbol_table *symbols,
                         struct error_buffer *evidence) {
  for (uint64_t i = 1; i < symbols->count; ++i) {
    Elf64_Sym symbol;
    if (!symbol_get(symbols, i, &symbol) ||
        (rule->is_export && !symbol_is_exported(&symbol)))
      continue;
    const char *name = symbol_string(symbols, symbol.st_name);
    if (name && rule->matches(name, rule->pattern)) {
      (void)symbol_text(symbols, symbol.st_name, evidence);
      return true;
    }
  }
  return false;
}

const struct foreign_plugin *
export_find_foreign(const struct symbol_table *symbols,
                    struct error_buffer *evidence) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
    if (rule_matches(&rules[i], symbols, evidence))
      return &rules[i].plugin;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

/// Names of which the first few are shown.
struct sample {
  char text[512];
  size_t length;
  uint64_t shown;
  uint64_t count;
};

static void sample_add(struct sample *sample, const char *name) {
  size_t room = sizeof sample->text - sample->length;
  ++sample->count;
  if (sample->shown == 3 || strlen(name) + sizeof ", " > room)
    return;
  sample->length += (size_t)snprintf(sample->text + sample->length, room,
                                     "%s%s", sample->shown ? ", " : "", name);
  ++sample->shown;
}

static const char *sample_rest(const struct sample *sample, char rest[32]) {
  rest[0] = '\0';
  if (sample->count > sample->shown)
    (void)snprintf(rest, 32, "%s%" PRIu64 " more", sample->shown ? " and " : "",
                   sample->count - sample->shown);
  return rest;
}

/// Whether each plugin, or each object of some linker, exports `name`.
static bool is_expected(const char *name) {
  static const char *const expected[] = {
      "mlirplug_plugin",
      "mlirGetPassPluginInfo",
      "_init",
      "_fini",
      "_edata",
      "__bss_start",
      "_end",
      "__odr_asan.mlirplug_plugin"}; // of AddressSanitizer
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i)
    if (strcmp(name, expected[i]) == 0)
      return true;
  return false;
}

/// Whether `name` is a mangled name of the C++ library. Its templates and
/// inline functions are exported in spite of -fvisibility=hidden; sharing them
/// between plugins is what any C++ program does with its libraries.
static bool is_of_cxx_library(const char *name) {
  static const char *const kinds[] = {"GV", "GR", "TV", "TI", "TS", "TT"};
  // std, its abbreviated members, and the operators new and delete.
  static const char *const roots[] = {
      "St", "Sa", "Sb", "Ss", "Si",         "So",          "Sd",
      "nw", "na", "dl", "da", "9__gnu_cxx", "10__cxxabiv1"};
  if (!has_prefix(name, "_Z"))
    return false;
  name += 2;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (has_prefix(name, kinds[i])) {
      name += 2;
      break;
    }
  name += strspn(name, "ZNK"); // local to a function, in a namespace, const
  for (size_t i = 0; i < sizeof roots / sizeof *roots; ++i)
    if (has_prefix(name, roots[i]))
      return true;
  return false;
}

static void symbols_warn(const struct symbol_table *symbols,
                         struct warning_list *warnings) {
  struct sample further = {0}, unique = {0};
  for (uint64_t i = 1; i < symbols->count; ++i) {
    Elf64_Sym symbol;
    if (!symbol_get(symbols, i, &symbol) || !symbol_is_exported(&symbol))
      continue;
    struct error_buffer buffer;
    const char *name = symbol_text(symbols, symbol.st_name, &buffer);
    if (is_of_cxx_library(name))
      continue;
    if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE)
      sample_add(&unique, name);
    else if (!is_expected(name))
      sample_add(&further, name);
  }
  char rest[32];
  if (unique.count)
    warning_add(warnings,
                "it has GNU_UNIQUE symbols, of which a process has only one "
                "for all plugins: %s%s; compile with -fvisibility=hidden "
                "-fvisibility-inlines-hidden or -fno-gnu-unique, or link with "
                "-Wl,--version-script=plugin.map (sdk/cmake)",
                unique.text, sample_rest(&unique, rest));
  if (further.count)
    warning_add(warnings,
                "it exports more than mlirplug_plugin: %s%s; compile with "
                "-fvisibility=hidden, or link with "
                "-Wl,--version-script=plugin.map (sdk/cmake)",
                further.text, sample_rest(&further, rest));
}

void export_warn(const struct symbol_table *symbols,
                 struct warning_list *warnings) {
  symbols_warn(symbols, warnings);
  const struct image *image = symbols->image;
  for (size_t i = 0; i < image->dynamic_count; ++i) {
    if (image->dynamic[i].d_tag != DT_NEEDED)
      continue;
    struct error_buffer buffer;
    const char *name =
        symbol_text(symbols, image->dynamic[i].d_un.d_val, &buffer);
    if (has_prefix(name, "libMLIR") || has_prefix(name, "libLLVM"))
      warning_add(warnings,
                  "it needs %s, which brings a second copy of MLIR or LLVM "
                  "into the process; plugins link neither",
                  name);
  }
}
