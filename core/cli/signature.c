// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/signature.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <mlirplug/signature.h>

static void line_print(FILE *stream, const char *label, const char *before,
                       const char *text) {
  fprintf(stream, "  %-12s%s", label, before);
  describe_text(stream, text);
  fputc('\n', stream);
}

bool signature_print(FILE *stream, const char *path,
                     const char *key_directory) {
  mlirplug_signature *signature = NULL;
  mlirplug_error *error = NULL;
  if (!mlirplug_signature_exists(path)) {
    line_print(stream, "signature", "", "none");
    return true;
  }
  if (mlirplug_signature_check(path, key_directory, &signature, &error) !=
      MLIRPLUG_OK) {
    line_print(stream, "signature",
               "not good: ", error->found ? error->found : error->message);
    if (error->remedy)
      line_print(stream, "  to do", "", error->remedy);
    mlirplug_error_destroy(error);
    return false;
  }
  line_print(stream, "signature", "good, by the key ", signature->key_id);
  line_print(stream, "  key", "", signature->key_file);
  line_print(stream, "  comment", "", signature->trusted_comment);
  mlirplug_signature_destroy(signature);
  return true;
}

static json_t *good_json(const mlirplug_signature *signature) {
  bool complete = true;
  json_t *object = json_object();
  json_field(object, "valid", json_true(), &complete);
  json_field(object, "key", json_text(signature->key_id), &complete);
  json_field(object, "key_file", json_text(signature->key_file), &complete);
  json_field(object, "trusted_comment", json_text(signature->trusted_comment),
             &complete);
  return json_finish(object, complete);
}

static json_t *bad_json(const mlirplug_error *error) {
  bool complete = true;
  json_t *object = json_object();
  json_field(object, "valid", json_false(), &complete);
  json_field(object, "error", json_text(error->message), &complete);
  return json_finish(object, complete);
}

json_t *signature_json(const char *path, const char *key_directory,
                       bool *is_fine) {
  mlirplug_signature *signature = NULL;
  mlirplug_error *error = NULL;
  if (!mlirplug_signature_exists(path))
    return json_null();
  json_t *made;
  if (mlirplug_signature_check(path, key_directory, &signature, &error) ==
      MLIRPLUG_OK)
    made = good_json(signature);
  else
    made = bad_json(error);
  *is_fine = *is_fine && !error;
  mlirplug_signature_destroy(signature);
  mlirplug_error_destroy(error);
  return made;
}
