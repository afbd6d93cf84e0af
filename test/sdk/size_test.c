// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A large plugin stays small: what an import costs does not grow with the
// number of calls.

#include "sdk/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Calls that the generated plugin is made of. Besides the functions they begin
/// with they use three more: mlirOperationGetName, mlirValueGetType,
/// mlirValueGetFirstUse.
static const char *const calls[] = {
    "mlirOperationGetNumRegions(op)",
    "mlirOperationGetNumOperands(op)",
    "mlirOperationGetNumResults(op)",
    "mlirOperationGetNumSuccessors(op)",
    "mlirOperationGetNumAttributes(op)",
    "mlirOperationVerify(op)",
    "mlirBlockGetNumArguments(block)",
    "mlirBlockEqual(block, block)",
    "mlirBlockGetParentOperation(block).ptr == op.ptr",
    "mlirOperationGetBlock(op).ptr == block.ptr",
    "mlirOperationGetParentOperation(op).ptr == op.ptr",
    "mlirOperationGetNextInBlock(op).ptr == op.ptr",
    "mlirOperationGetFirstRegion(op).ptr == op.ptr",
    "mlirBlockGetFirstOperation(block).ptr == op.ptr",
    "mlirBlockGetTerminator(block).ptr == op.ptr",
    "mlirBlockGetNextInRegion(block).ptr == block.ptr",
    "mlirBlockGetParentRegion(block).ptr == block.ptr",
    "mlirValueIsAOpResult(value)",
    "mlirValueIsABlockArgument(value)",
    "mlirValueEqual(value, value)",
    "mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(value))",
    "mlirTypeIsAInteger(mlirValueGetType(value))",
    "mlirTypeIsAF32(mlirValueGetType(value))",
    "mlirTypeIsAIndex(mlirValueGetType(value))",
    "mlirTypeIsAShaped(mlirValueGetType(value))",
    "mlirTypeIsAVector(mlirValueGetType(value))",
    "mlirTypeIsARankedTensor(mlirValueGetType(value))",
    "mlirTypeIsAMemRef(mlirValueGetType(value))",
    "mlirTypeIsAFunction(mlirValueGetType(value))",
    "mlirTypeIsATuple(mlirValueGetType(value))",
    "mlirIdentifierStr(mlirOperationGetName(op)).length",
    "mlirOpOperandIsNull(mlirValueGetFirstUse(value))",
};

#define CALL_COUNT (sizeof calls / sizeof calls[0])
#define FUNCTION_COUNT 200
#define CALLS_IN_FUNCTION 6

/// Writes DIRECTORY/large.c, with 2,000 lines and as little but calls as can
/// be, for `plugin` or else for MLIR's own headers.
static void write_source(const char *directory, const char *name, bool plugin) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  cr_assert(out);
  fputs(plugin ? "#include <mlirplug/ir.h>\n#include <mlirplug/plugin.h>\n\n"
               : "#include <mlir-c/BuiltinTypes.h>\n#include <mlir-c/IR.h>\n\n",
        out);
  for (size_t i = 0; i < FUNCTION_COUNT; ++i) {
    fprintf(out,
            "long large_%zu(MlirOperation op, MlirBlock block, "
            "MlirValue value);\nlong large_%zu(MlirOperation op, "
            "MlirBlock block, MlirValue value) {\n  (void)op, (void)block;\n"
            "  long sum = (long)value.ptr;\n",
            i, i);
    for (size_t j = 0; j < CALLS_IN_FUNCTION; ++j)
      fprintf(out, "  sum += %zu * (long)(%s);\n", i + j + 2,
              calls[(i * CALLS_IN_FUNCTION + j) % CALL_COUNT]);
    fprintf(out, "  return sum;\n}\n\n");
  }
  if (plugin)
    fputs("static mlirplug_status run(const mlirplug_run *run, "
          "MlirOperation root) {\n  (void)run;\n  (void)root;\n"
          "  return MLIRPLUG_OK;\n}\n\n"
          "static const mlirplug_pass large = {\n"
          "    MLIRPLUG_PASS(\"large\", \"\"), .run = run};\n\n"
          "MLIRPLUG_PLUGIN(\"org.mlirplug.test.large\", \"1\", &large);\n",
          out);
  cr_assert(fclose(out) == 0);
  char *path = build_path(directory, name);
  file_write(path, text, length);
  free(path);
  free(text);
}

/// The size of a section, in bytes.
static unsigned long section_size(const char *path, const char *section) {
  char *said = build_shell("size -A %s | awk '$1 == \"%s\" { print $2 }'", path,
                           section);
  unsigned long size = strtoul(said, NULL, 10);
  free(said);
  return size;
}

static void expect_small(const char *compiler) {
  char *directory = directory_create();
  char *plugin = build_path(directory, "large.so");
  char *upstream = build_path(directory, "upstream.so");
  write_source(directory, "large.c", true);
  write_source(directory, "upstream.c", false);
  free(build_shell("%s -O2 " SDK_FLAGS " %s/large.c -o %s", compiler, directory,
                   plugin));
  free(build_shell("%s -O2 -shared -fPIC -fvisibility=hidden "
                   "-I$(llvm-config-22 --includedir) %s/upstream.c -o %s",
                   compiler, directory, upstream));

  mlirplug_plugin_description *description = build_read(plugin);
  unsigned long imports = section_size(plugin, "mlirplug_imports");
  cr_expect(imports == 16 * description->import_count,
            "%lu bytes for %zu imports", imports, description->import_count);
  cr_expect(description->import_count == CALL_COUNT + 3, "%zu imports",
            description->import_count);

  // A call through an import costs some four bytes more than one through the
  // PLT, which is a fifth in a plugin that does nothing else.
  unsigned long text = section_size(plugin, ".text");
  unsigned long direct = section_size(upstream, ".text");
  cr_expect(text <= direct + direct / 4,
            "%s: %lu bytes of code, %lu with direct calls", compiler, text,
            direct);
  mlirplug_plugin_description_destroy(description);
  free(upstream);
  free(plugin);
  free(directory);
}

Test(a_plugin_of_2000_lines, keeps_its_size_by_gcc) { expect_small("gcc"); }
Test(a_plugin_of_2000_lines, keeps_its_size_by_clang) {
  expect_small("clang-22");
}
