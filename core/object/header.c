// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C header of a module's entry points. How MLIR's types are passed:
// mlir.llvm.org/docs/TargetLLVMIR, "C-compatible wrapper emission".

#include "object/entry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// A header that is being written. The descriptors' types come before the
/// functions that use them, each once.
struct header {
  const struct object_api *api;
  struct text types;
  struct text functions;
};

/// A scalar's type in C, and as part of a name; null if C has none.
struct scalar {
  const char *type;
  const char *name;
};

static struct scalar integer_find(const struct object_api *api, MlirType type) {
  static const struct {
    unsigned width;
    struct scalar plain, natural;
  } integers[] = {
      {1, {"bool", "i1"}, {"bool", "i1"}},
      {8, {"int8_t", "i8"}, {"uint8_t", "u8"}},
      {16, {"int16_t", "i16"}, {"uint16_t", "u16"}},
      {32, {"int32_t", "i32"}, {"uint32_t", "u32"}},
      {64, {"int64_t", "i64"}, {"uint64_t", "u64"}},
  };
  unsigned width = api->mlirIntegerTypeGetWidth(type);
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i)
    if (integers[i].width == width)
      return api->mlirIntegerTypeIsUnsigned(type) ? integers[i].natural
                                                  : integers[i].plain;
  return (struct scalar){NULL, NULL};
}

static struct scalar scalar_find(const struct object_api *api, MlirType type) {
  if (api->mlirTypeIsAInteger(type))
    return integer_find(api, type);
  if (api->mlirTypeIsAIndex(type))
    return (struct scalar){"intptr_t", "index"};
  if (api->mlirTypeIsAF16(type))
    return (struct scalar){"_Float16", "f16"};
  if (api->mlirTypeIsAF32(type))
    return (struct scalar){"float", "f32"};
  if (api->mlirTypeIsAF64(type))
    return (struct scalar){"double", "f64"};
  return (struct scalar){NULL, NULL};
}

/// What memory may hold besides: C passes complex numbers otherwise than LLVM,
/// but lays them out alike, and not every compiler has bfloat16.
static struct scalar element_find(const struct object_api *api, MlirType type) {
  if (api->mlirTypeIsABF16(type))
    return (struct scalar){"uint16_t", "bf16"};
  if (!api->mlirTypeIsAComplex(type))
    return scalar_find(api, type);
  MlirType part = api->mlirComplexTypeGetElementType(type);
  if (api->mlirTypeIsAF32(part))
    return (struct scalar){"float _Complex", "c64"};
  if (api->mlirTypeIsAF64(part))
    return (struct scalar){"double _Complex", "c128"};
  return (struct scalar){NULL, NULL};
}

static bool is_shaped(const struct object_api *api, MlirType type) {
  return api->mlirTypeIsARankedTensor(type) ||
         (api->mlirTypeIsAMemRef(type) &&
          !api->mlirMemRefTypeGetMemorySpace(type).ptr);
}

/// Declares the descriptor called `name` unless it is there.
static void descriptor_declare(struct header *header, const char *name,
                               struct scalar element, int64_t rank) {
  struct text opening = {0};
  text_format(&opening, "typedef struct %s {", name);
  bool is_there =
      opening.failed ||
      (header->types.bytes && strstr(header->types.bytes, opening.bytes));
  if (!is_there) {
    text_format(&header->types,
                "#ifndef MLIRPLUG_%s\n#define MLIRPLUG_%s\n%s\n"
                "  %s *allocated, *aligned;\n  int64_t offset;\n",
                name, name, opening.bytes, element.type);
    if (rank)
      text_format(&header->types,
                  "  int64_t sizes[%" PRId64 "], strides[%" PRId64 "];\n", rank,
                  rank);
    text_format(&header->types, "} %s;\n#endif\n", name);
  }
  text_release(&opening);
}

/// Adds the type in C that `type` has as a parameter, without the '*' of a
/// descriptor; `*by_address` tells whether there has to be one. False if C
/// cannot pass it.
static bool type_add(struct header *header, MlirType type, struct text *out,
                     bool *by_address) {
  const struct object_api *api = header->api;
  *by_address = is_shaped(api, type);
  if (!*by_address) {
    struct scalar scalar = scalar_find(api, type);
    if (scalar.type)
      text_add(out, scalar.type);
    return scalar.type;
  }
  struct scalar element =
      element_find(api, api->mlirShapedTypeGetElementType(type));
  if (!element.type)
    return false;
  int64_t rank = api->mlirShapedTypeGetRank(type);
  struct text name = {0};
  text_format(&name, "memref_%" PRId64 "_%s", rank, element.name);
  if (!name.failed) {
    descriptor_declare(header, name.bytes, element, rank);
    text_add(out, name.bytes);
  }
  text_release(&name);
  return true;
}

