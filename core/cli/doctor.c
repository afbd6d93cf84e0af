// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug doctor: is everything there that opt needs, and if not, what to do?
// Of plugins it runs no code. Copies of MLIR it really opens.

#include "cli/doctor.h"

#include "cli/json_value.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>

static const struct doctor_section *const sections[] = {
    &doctor_self,        &doctor_providers,  &doctor_configuration,
    &doctor_search_path, &doctor_signatures, &doctor_plugins,
    &doctor_refused,     &doctor_warnings,   &doctor_environment,
};

enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

json_t *doctor_make_list(const struct doctor *doctor, size_t count,
                         json_t *(*make)(const struct doctor *, size_t)) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < count; ++i)
    if (json_array_append_new(array, make(doctor, i)) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

/// A title, and what `print` prints below it, if that is anything.
static void section_print(struct doctor *doctor,
                          const struct doctor_section *section, FILE *stream) {
  struct memory memory;
  if (!memory_open(&memory)) {
    doctor->failed = true;
    return;
  }
  section->print(doctor, memory.stream);
  if (!memory_close(&memory))
    doctor->failed = true;
  else if (memory.length)
    fprintf(stream, "%s:\n%s\n", section->title, memory.bytes);
  memory_release(&memory);
}

static void text_print(struct doctor *doctor, FILE *stream) {
  for (size_t i = 0; i < SECTION_COUNT; ++i)
    section_print(doctor, sections[i], stream);
  doctor_print_problems(doctor, stream);
}

static bool report_print(struct doctor *doctor, FILE *stream) {
  json_t *object = json_object();
  bool complete = object != NULL;
  for (size_t i = 0; complete && i < SECTION_COUNT; ++i)
    json_field(object, sections[i]->key, sections[i]->make(doctor), &complete);
  json_field(object, "problems", doctor_make_problems(doctor), &complete);
  return json_print(stream, object, complete);
}

static bool doctor_report(struct doctor *doctor) {
  struct memory memory;
  bool complete = memory_open(&memory);
  if (complete && doctor->arguments->json)
    complete = report_print(doctor, memory.stream);
  else if (complete)
    text_print(doctor, memory.stream);
  if (complete && !doctor->failed)
    return output_memory(doctor->console, &memory);
  memory_release(&memory);
  console_error(doctor->console, "out of memory");
  return false;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static void decision_tell(const char *line, void *doctor) {
  console_decision(line, ((const struct doctor *)doctor)->console);
}

static void warning_keep(const char *line, void *user_data) {
  struct doctor *doctor = user_data;
  char *copy = strdup(line);
  char **warnings = reallocarray(doctor->warnings, doctor->warning_count + 1,
                                 sizeof *warnings);
  if (warnings)
    doctor->warnings = warnings;
  if (!copy || !warnings) {
    free(copy);
    doctor->failed = true;
    return;
  }
  warnings[doctor->warning_count++] = copy;
}

static bool host_create(struct doctor *doctor) {
  mlirplug_host_configuration configuration = {
      .size = sizeof configuration,
      .log = doctor->console->debug ? decision_tell : NULL,
      .warn = warning_keep,
      .user_data = doctor,
      .trust_any = doctor->arguments->trust_any,
      .require_signature = doctor->arguments->require_signature,
      .key_directory = doctor->arguments->key_directory,
      .no_cache = true,       // what was true last time is not the question
      .quiet_refusals = true, // they have a section of their own
  };
  mlirplug_error *error = NULL;
  if (mlirplug_host_create(&configuration, &doctor->host, &error) ==
      MLIRPLUG_OK)
    return true;
  // Without those policies or keys there is still more to be told.
  doctor_note_error(doctor, "policy", error);
  mlirplug_error_destroy(error);
  error = NULL;
  configuration.examine_only = true;
  if (mlirplug_host_create(&configuration, &doctor->host, &error) ==
      MLIRPLUG_OK)
    return true;
  console_failure(doctor->console, error);
  return false;
}

static void doctor_end(struct doctor *doctor) {
  doctor_release_problems(doctor);
  doctor_close_providers(doctor);
  mlirplug_demands_description_destroy(doctor->demands);
  mlirplug_host_destroy(doctor->host);
  for (size_t i = 0; i < doctor->warning_count; ++i)
    free(doctor->warnings[i]);
  free(doctor->warnings);
}

enum command_status command_doctor(const struct arguments *arguments,
                                   struct console *console) {
  if (arguments->inputs.count) {
    console_error(console,
                  "doctor takes no files: '%s'; for a plugin: mlirplug doctor "
                  "--load-pass-plugin=FILE",
                  arguments->inputs.items[0]);
    return COMMAND_WRONG_USAGE;
  }
  struct doctor doctor = {.arguments = arguments, .console = console};
  doctor_survey_signatures(&doctor);
  if (!host_create(&doctor)) {
    doctor_end(&doctor);
    return COMMAND_FAILED;
  }
  doctor_open_providers(&doctor);
  doctor_search(&doctor);
  for (size_t i = 0; i < SECTION_COUNT; ++i)
    if (sections[i]->examine)
      sections[i]->examine(&doctor);
  bool healthy = doctor_report(&doctor) && !doctor.problem_count;
  doctor_end(&doctor);
  return healthy ? COMMAND_OK : COMMAND_FAILED;
}
