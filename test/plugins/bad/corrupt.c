// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins whose tables no sensible source would have. One of:
//
//   MANY_NAMES    a table of names with much more text than a plugin needs
//   MANY_ANCHORS  a list of more anchors than there can be
//   NO_END        a text that the file ends in
//   NO_NAME       an import without a name

#include <mlirplug/plugin.h>

#define TIMES_16(x) x x x x x x x x x x x x x x x x
#define TIMES_4096(x) TIMES_16(TIMES_16(TIMES_16(x)))

static mlirplug_status run(const mlirplug_run *its_run, MlirOperation root) {
  (void)its_run;
  (void)root;
  return MLIRPLUG_OK;
}

#ifdef MANY_NAMES
static const char text[] = TIMES_4096("name.of.op");
static const char *const names[4096] = {[0 ... 4095] = text};
#endif

#ifdef NO_END
// In the last section of the file's data, behind which only zeros are.
__attribute__((section("text_at_the_end"))) static char text[3] = "abc";
#endif

#ifdef NO_NAME
MLIRPLUG_IMPORT_SECTION __attribute__((used)) static mlirplug_import nameless;
#endif

static const mlirplug_pass pass = {
    MLIRPLUG_PASS("corrupt", "Is described badly"),
#ifdef MANY_NAMES
    .names = names,
    .name_count = MLIRPLUG_COUNT(names),
#endif
#ifdef MANY_ANCHORS
    .anchor = TIMES_4096("a,"),
#endif
#ifdef NO_END
    .description = text,
#endif
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.corrupt", "1", &pass);
