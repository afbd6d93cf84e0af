// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libmlirplug.so.1: says what was handed to it.

#include <mlirplug/plugin.h>

#include <stdio.h>

void mlirplug_stock_register(const mlirplug_descriptor *descriptor);
void mlirplug_stock_register(const mlirplug_descriptor *descriptor) {
  printf("%s\n", descriptor->id);
}
