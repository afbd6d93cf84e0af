// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules compiled to object files, linked into C programs and run.

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <mlirplug/object.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;

static void session_begin(void) { mlir_open(&session, "static", false); }
static void session_end(void) { mlir_close(&session); }

TestSuite(an_object, .init = session_begin, .fini = session_end);

/// y = a * x + y, the result of a tensor and of a memref, and a division that
/// needs the C library.
static const char kernels[] =
    "#vector = affine_map<(d0) -> (d0)>\n"
    "#scalar = affine_map<(d0) -> ()>\n"
    "func.func @saxpy(%a: f32, %x: tensor<?xf32>, %y: tensor<?xf32>)\n"
    "    -> tensor<?xf32> {\n"
    "  %r = linalg.generic {indexing_maps = [#vector, #vector],\n"
    "      iterator_types = [\"parallel\"]}\n"
    "      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {\n"
    "  ^bb0(%in: f32, %out: f32):\n"
    "    %p = arith.mulf %in, %a : f32\n"
    "    %s = arith.addf %p, %out : f32\n"
    "    linalg.yield %s : f32\n"
    "  } -> tensor<?xf32>\n"
    "  return %r : tensor<?xf32>\n"
    "}\n"
    "func.func @column(%m: memref<4x3xf64>, %c: memref<4xf64>) {\n"
    "  %v = memref.subview %m[0, 1] [4, 1] [1, 1]\n"
    "      : memref<4x3xf64> to memref<4xf64, strided<[3], offset: 1>>\n"
    "  memref.copy %v, %c\n"
    "      : memref<4xf64, strided<[3], offset: 1>> to memref<4xf64>\n"
    "  return\n"
    "}\n"
    "func.func @main(%a: i32, %b: i32) -> (i32, i64) {\n"
    "  %q = arith.divsi %a, %b : i32\n"
    "  %r = arith.remsi %a, %b : i32\n"
    "  %w = arith.extsi %r : i32 to i64\n"
    "  return %q, %w : i32, i64\n"
    "}\n"
    "func.func @odd(%a: !llvm.ptr) { return }\n"
    "func.func private @helper(%a: f32) -> f32 { return %a : f32 }\n";

static const char program[] =
    "#include \"kernels.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "int main(void) {\n"
    "  float x[] = {0, 1, 2, 3, 4}, y[] = {1, 1, 1, 1, 1};\n"
    "  memref_1_f32 X = {x, x, 0, {5}, {1}}, Y = {y, y, 0, {5}, {1}}, R;\n"
    "  saxpy(&R, 2, &X, &Y);\n"
    "  for (int i = 0; i < 5; ++i) printf(\"%g \", R.aligned[i]);\n"
    "  printf(\"| %g %g |\", x[4], y[4]);\n"
    "  free(R.allocated);\n"
    "  double m[12], c[4];\n"
    "  for (int i = 0; i < 12; ++i) m[i] = i;\n"
    "  memref_2_f64 M = {m, m, 0, {4, 3}, {3, 1}};\n"
    "  memref_1_f64 C = {c, c, 0, {4}, {1}};\n"
    "  column(&M, &C);\n"
    "  for (int i = 0; i < 4; ++i) printf(\" %g\", c[i]);\n"
    "  main_results both;\n"
    "  main_(&both, 17, 5);\n"
    "  printf(\" | %d %ld\\n\", both.result_0, (long)both.result_1);\n"
    "}\n";

static const char printed[] = "1 3 5 7 9 | 4 1 | 1 4 7 10 | 3 2\n";

static mlirplug_object *
object_create(const char *text,
              const mlirplug_object_configuration *configuration) {
  MlirModule module = mlir_parse(session.context, text);
  mlirplug_object *object = NULL;
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  mlirplug_status status = mlirplug_object_create(
      session.host, module, configuration, &object, &session.error);
  cr_assert_eq(status == MLIRPLUG_OK, object != NULL);
  mlirModuleDestroy(module);
  return object;
}

/// Writes object and header to a new directory, together with the program.
static char *object_write(const mlirplug_object *object) {
  char *directory = directory_create();
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/kernels.o", directory);
  file_write(path, object->bytes, object->length);
  (void)snprintf(path, sizeof path, "%s/kernels.h", directory);
  file_write(path, object->header, strlen(object->header));
  (void)snprintf(path, sizeof path, "%s/program.c", directory);
  file_write(path, program, strlen(program));
  return directory;
}

static void expect_prints(const char *compile, const char *run,
                          const mlirplug_object_configuration *configuration) {
  mlirplug_object *object = object_create(kernels, configuration);
  cr_assert_not_null(object, "%s", mlir_message(&session));
  char *directory = object_write(object);
  struct command_result result = command_shell(
      "cd '%s' && %s -Wall -Wextra -Werror program.c kernels.o -lm -o program "
      "&& %s ./program",
      directory, compile, run);
  cr_expect_eq(result.exit_code, 0, "%s", result.errors);
  cr_expect_str_eq(result.output, printed);
  command_release(&result);
  free(directory);
  mlirplug_object_destroy(object);
}

Test(an_object, for_this_machine_runs_in_a_c_program) {
  expect_prints("cc", "", NULL);
}

Test(an_object, for_any_x86_64_runs_in_a_c_program) {
  expect_prints("x86_64-linux-gnu-gcc", "",
                &(mlirplug_object_configuration){
                    .size = sizeof(mlirplug_object_configuration),
                    .target = "x86_64-linux-gnu"});
}

Test(an_object, for_aarch64_runs_in_a_c_program) {
  expect_prints("aarch64-linux-gnu-gcc -static", "qemu-aarch64",
                &(mlirplug_object_configuration){
                    .size = sizeof(mlirplug_object_configuration),
                    .target = "aarch64-linux-gnu"});
}

Test(an_object, without_optimization_does_the_same) {
  expect_prints(
      "cc", "",
      &(mlirplug_object_configuration){
          .size = sizeof(mlirplug_object_configuration), .optimization = "O0"});
}

Test(an_object, exports_what_its_header_declares_and_no_more) {
  mlirplug_object *object = object_create(kernels, NULL);
  cr_assert_not_null(object, "%s", mlir_message(&session));
  char *directory = object_write(object);
  struct command_result result = command_shell(
      "nm --defined-only -g '%s/kernels.o' | cut -d' ' -f3", directory);
  cr_expect_str_eq(result.output, "_mlir_ciface_column\n_mlir_ciface_main\n"
                                  "_mlir_ciface_odd\n_mlir_ciface_saxpy\n");
  command_release(&result);
  cr_expect_not_null(strstr(object->header, "/* odd has a type that C cannot"));
  cr_expect_null(strstr(object->header, "helper"));
  free(directory);
  mlirplug_object_destroy(object);
}

Test(an_object, has_a_header_for_both_c_and_cxx) {
  mlirplug_object *object = object_create(kernels, NULL);
  cr_assert_not_null(object, "%s", mlir_message(&session));
  char *directory = object_write(object);
  struct command_result result = command_shell(
      "cd '%s' && echo '#include \"kernels.h\"' >both.c && cp both.c both.cpp "
      "&& cc -std=c99 -Wall -Wextra -Werror -fsyntax-only both.c && "
      "clang++-22 -Wall -Wextra -Werror -fsyntax-only both.cpp",
      directory);
  cr_expect_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  free(directory);
  mlirplug_object_destroy(object);
}

static void chunk_add(MlirStringRef chunk, void *data) {
  fwrite(chunk.data, 1, chunk.length, data);
}

/// To be freed.
static char *module_print(MlirModule module) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  cr_assert_not_null(stream);
  mlirOperationPrint(mlirModuleGetOperation(module), chunk_add, stream);
  (void)fclose(stream);
  return text;
}