/// The structure that several results are stored in.
static bool results_declare(struct header *header, const char *function,
                            MlirType type, struct text *structure) {
  intptr_t count = header->api->mlirFunctionTypeGetNumResults(type);
  text_format(structure, "typedef struct %s_results {\n", function);
  for (intptr_t i = 0; i < count; ++i) {
    bool by_address = false;
    text_add(structure, "  ");
    if (!type_add(header, header->api->mlirFunctionTypeGetResult(type, i),
                  structure, &by_address))
      return false;
    text_format(structure, " result_%" PRIdPTR ";\n", i);
  }
  text_format(structure, "} %s_results;\n", function);
  return true;
}

/// Adds the returned type, and to `parameters` where a result is stored.
static bool results_add(struct header *header, const char *function,
                        MlirType type, struct text *returned,
                        struct text *parameters) {
  intptr_t count = header->api->mlirFunctionTypeGetNumResults(type);
  bool by_address = count > 1;
  struct text one = {0};
  bool possible = true;
  if (count > 1)
    text_format(&one, "%s_results", function);
  else if (count)
    possible = type_add(header, header->api->mlirFunctionTypeGetResult(type, 0),
                        &one, &by_address);
  text_add(returned, count && !by_address && one.bytes ? one.bytes : "void");
  if (possible && by_address)
    text_format(parameters, "%s *result", one.bytes ? one.bytes : "");
  text_release(&one);
  return possible;
}

static bool parameters_add(struct header *header, MlirType type,
                           struct text *parameters) {
  intptr_t count = header->api->mlirFunctionTypeGetNumInputs(type);
  for (intptr_t i = 0; i < count; ++i) {
    bool by_address = false;
    if (parameters->length)
      text_add(parameters, ", ");
    if (!type_add(header, header->api->mlirFunctionTypeGetInput(type, i),
                  parameters, &by_address))
      return false;
    text_format(parameters, " %sargument_%" PRIdPTR, by_address ? "*" : "", i);
  }
  if (!parameters->length)
    text_add(parameters, "void");
  return true;
}

static bool is_identifier(const char *name) {
  size_t length =
      strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                   "0123456789");
  return *name && !name[length] && (*name < '0' || *name > '9');
}

/// Whether C has another use for the name; the declared one gets a '_' then.
static bool is_taken(const char *name) {
  static const char *const taken[] = {
      "auto",     "break",  "case",     "char",   "const",    "continue",
      "default",  "do",     "double",   "else",   "enum",     "extern",
      "float",    "for",    "goto",     "if",     "inline",   "int",
      "long",     "main",   "register", "return", "short",    "signed",
      "sizeof",   "static", "struct",   "switch", "typedef",  "union",
      "unsigned", "void",   "volatile", "while",  "restrict", "bool",
  };
  for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
    if (strcmp(name, taken[i]) == 0)
      return true;
  return false;
}

static void function_declare(struct header *header, const char *name,
                             MlirType type) {
  struct text structure = {0}, returned = {0}, parameters = {0};
  bool several = header->api->mlirFunctionTypeGetNumResults(type) > 1;
  bool possible = is_identifier(name) &&
                  (!several || results_declare(header, name, type, &structure));
  possible = possible &&
             results_add(header, name, type, &returned, &parameters) &&
             parameters_add(header, type, &parameters);
  if (possible)
    text_format(&header->functions,
                "%s%s %s%s(%s)\n    __asm__(\"_mlir_ciface_%s\");\n",
                structure.bytes ? structure.bytes : "", returned.bytes, name,
                is_taken(name) ? "_" : "", parameters.bytes, name);
  else if (is_identifier(name))
    text_format(&header->functions, "/* %s has a type that C cannot pass */\n",
                name);
  header->functions.failed |=
      structure.failed || returned.failed || parameters.failed;
  text_release(&structure);
  text_release(&returned);
  text_release(&parameters);
}

static void entry_add(const struct object_api *api, MlirOperation function,
                      void *data) {
  struct header *header = data;
  MlirStringRef symbol =
      api->mlirStringAttrGetValue(api->mlirOperationGetAttributeByName(
          function, provider_string("sym_name")));
  char *name = strndup(symbol.data, symbol.length);
  if (name)
    function_declare(header, name, entry_type(api, function));
  header->functions.failed |= !name;
  free(name);
}

void entry_declare(const struct object_api *api, MlirModule module,
                   struct text *out) {
  struct header header = {.api = api};
  entry_each(api, module, entry_add, &header);
  text_add(out,
           "/* Made by mlirplug. A descriptor tells where an array is: the "
           "memory to free, the\n   memory to use (often the same), the "
           "place of the first element in it, sizes\n   and strides in "
           "elements. */\n#pragma once\n\n#include <stdbool.h>\n"
           "#include <stdint.h>\n\n");
  text_add(out, header.types.bytes ? header.types.bytes : "");
  text_add(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  text_add(out, header.functions.bytes ? header.functions.bytes : "");
  text_add(out, "\n#ifdef __cplusplus\n}\n#endif\n");
  out->failed |= header.types.failed || header.functions.failed;
  text_release(&header.types);
  text_release(&header.functions);
}
