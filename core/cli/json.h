// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a plugin says of itself, as JSON.

#ifndef MLIRPLUG_CLI_JSON_H
#define MLIRPLUG_CLI_JSON_H

#include <mlirplug/host.h>

#include <jansson.h>
#include <stdio.h>

/// How much of a plugin to tell.
enum json_detail {
  JSON_PASSES,     ///< Who it is, its passes and their options.
  JSON_EVERYTHING, ///< All that is in its descriptor.
};

/// `description` as an object; null if memory runs out.
json_t *json_plugin(const mlirplug_plugin_description *description,
                    enum json_detail detail);

/// A refusal and a directory of `host`, likewise.
json_t *json_refusal(const mlirplug_host *host, size_t index);
json_t *json_directory(const mlirplug_host *host, size_t index);

/// Prints {"plugins": plugins}, and drops the reference to `plugins`. False if
/// memory runs out.
bool json_plugins_print(FILE *stream, json_t *plugins);

/// Prints what `host` knows: {"plugins": …, "refused": …, "directories": …}.
/// False if memory runs out.
bool json_list_print(FILE *stream, const mlirplug_host *host);

#endif // MLIRPLUG_CLI_JSON_H
