// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin whose descriptor says whatever the build wants: every field is a
// macro. Without any it is a good plugin. The variants are in CMakeLists.txt.

#include <mlirplug/ir/OperationMore.h>
#include <mlirplug/plugin.h>

#include <stdlib.h> // free, for one of the variants

#ifndef MAGIC
#define MAGIC MLIRPLUG_MAGIC
#endif
#ifndef SIZE
#define SIZE sizeof(mlirplug_descriptor)
#endif
#ifndef ABI_MAJOR
#define ABI_MAJOR MLIRPLUG_ABI_MAJOR
#endif
#ifndef ABI_MINOR
#define ABI_MINOR MLIRPLUG_ABI_MINOR
#endif
#ifndef ID
#define ID "org.example.variant"
#endif
#ifndef VERSION
#define VERSION "1.2.3"
#endif
#ifndef PASSES
#define PASSES passes
#endif
#ifndef PASS_COUNT
#define PASS_COUNT MLIRPLUG_COUNT(passes)
#endif
#ifndef FIRST_PASS
#define FIRST_PASS &first
#endif
#ifndef PASS_SIZE
#define PASS_SIZE sizeof(mlirplug_pass)
#endif
#ifndef PASS_RESERVED
#define PASS_RESERVED 0
#endif
#ifndef OPTION_SIZE
#define OPTION_SIZE sizeof(mlirplug_option)
#endif
#ifndef STATISTIC_SIZE
#define STATISTIC_SIZE sizeof(mlirplug_statistic)
#endif
#ifndef PASS_NAME
#define PASS_NAME "first-pass"
#endif
#ifndef SUMMARY
#define SUMMARY "The first pass"
#endif
#ifndef DESCRIPTION
#define DESCRIPTION "Two lines\nof text."
#endif
#ifndef ANCHOR
#define ANCHOR "func.func, builtin.module"
#endif
#ifndef DIALECTS
#define DIALECTS "arith,func"
#endif
#ifndef OPTION_NAME
#define OPTION_NAME "top"
#endif
#ifndef OPTION_KIND
#define OPTION_KIND MLIRPLUG_KIND_INT
#endif
#ifndef OPTION_OFFSET
#define OPTION_OFFSET offsetof(struct options, top)
#endif
#ifndef OPTIONS
#define OPTIONS options
#endif
#ifndef OPTION_COUNT
#define OPTION_COUNT MLIRPLUG_COUNT(options)
#endif
#ifndef STATISTIC_NAME
#define STATISTIC_NAME "seen"
#endif
#ifndef RUN
#define RUN run
#endif
#ifndef CREATE
#define CREATE 0
#endif
#ifndef DESTROY
#define DESTROY 0
#endif
#ifndef CLONE
#define CLONE 0
#endif
#ifndef MERGE
#define MERGE 0
#endif
#ifndef FINISH
#define FINISH 0
#endif
#ifndef IMPORTS_BEGIN
#define IMPORTS_BEGIN __start_mlirplug_imports
#endif
#ifndef IMPORTS_END
#define IMPORTS_END __stop_mlirplug_imports
#endif

#define MAYBE_UNUSED __attribute__((unused))

#define XS(x) x x x x x x x x x x x x x x x x
static const char long_text[] MAYBE_UNUSED = XS(XS(XS(XS("x"))));
static const char raw_bytes[] MAYBE_UNUSED = "caf\xe9";
static char unfilled_text[16] MAYBE_UNUSED;

#ifdef MISSING_FUNCTION
MLIRPLUG_PROCEDURE(mlirNoHostHasThisFunction, (void), ())
#endif

struct options {
  int64_t top;
  bool fast;
};

static const mlirplug_option options[] MAYBE_UNUSED = {
    {.name = OPTION_NAME,
     .help = "Only so many",
     .kind = OPTION_KIND,
     .offset = OPTION_OFFSET,
     .default_integer = 3},
    MLIRPLUG_BOOL(struct options, fast, "fast", true, "Hurry"),
};

