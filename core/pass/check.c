// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/check.h"

#include "pass/property.h"
#include "pass/registration.h"
#include "pipeline/closest.h"

#include <stdlib.h>
#include <string.h>

static struct span span_of(const char *string) {
  return (struct span){string, string + strlen(string)};
}

mlirplug_status build_refuse(const struct session *session, const char *found,
                             const char *expected, const char *remedy,
                             mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot build the pipeline",
                                     .subject = session->pipeline->source,
                                     .found = found,
                                     .expected = expected,
                                     .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// Checks that need the context
//===----------------------------------------------------------------------===//

/// Whether the provider's extension tells the truth about traits. They are
/// found by names that compilers spell differently, so one that was compiled by
/// another compiler than its MLIR finds none.
static bool traits_are_told(const struct session *session) {
  const struct provider_api *api = session->api;
  return api->operation_traits &&
         (api->operation_traits(session->context,
                                provider_string("builtin.module")) &
          PROVIDER_TRAIT_ISOLATED);
}

/// Which of the two the operation is; a provider without our extension can only
/// tell one of them, or none.
static int32_t traits_find(const struct session *session, const char *name) {
  const struct provider_api *api = session->api;
  if (traits_are_told(session))
    return api->operation_traits(session->context, provider_string(name));
  if (!api->mlirContextIsRegisteredOperation)
    return PROVIDER_TRAIT_REGISTERED | PROVIDER_TRAIT_ISOLATED;
  // The operations of a dialect are there once it is loaded.
  MlirStringRef dialect = {name, strcspn(name, ".")};
  (void)api->mlirContextGetOrLoadDialect(session->context, dialect);
  return api->mlirContextIsRegisteredOperation(session->context,
                                               provider_string(name))
             ? PROVIDER_TRAIT_REGISTERED | PROVIDER_TRAIT_ISOLATED
             : 0;
}

mlirplug_status check_anchor(const struct session *session, const char *anchor,
                             mlirplug_error **error) {
  if (strcmp(anchor, CHECK_ANY_ANCHOR) == 0)
    return MLIRPLUG_OK;
  int32_t traits = traits_find(session, anchor);
  const char *version = binding_version(session->binding);
  if (!(traits & PROVIDER_TRAIT_REGISTERED))
    return build_refuse(
        session,
        error_text("passes are nested on '%s', an operation that %s does not "
                   "know, so none would run",
                   anchor, version),
        "the name of a registered operation",
        "check the spelling, or anchor the pass on builtin.module and walk",
        error);
  if (!(traits & PROVIDER_TRAIT_ISOLATED))
    return build_refuse(
        session,
        error_text("passes are nested on '%s', which is not isolated from "
                   "above, so none would run",
                   anchor),
        "an operation that is isolated from above, such as func.func",
        "nest the pass on the operation around it and walk", error);
  return MLIRPLUG_OK;
}

/// Loads the dialects that a pass makes things of.
static mlirplug_status dialects_load(const struct place *place,
                                     mlirplug_error **error) {
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->dialect_count; ++i) {
    MlirDialect dialect = place->api->mlirContextGetOrLoadDialect(
        place->session->context, provider_string(pass->dialects[i]));
    if (!dialect.ptr)
      return build_refuse(
          place->session,
          error_text("pass '%s' needs the dialect '%s', which this context of "
                     "%s does not have",
                     pass->name, pass->dialects[i],
                     binding_version(place->binding)),
          "a context whose registry has the dialect",
          "register it, or use an MLIR that has it", error);
  }
  return MLIRPLUG_OK;
}

static mlirplug_status property_check(const struct place *place,
                                      mlirplug_error **error) {
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->anchor_count; ++i)
    if (pass->anchors[i][0] == '@' && !property_can_be_told(place->api))
      return build_refuse(
          place->session,
          error_text("pass '%s' runs on '%s', which %s cannot tell", pass->name,
                     pass->anchors[i], binding_version(place->binding)),
          "an MLIR with mlirOperationGetAttributeByName",
          "name the operations in the pass's anchor instead", error);
  return MLIRPLUG_OK;
}

mlirplug_status check_place(const struct place *place, mlirplug_error **error) {
  if (dialects_load(place, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return property_check(place, error);
}

void check_unknown_pass(const struct session *session, const char *name,
                        struct text *remedy) {
  struct closest closest = {0};
  const struct catalogue *catalogue = session->pipeline->catalogue;
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    for (size_t j = 0; j < plugin->pass_count; ++j)
      closest_consider(&closest, span_of(name), span_of(plugin->pass_names[j]));
  }
  if (closest.name.begin)
    text_format(remedy, "did you mean '%s'?", closest.name.begin);
  else
    text_add(remedy, CHECK_NAME "; a pass of a plugin needs its plugin loaded");
  host_add_refusals(session->pipeline->host, remedy);
}

/// Whether `name` stands in `text`, and not as part of a longer one.
static bool has_name(const char *text, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); ++at)
    if ((at == text || !strchr(letters, at[-1])) &&
        (!at[length] || !strchr(letters, at[length])))
      return true;
  return false;
}

void check_named_pass(const struct session *session, const char *options,
                      struct text *remedy) {
  const struct catalogue *catalogue = session->pipeline->catalogue;
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    for (size_t j = 0; j < plugin->pass_count; ++j) {
      const char *name = plugin->pass_names[j];
      if (registration_has(session->binding, name) || !has_name(options, name))
        continue;
      text_format(remedy,
                  "; '%s' is a pass of a plugin, which MLIR finds there only "
                  "after mlirplug_host_register_passes, on a provider of "
                  "mlirplug (--provider=static or shared)",
                  name);
      return;
    }
  }
}
