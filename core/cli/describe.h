// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plugin says of itself, as readable text. Strings of a plugin may hold
// anything, so they are printed without control characters.

#ifndef MLIRPLUG_CLI_DESCRIBE_H
#define MLIRPLUG_CLI_DESCRIBE_H

#include <mlirplug/host.h>

#include <stdio.h>

/// `text` with a space for each control character.
void describe_text(FILE *stream, const char *text);

/// "integer", "list of strings", "one of fast, exact".
void describe_kind(FILE *stream, const mlirplug_option *option);

/// The default as it would be written; nothing for an empty one.
void describe_default(FILE *stream, const mlirplug_option *option);

/// Where a directory comes from: "(MLIRPLUG_PATH)", "(Python package: example
/// 1.0.0)".
void describe_origin(FILE *stream, const mlirplug_directory *directory);

/// "func.func, gpu.func" or "any operation".
void describe_anchors(FILE *stream, const mlirplug_pass_description *pass);

/// The options of a pass, a line each that begins with `indent` spaces.
void describe_options(FILE *stream, const mlirplug_pass_description *pass,
                      int indent);

/// A pass and its options, as lists show it: `prefix` stands before the name.
void describe_pass(FILE *stream, const mlirplug_pass_description *pass,
                   const char *prefix);

#endif // MLIRPLUG_CLI_DESCRIBE_H