static const mlirplug_statistic statistics[] = {
    {STATISTIC_NAME, "Operations seen"}};

static const char *const names[] = {"arith.addi", "linalg.generic"};

static mlirplug_status MAYBE_UNUSED run(const mlirplug_run *its_run,
                                        MlirOperation root) {
  // Never true: the imports are in the file, but variants whose imports the
  // loader cannot see run all the same.
  if (its_run->size == 0) {
#ifdef MISSING_FUNCTION
    mlirNoHostHasThisFunction();
#endif
    if (MLIRPLUG_HAS(mlirOperationVerify))
      (void)mlirOperationVerify(root);
    return mlirplug_op_is(its_run, root, 0) ? MLIRPLUG_OK : MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

static void *create(const mlirplug_run *its_run) MAYBE_UNUSED;
static void *create(const mlirplug_run *its_run) { return its_run->state; }

static void destroy(void *state) MAYBE_UNUSED;
static void destroy(void *state) { (void)state; }

static void merge(void *into, const void *from) MAYBE_UNUSED;
static void merge(void *into, const void *from) {
  (void)into;
  (void)from;
}

static mlirplug_status finish(const mlirplug_run *its_run) MAYBE_UNUSED;
static mlirplug_status finish(const mlirplug_run *its_run) {
  return its_run->state ? MLIRPLUG_OK : MLIRPLUG_FAILED;
}

static const mlirplug_pass first MAYBE_UNUSED = {
    .size = PASS_SIZE,
    .option_size = OPTION_SIZE,
    .statistic_size = STATISTIC_SIZE,
    .reserved = PASS_RESERVED,
    .name = PASS_NAME,
    .summary = SUMMARY,
    .description = DESCRIPTION,
    .anchor = ANCHOR,
    .dialects = DIALECTS,
    .options = OPTIONS,
    .option_count = OPTION_COUNT,
    .options_size = sizeof(struct options),
    .statistics = statistics,
    .statistic_count = MLIRPLUG_COUNT(statistics),
    .names = names,
    .name_count = MLIRPLUG_COUNT(names),
    .create = CREATE,
    .clone = CLONE,
    .destroy = DESTROY,
    .run = RUN,
    .merge = MERGE,
    .finish = FINISH,
};

static const mlirplug_pass second = {
    MLIRPLUG_PASS("second-pass", "The second pass"),
    .run = run,
};

#ifdef OTHER_FILE
// Default visibility, in other.c: the pointer needs a relocation with a name.
extern const mlirplug_pass other_pass;
#endif

static const mlirplug_pass *const passes[] MAYBE_UNUSED = {FIRST_PASS, &second};

static const mlirplug_descriptor descriptor __attribute__((used)) = {
    .magic = MAGIC,
    .size = SIZE,
    .abi_major = ABI_MAJOR,
    .abi_minor = ABI_MINOR,
    .id = ID,
    .version = VERSION,
    .sdk = MLIRPLUG_SDK_VERSION,
    .passes = PASSES,
    .pass_count = PASS_COUNT,
    .imports_begin = IMPORTS_BEGIN,
    .imports_end = IMPORTS_END,
};

extern __attribute__((alias("descriptor"), visibility("default")))
const mlirplug_descriptor mlirplug_plugin;

#ifdef CODE_RELOCATION
__asm__(".text\n.balign 8\n.quad mlirplug_plugin\n");
#endif

#ifdef UNIQUE_SYMBOL
__asm__(".data\n"
        ".globl one_for_all\n"
        ".type one_for_all, %gnu_unique_object\n"
        ".size one_for_all, 8\n"
        "one_for_all: .quad 1\n"
        ".text\n");
#endif

#ifdef FURTHER_EXPORT
__attribute__((visibility("default"))) int further_export = 1;
#endif
