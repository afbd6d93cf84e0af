// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/registration.h"

#include "base/intern.h"
#include "pass/named.h"

#include <stdlib.h>
#include <string.h>

/// A name in the registry. Lives for ever, as the registry does.
struct entry {
  struct entry *next;
  const struct binding *binding;
  const char *name; ///< Interned.
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *entries;
static struct registration_scope *scopes; ///< Newest first.
static _Thread_local struct registration_scope *own_scope;

//===----------------------------------------------------------------------===//
// Who is at work
//===----------------------------------------------------------------------===//

void registration_enter(struct registration_scope *scope,
                        struct mlirplug_manager *manager) {
  scope->manager = manager;
  scope->outer = own_scope;
  own_scope = scope;
  pthread_mutex_lock(&lock);
  scope->next = scopes;
  scopes = scope;
  pthread_mutex_unlock(&lock);
}

void registration_leave(struct registration_scope *scope) {
  own_scope = scope->outer;
  pthread_mutex_lock(&lock);
  struct registration_scope **link = &scopes;
  while (*link != scope)
    link = &(*link)->next;
  *link = scope->next;
  pthread_mutex_unlock(&lock);
}

static bool manager_suits(const struct mlirplug_manager *manager,
                          const struct entry *entry) {
  return manager->session.binding == entry->binding &&
         catalogue_find_pass(manager->session.pipeline->catalogue, entry->name,
                             NULL);
}

/// The manager that has to make the pass; null if there is none.
static struct mlirplug_manager *manager_find(const struct entry *entry) {
  if (own_scope)
    return manager_suits(own_scope->manager, entry) ? own_scope->manager : NULL;
  pthread_mutex_lock(&lock);
  const struct registration_scope *scope = scopes;
  while (scope && !manager_suits(scope->manager, entry))
    scope = scope->next;
  struct mlirplug_manager *found = scope ? scope->manager : NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

//===----------------------------------------------------------------------===//
// What MLIR calls
//===----------------------------------------------------------------------===//

static mlirplug_status pass_build(const struct entry *entry,
                                  MlirOpPassManager passes,
                                  MlirStringRef anchor, MlirStringRef options,
                                  mlirplug_error **error) {
  struct mlirplug_manager *manager = manager_find(entry);
  if (!manager)
    return error_set(
        error, &(mlirplug_error){
                   .doing = "cannot make the pass",
                   .subject = entry->name,
                   .found = "no plugin of the pipeline at work has it",
                   .expected = "a pipeline made with mlirplug_manager_create "
                               "of a host that has the plugin"});
  struct arena arena = {0};
  struct named_request request = {
      .name = entry->name,
      .anchor = arena_copy_bytes(&arena, anchor.data, anchor.length),
      .options = arena_copy_bytes(&arena, options.data, options.length)};
  mlirplug_status status = request.anchor && request.options
                               ? named_add(manager, &request, passes, error)
                               : error_set_memory(error);
  arena_release(&arena);
  return status;
}

static MlirLogicalResult on_build(MlirOpPassManager passes,
                                  MlirStringRef anchor, MlirStringRef options,
                                  MlirStringCallback refuse, void *refuse_data,
                                  void *user_data) {
  mlirplug_error *error = NULL;
  if (pass_build(user_data, passes, anchor, options, &error) == MLIRPLUG_OK)
    return mlirLogicalResultSuccess();
  refuse(provider_string(error->message), refuse_data);
  mlirplug_error_destroy(error);
  return mlirLogicalResultFailure();
}

//===----------------------------------------------------------------------===//
// Entering
//===----------------------------------------------------------------------===//

/// With the lock held.
static bool entry_exists(const struct binding *binding, const char *name) {
  const struct entry *entry = entries;
  while (entry && (entry->binding != binding || strcmp(entry->name, name) != 0))
    entry = entry->next;
  return entry;
}

bool registration_has(const struct binding *binding, const char *name) {
  pthread_mutex_lock(&lock);
  bool found = entry_exists(binding, name);
  pthread_mutex_unlock(&lock);
  return found;
}

/// With the lock held. A name that MLIR has itself is refused when a pipeline
/// uses it.
static mlirplug_status pass_enter(const mlirplug_host *host, const char *name,
                                  mlirplug_error **error) {
  if (entry_exists(host->binding, name))
    return MLIRPLUG_OK;
  struct entry *made = malloc(sizeof *made);
  const char *kept = intern(name);
  if (!made || !kept) {
    free(made);
    return error_set_memory(error);
  }
  *made = (struct entry){entries, host->binding, kept};
  if (binding_api(host->binding)
          ->register_pass(provider_string(kept),
                          provider_string("A pass of a plugin"), on_build,
                          made)) {
    entries = made;
    return MLIRPLUG_OK;
  }
  host_log(host, "pass %s: not registered, MLIR has one of that name", name);
  free(made);
  return MLIRPLUG_OK;
}

static mlirplug_status catalogue_enter(const mlirplug_host *host,
                                       const struct catalogue *catalogue,
                                       mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    for (size_t j = 0; j < plugin->pass_count && status == MLIRPLUG_OK; ++j)
      status = pass_enter(host, plugin->pass_names[j], error);
  }
  pthread_mutex_unlock(&lock);
  return status;
}

static mlirplug_status registration_refuse(const mlirplug_host *host,
                                           mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot register the plugins' passes with",
          .subject = host->binding ? binding_version(host->binding) : "MLIR",
          .found = host->binding ? "it has no extension of mlirplug"
                                 : "no provider is attached",
          .expected = "a provider that comes with mlirplug",
          .remedy = host->binding ? "use --provider=static or shared"
                                  : "call mlirplug_host_attach_library "
                                    "first"});
}

mlirplug_status mlirplug_host_register_passes(const mlirplug_host *host,
                                              mlirplug_error **error) {
  if (!host->binding || !binding_api(host->binding)->register_pass)
    return registration_refuse(host, error);
  struct catalogue *catalogue = host_catalogue(host);
  mlirplug_status status = catalogue_enter(host, catalogue, error);
  catalogue_release(catalogue);
  return status;
}
