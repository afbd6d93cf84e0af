// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that look from outside as if they had an MLIR, for tests of how a
// tool's is found.

#ifndef MLIRPLUG_TEST_STOCK_LIBRARY_H
#define MLIRPLUG_TEST_STOCK_LIBRARY_H

#define STOCK_REGISTER                                                         \
  "_ZN4mlir20registerPassPipelineEN4llvm9StringRefES1_RKSt8functionIFNS0_13"   \
  "LogicalResultERNS_13OpPassManagerES1_NS0_12function_refIFS3_RKNS0_5"        \
  "TwineEEEEEES2_IFvNS6_IFvRKNS_6detail11PassOptionsEEEEEE"
#define STOCK_REGISTER_18                                                      \
  "_ZN4mlir20registerPassPipelineEN4llvm9StringRefES1_RKSt8functionIFNS_13"    \
  "LogicalResultERNS_13OpPassManagerES1_NS0_12function_refIFS3_RKNS0_5"        \
  "TwineEEEEEES2_IFvNS6_IFvRKNS_6detail11PassOptionsEEEEEE"
#define STOCK_REGISTER_LIBCXX                                                  \
  "_ZN4mlir20registerPassPipelineEN4llvm9StringRefES1_RKNSt3__18functionIFNS0" \
  "_13LogicalResultERNS_13OpPassManagerES1_NS0_12function_refIFS4_RKNS0_5"     \
  "TwineEEEEEEENS3_IFvNS7_IFvRKNS_6detail11PassOptionsEEEEEEE"

/// A function of C called `name` in the object file.
#define STOCK_FUNCTION(symbol)                                                 \
  "void f" symbol "(void) __asm__(\"" symbol "\"); void f" symbol "(void) {} "

/// Makes a library of `source` in a directory of its own, loads it, and returns
/// its handle. `version` is LLVM's, or 0 for none.
void *stock_library_load(const char *source, unsigned version);

#endif // MLIRPLUG_TEST_STOCK_LIBRARY_H
