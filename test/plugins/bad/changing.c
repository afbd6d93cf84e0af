// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that is another one as soon as its code runs.

#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *its_run, MlirOperation root) {
  (void)its_run;
  (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass pass = {
    MLIRPLUG_PASS("changing", "Is not what it seems"),
    .run = run,
};

static const mlirplug_pass *const passes[] = {&pass};

static mlirplug_descriptor descriptor = {
    .magic = MLIRPLUG_MAGIC,
    .size = sizeof descriptor,
    .abi_major = MLIRPLUG_ABI_MAJOR,
    .abi_minor = MLIRPLUG_ABI_MINOR,
    .id = "org.example.changing",
    .passes = passes,
    .pass_count = 1,
};

__attribute__((constructor)) static void change(void) {
  descriptor.id = "org.example.changed";
}

extern
    __attribute__((alias("descriptor"),
                   visibility("default"))) mlirplug_descriptor mlirplug_plugin;
