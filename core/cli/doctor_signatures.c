// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on signatures: which policies and keys there are.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json_value.h"

void doctor_survey_signatures(struct doctor *doctor) {
  mlirplug_demands_description *demands = NULL;
  if (mlirplug_demands_describe(doctor->arguments->key_directory, &demands,
                                NULL) != MLIRPLUG_OK) {
    doctor->failed = true;
    return;
  }
  doctor->demands = demands;
  for (size_t i = 0; i < demands->source_count; ++i) {
    const mlirplug_demand_source *source = demands->sources[i];
    if (source->error)
      doctor_note_error(doctor, source->is_policy ? "policy" : "keys",
                        source->error);
  }
}

static void source_print(const mlirplug_demand_source *source, FILE *stream) {
  fputs(source->is_policy ? "  policy " : "  keys   ", stream);
  describe_text(stream, source->path);
  if (source->error)
    fputs(": cannot be used: ", stream);
  if (source->error)
    describe_text(stream, source->error->found ? source->error->found
                                               : source->error->message);
  else if (!source->exists)
    fputs(": does not exist", stream);
  else if (source->is_policy)
    fputs(source->demands ? ": demands signatures" : ": demands nothing",
          stream);
  else
    fprintf(stream, ": %zu", source->key_count);
  fputc('\n', stream);
}

static void signatures_print(const struct doctor *doctor, FILE *stream) {
  size_t count = doctor->demands ? doctor->demands->source_count : 0;
  for (size_t i = 0; i < count; ++i)
    source_print(doctor->demands->sources[i], stream);
  if (doctor->arguments->require_signature)
    fputs("  --require-signature demands signatures\n", stream);
}

static json_t *source_make(const struct doctor *doctor, size_t index) {
  const mlirplug_demand_source *source = doctor->demands->sources[index];
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "kind", json_string(source->is_policy ? "policy" : "keys"),
             &complete);
  json_field(object, "path", json_text(source->path), &complete);
  json_field(object, "exists", json_boolean(source->exists), &complete);
  json_field(object, "usable", json_boolean(source->error == NULL), &complete);
  if (source->is_policy)
    json_field(object, "demands", json_boolean(source->demands), &complete);
  else
    json_field(object, "key_count", json_integer((json_int_t)source->key_count),
               &complete);
  return json_finish(object, complete);
}

static json_t *signatures_make(const struct doctor *doctor) {
  return doctor_make_list(
      doctor, doctor->demands ? doctor->demands->source_count : 0, source_make);
}

const struct doctor_section doctor_signatures = {
    "Signatures", "signatures", NULL, signatures_print, signatures_make};