Test(an_object, leaves_its_module_as_it_was) {
  MlirModule module = mlir_parse(session.context, kernels);
  char *before = module_print(module);
  mlirplug_object *object = NULL;
  cr_assert_eq(mlirplug_object_create(session.host, module, NULL, &object,
                                      &session.error),
               MLIRPLUG_OK);
  char *after = module_print(module);
  cr_expect_str_eq(after, before);
  free(before);
  free(after);
  mlirplug_object_destroy(object);
  mlirModuleDestroy(module);
}

Test(an_object, may_be_the_text_of_an_assembler) {
  mlirplug_object *object =
      object_create(kernels, &(mlirplug_object_configuration){
                                 .size = sizeof(mlirplug_object_configuration),
                                 .target = "aarch64-linux-gnu",
                                 .cpu = "neoverse-v1",
                                 .assembly = true});
  cr_assert_not_null(object, "%s", mlir_message(&session));
  cr_expect_not_null(strstr(object->bytes, "_mlir_ciface_saxpy:"));
  cr_expect_not_null(strstr(object->bytes, "fmla") ||
                     strstr(object->bytes, "fmul"));
  cr_expect_str_eq(object->cpu, "neoverse-v1");
  cr_expect_str_eq(object->target, "aarch64-unknown-linux-gnu");
  mlirplug_object_destroy(object);
}

Test(an_object, is_made_by_the_passes_that_are_asked_for) {
  mlirplug_object *object = object_create(
      "func.func @f(%a: i32) -> i32 { return %a : i32 }",
      &(mlirplug_object_configuration){
          .size = sizeof(mlirplug_object_configuration),
          .pipeline = "convert-func-to-llvm,reconcile-unrealized-casts",
          .assembly = true});
  cr_assert_not_null(object, "%s", mlir_message(&session));
  cr_expect_not_null(strstr(object->bytes, "\nf:"));
  cr_expect_null(strstr(object->bytes, "_mlir_ciface_f"));
  mlirplug_object_destroy(object);
}

static const char scalable[] =
    "func.func @f(%a: memref<?xf32>, %i: index) {\n"
    "  %v = vector.load %a[%i] : memref<?xf32>, vector<[4]xf32>\n"
    "  %w = arith.mulf %v, %v : vector<[4]xf32>\n"
    "  vector.store %w, %a[%i] : memref<?xf32>, vector<[4]xf32>\n"
    "  return\n"
    "}\n";

Test(an_object, with_vectors_of_any_size_is_for_processors_with_sve) {
  mlirplug_object_configuration configuration = {.size = sizeof configuration,
                                                 .target = "aarch64-linux-gnu",
                                                 .features = "+sve",
                                                 .assembly = true};
  mlirplug_object *object = object_create(scalable, &configuration);
  cr_assert_not_null(object, "%s", mlir_message(&session));
  cr_expect_not_null(strstr(object->bytes, "z0.s"));
  mlirplug_object_destroy(object);
  configuration.features = NULL;
  cr_expect_null(object_create(scalable, &configuration));
  cr_expect_not_null(strstr(mlir_message(&session), "a processor with SVE"));
  configuration.target = "x86_64-linux-gnu";
  cr_expect_null(object_create(scalable, &configuration));
  cr_expect_not_null(strstr(mlir_message(&session), "a 'llvm.load' has"));
}

Test(an_object_on_the_shared_provider, is_made_likewise) {
  mlir_open(&session, "shared", false);
  mlirplug_object *object = object_create(kernels, NULL);
  cr_expect_not_null(object, "%s", mlir_message(&session));
  mlirplug_object_destroy(object);
  mlir_close(&session);
}
