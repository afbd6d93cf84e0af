// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is of policies and keys, each looked at by itself, so that one
// that is wrong does not hide the others.

#include "find/home.h"
#include "find/path.h"
#include "sign/demand.h"
#include "sign/keyring.h"
#include "sign/policy.h"

#include <mlirplug/signature.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct survey {
  mlirplug_demands_description shown; ///< First: the public pointer is to it.
  mlirplug_demand_source **sources;
  bool failed; ///< For want of memory.
};

static bool survey_has(const struct survey *survey, const char *path) {
  for (size_t i = 0; i < survey->shown.source_count; ++i)
    if (strcmp(survey->sources[i]->path, path) == 0)
      return true;
  return false;
}

/// Adds a source; takes `path` and, unless that is null, `problem`.
static void source_take(struct survey *survey, char *path,
                        mlirplug_demand_source source,
                        mlirplug_error *problem) {
  mlirplug_demand_source **sources = reallocarray(
      survey->sources, survey->shown.source_count + 1, sizeof *sources);
  mlirplug_demand_source *made = malloc(sizeof *made);
  if (sources)
    survey->sources = sources;
  if (!sources || !made) {
    survey->failed = true;
    mlirplug_error_destroy(problem);
    free(made);
    free(path);
    return;
  }
  source.path = path;
  source.error = problem;
  source.exists = access(path, F_OK) == 0;
  *made = source;
  survey->sources[survey->shown.source_count++] = made;
}

/// Looks at a directory of keys; takes `path`, which may be null.
static void keys_survey(struct survey *survey, char *path, bool required) {
  if (!path || survey_has(survey, path)) {
    survey->failed = survey->failed || (!path && errno == ENOMEM);
    free(path);
    return;
  }
  struct keyring keyring = {0};
  mlirplug_error *problem = NULL;
  (void)keyring_add_directory(&keyring, path, required, &problem);
  source_take(survey, path,
              (mlirplug_demand_source){.key_count = keyring.count}, problem);
  keyring_release(&keyring);
}

/// Looks at a policy and the keys that it names; takes `path`, which may be
/// null.
static void policy_survey(struct survey *survey, char *path) {
  if (!path) {
    survey->failed = survey->failed || errno == ENOMEM;
    return;
  }
  struct policy policy = {0};
  mlirplug_error *problem = NULL;
  (void)policy_read(path, &policy, &problem);
  source_take(survey, path,
              (mlirplug_demand_source){.is_policy = true,
                                       .demands = policy.require_signature},
              problem);
  for (size_t i = 0; i < policy.key_directory_count; ++i) {
    errno = ENOMEM; // what a failing strdup means
    keys_survey(survey, strdup(policy.key_directories[i]), true);
  }
  policy_release(&policy);
}

static char *system_path(const char *name) {
  char *path = NULL;
  return asprintf(&path, "%s/%s", DEMAND_SYSTEM, name) < 0 ? NULL : path;
}

mlirplug_status
mlirplug_demands_describe(const char *key_directory,
                          mlirplug_demands_description **description,
                          mlirplug_error **error) {
  struct survey *survey = calloc(1, sizeof *survey);
  if (!survey)
    return error_set_memory(error);
  errno = ENOMEM; // of asprintf
  policy_survey(survey, system_path("policy.json"));
  policy_survey(survey, home_path(HOME_CONFIG, "policy.json"));
  if (key_directory)
    keys_survey(survey, path_make_absolute(key_directory), true);
  keys_survey(survey, home_path(HOME_CONFIG, "keys"), false);
  errno = ENOMEM;
  keys_survey(survey, system_path("keys"), false);
  survey->shown.sources =
      (const mlirplug_demand_source *const *)survey->sources;
  if (survey->failed) {
    mlirplug_demands_description_destroy(&survey->shown);
    return error_set_memory(error);
  }
  *description = &survey->shown;
  return MLIRPLUG_OK;
}

void mlirplug_demands_description_destroy(
    mlirplug_demands_description *description) {
  struct survey *survey = (struct survey *)description;
  if (!survey)
    return;
  for (size_t i = 0; i < survey->shown.source_count; ++i) {
    free((char *)survey->sources[i]->path);
    mlirplug_error_destroy((mlirplug_error *)survey->sources[i]->error);
    free(survey->sources[i]);
  }
  free(survey->sources);
  free(survey);
}
