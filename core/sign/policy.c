// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/policy.h"

#include "pipeline/closest.h"
#include "sign/small_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char expected[] =
    "{\"require-signature\": true, \"key-directories\": [\"/…\"]}";

static mlirplug_status refuse(const char *path, const char *found,
                              mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot read the policy",
                                     .subject = path,
                                     .found = found,
                                     .expected = expected,
                                     .remedy = "correct it, or remove it if "
                                               "nothing is to be demanded"});
}

static mlirplug_status refuse_key(const char *path, const char *key,
                                  mlirplug_error **error) {
  static const char *const keys[] = {"require-signature", "key-directories"};
  struct closest closest = {0};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    closest_consider(&closest, (struct span){key, key + strlen(key)},
                     (struct span){keys[i], keys[i] + strlen(keys[i])});
  const char *name = closest.name.begin;
  return refuse(path,
                name ? error_text("it has the unknown key '%s', perhaps for "
                                  "'%s'",
                                  key, name)
                     : error_text("it has the unknown key '%s'", key),
                error);
}

//===----------------------------------------------------------------------===//
// The keys
//===----------------------------------------------------------------------===//

static mlirplug_status directories_take(const char *path, const json_t *value,
                                        struct policy *policy,
                                        mlirplug_error **error) {
  size_t count = json_array_size(value);
  if (!count) // no array either
    return refuse(path, "'key-directories' is no list of directories", error);
  policy->key_directories = calloc(count, sizeof(char *));
  if (!policy->key_directories)
    return error_set_memory(error);
  for (size_t i = 0; i < count; ++i) {
    const char *directory = json_string_value(json_array_get(value, i));
    if (!directory || directory[0] != '/')
      return refuse(path,
                    "'key-directories' has an entry that is no absolute path",
                    error);
    char *copy = strdup(directory);
    if (!copy)
      return error_set_memory(error);
    policy->key_directories[policy->key_directory_count++] = copy;
  }
  return MLIRPLUG_OK;
}

static mlirplug_status key_take(const char *path, const char *key,
                                const json_t *value, struct policy *policy,
                                mlirplug_error **error) {
  if (strcmp(key, "key-directories") == 0)
    return directories_take(path, value, policy, error);
  if (strcmp(key, "require-signature") != 0)
    return refuse_key(path, key, error);
  if (!json_is_boolean(value))
    return refuse(path, "'require-signature' is neither true nor false", error);
  policy->require_signature = json_is_true(value);
  return MLIRPLUG_OK;
}

static mlirplug_status object_take(const char *path, json_t *object,
                                   struct policy *policy,
                                   mlirplug_error **error) {
  if (!json_is_object(object))
    return refuse(path, "it is no JSON object", error);
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    if (key_take(path, key, value, policy, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  if (policy->key_directories && !policy->require_signature)
    return refuse(path,
                  "it names key directories, but does not demand signatures",
                  error);
  return MLIRPLUG_OK;
}

static mlirplug_status policy_parse(const char *path, const char *text,
                                    struct policy *policy,
                                    mlirplug_error **error) {
  json_error_t fault;
  json_t *object =
      json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &fault);
  if (!object && json_error_code(&fault) == json_error_out_of_memory)
    return error_set_memory(error);
  if (!object)
    return refuse(
        path, error_text("it is no JSON: line %d: %s", fault.line, fault.text),
        error);
  struct policy made = {0};
  mlirplug_status result = object_take(path, object, &made, error);
  json_decref(object);
  if (result == MLIRPLUG_OK)
    *policy = made;
  else
    policy_release(&made);
  return result;
}

mlirplug_status policy_read(const char *path, struct policy *policy,
                            mlirplug_error **error) {
  char *text;
  if (small_file_read(&(struct small_file){.kind = "policy",
                                           .path = path,
                                           .expected = expected,
                                           .limit = 65536,
                                           .must_be_trusted = true,
                                           .may_be_missing = true,
                                           .must_be_absent = true},
                      &text, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!text) {
    *policy = (struct policy){0};
    return MLIRPLUG_OK;
  }
  mlirplug_status result = policy_parse(path, text, policy, error);
  free(text);
  return result;
}

void policy_release(struct policy *policy) {
  for (size_t i = 0; i < policy->key_directory_count; ++i)
    free(policy->key_directories[i]);
  free(policy->key_directories);
  *policy = (struct policy){0};
}
