// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/demand.h"

#include "find/home.h"
#include "sign/keyring.h"
#include "sign/policy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct demands {
  struct keyring keyrings[3]; ///< The system's, the user's, the embedder's.
  size_t count;
};

/// The keyring of one more demand.
static struct keyring *demand_add(struct demands *demands) {
  return &demands->keyrings[demands->count++];
}

/// What the policy file at `path` demands. Without key directories of its own
/// its keys are the default ones; the system's has none but the system's own,
/// for a user's key must not satisfy the administrator.
static mlirplug_status policy_add(struct demands *demands, const char *path,
                                  const char *system, bool is_systems,
                                  mlirplug_error **error) {
  struct policy policy;
  if (policy_read(path, &policy, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status result = MLIRPLUG_OK;
  if (!policy.require_signature)
    goto done;
  struct keyring *keyring = demand_add(demands);
  keyring->demanded_by = strdup(path);
  if (!keyring->demanded_by)
    result = error_set_memory(error);
  for (size_t i = 0; result == MLIRPLUG_OK && i < policy.key_directory_count;
       ++i)
    result =
        keyring_add_directory(keyring, policy.key_directories[i], true, error);
  if (result == MLIRPLUG_OK && !policy.key_directory_count)
    result = is_systems ? keyring_add_system(keyring, system, error)
                        : keyring_add_defaults(keyring, system, error);
done:
  policy_release(&policy);
  return result;
}

static mlirplug_status system_add(struct demands *demands, const char *system,
                                  mlirplug_error **error) {
  char *path = NULL;
  if (asprintf(&path, "%s/policy.json", system) < 0)
    return error_set_memory(error);
  mlirplug_status result = policy_add(demands, path, system, true, error);
  free(path);
  return result;
}

static mlirplug_status user_add(struct demands *demands, const char *system,
                                mlirplug_error **error) {
  char *path = home_path(HOME_CONFIG, "policy.json");
  if (!path)
    return errno == ENOMEM ? error_set_memory(error) : MLIRPLUG_OK;
  mlirplug_status result = policy_add(demands, path, system, false, error);
  free(path);
  return result;
}

static mlirplug_status embedder_add(struct demands *demands, const char *system,
                                    const char *key_directory,
                                    mlirplug_error **error) {
  struct keyring *keyring = demand_add(demands);
  return key_directory
             ? keyring_add_directory(keyring, key_directory, true, error)
             : keyring_add_defaults(keyring, system, error);
}

mlirplug_status demands_create(const char *system, bool required,
                               const char *key_directory,
                               struct demands **demands,
                               mlirplug_error **error) {
  struct demands *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  mlirplug_status result = system_add(made, system, error);
  if (result == MLIRPLUG_OK)
    result = user_add(made, system, error);
  if (result == MLIRPLUG_OK && required)
    result = embedder_add(made, system, key_directory, error);
  if (result != MLIRPLUG_OK || !made->count) {
    demands_destroy(made);
    made = NULL;
  }
  if (result == MLIRPLUG_OK)
    *demands = made;
  return result;
}

void demands_destroy(struct demands *demands) {
  if (!demands)
    return;
  for (size_t i = 0; i < demands->count; ++i)
    keyring_release(&demands->keyrings[i]);
  free(demands);
}

mlirplug_status demands_check(const struct demands *demands,
                              const struct file *file, mlirplug_error **error) {
  for (size_t i = 0; demands && i < demands->count; ++i)
    if (keyring_check(&demands->keyrings[i], file, NULL, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  return MLIRPLUG_OK;
}
