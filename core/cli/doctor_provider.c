// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on copies of MLIR.

#include "cli/doctor_probe.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// As many missing functions as the text names; JSON has all.
enum { functions_shown = 8 };

/// That opening a copy of MLIR may take, from a slow disk too.
enum { SECONDS_AT_MOST = 60 };

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Whether a kind that could not be opened is not there at all.
static bool is_absent(const char *kind, const mlirplug_error *error) {
  return !strchr(kind, '/') && error->subject &&
         access(error->subject, F_OK) != 0 && errno == ENOENT;
}

static void failure_note(struct doctor *doctor,
                         struct doctor_provider *provider,
                         mlirplug_error *error) {
  provider->failure = strdup(error->found ? error->found : error->message);
  provider->is_installed = !is_absent(provider->name, error);
  doctor->failed = doctor->failed || !provider->failure;
  // One can do without those that nobody asked for.
  if (provider->is_installed || provider->is_wanted)
    doctor_note_error(doctor, "provider", error);
  mlirplug_error_destroy(error);
}

static void crash_note(struct doctor *doctor, struct doctor_provider *provider,
                       const struct doctor_probe_failure *failure) {
  provider->failure = failure->found;
  char *what = NULL;
  if (!failure->found || asprintf(&what, "cannot attach the provider '%s': %s",
                                  provider->name, failure->found) < 0)
    doctor->failed = true;
  else
    doctor_note(doctor, "provider", provider->name, what, failure->remedy);
  free(what);
}

static void provider_open(struct doctor *doctor,
                          struct doctor_provider *provider) {
  mlirplug_error *error = NULL;
  provider->is_installed = true;
  struct doctor_probe_failure failure;
  if (!doctor_provider_probe(provider, SECONDS_AT_MOST, &failure))
    crash_note(doctor, provider, &failure);
  else if (doctor_provider_attach(provider, &error) != MLIRPLUG_OK)
    failure_note(doctor, provider, error);
  else if (provider->is_wanted && !provider->description->runs_passes)
    doctor_note(doctor, "provider", provider->name,
                "this MLIR cannot run passes of plugins: its C API has no "
                "mlirCreateExternalPass",
                "use --provider=static");
}

static void provider_add(struct doctor *doctor, const char *name,
                         bool is_wanted) {
  struct doctor_provider *providers = reallocarray(
      doctor->providers, doctor->provider_count + 1, sizeof *providers);
  if (!providers) {
    doctor->failed = true;
    return;
  }
  doctor->providers = providers;
  struct doctor_provider *added = &providers[doctor->provider_count++];
  *added = (struct doctor_provider){.name = name, .is_wanted = is_wanted};
  provider_open(doctor, added);
}

void doctor_open_providers(struct doctor *doctor) {
  const char *asked = doctor->arguments->provider;
  const char *used = asked ? asked : "static", *kind;
  bool is_kind = false;
  for (size_t i = 0; (kind = mlirplug_provider_kind(i)); ++i) {
    bool is_wanted = strcmp(kind, used) == 0;
    is_kind = is_kind || is_wanted;
    provider_add(doctor, kind, is_wanted);
  }
  if (!is_kind)
    provider_add(doctor, used, true);
}

void doctor_close_providers(struct doctor *doctor) {
  for (size_t i = 0; i < doctor->provider_count; ++i) {
    struct doctor_provider *provider = &doctor->providers[i];
    mlirplug_provider_description_destroy(provider->description);
    mlirplug_host_destroy(provider->host);
    free(provider->failure);
  }
  free(doctor->providers);
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static bool is_in_use(const struct doctor_provider *provider) {
  return provider->is_wanted && provider->description;
}

static void functions_print(const mlirplug_provider_description *description,
                            FILE *stream) {
  size_t count = description->missing_count;
  fprintf(stream, "    functions: %zu", description->function_count);
  if (count)
    fprintf(stream, " (%zu more exist in other versions of MLIR: ", count);
  for (size_t i = 0; i < count && i < functions_shown; ++i)
    fprintf(stream, "%s%s (seen in %s)", i ? ", " : "",
            description->missing[i]->name, description->missing[i]->seen);
  if (count > functions_shown)
    fprintf(stream, " and %zu more", count - functions_shown);
  fputs(count ? ")\n" : "\n", stream);
}

static void description_print(const mlirplug_provider_description *description,
                              FILE *stream) {
  fprintf(stream, "%s\n    ", description->version);
  describe_text(stream, description->path);
  fprintf(stream, "  (%s)\n", description->origin);
  functions_print(description, stream);
  if (!description->runs_passes)
    fputs("    cannot run passes of plugins\n", stream);
  if (!description->has_extension)
    fputs("    has no extension of mlirplug: diagnostics are errors, and "
          "passes of plugins are not in its registry\n",
          stream);
}

static void providers_print(const struct doctor *doctor, FILE *stream) {
  for (size_t i = 0; i < doctor->provider_count; ++i) {
    const struct doctor_provider *provider = &doctor->providers[i];
    fputs("  ", stream);
    describe_text(stream, provider->name);
    fputs(is_in_use(provider) ? " (in use): " : ": ", stream);
    if (provider->description) {
      description_print(provider->description, stream);
      continue;
    }
    fputs(provider->is_installed ? "cannot be opened: " : "not installed",
          stream);
    if (provider->is_installed)
      describe_text(stream, provider->failure);
    fputc('\n', stream);
  }
}

static json_t *missing_make(const mlirplug_provider_description *description) {
  json_t *array = json_array();
  bool complete = array != NULL;
  for (size_t i = 0; complete && i < description->missing_count; ++i) {
    json_t *object = json_object();
    json_field(object, "name", json_string(description->missing[i]->name),
               &complete);
    json_field(object, "seen", json_string(description->missing[i]->seen),
               &complete);
    if (json_array_append_new(array, object) != 0)
      complete = false;
  }
  return json_finish(array, complete);
}

static void description_add(json_t *object,
                            const mlirplug_provider_description *description,
                            bool *complete) {
  json_field(object, "kind", json_string(description->kind), complete);
  json_field(object, "path", json_text(description->path), complete);
  json_field(object, "origin", json_string(description->origin), complete);
  json_field(object, "version", json_text(description->version), complete);
  json_field(object, "extension", json_boolean(description->has_extension),
             complete);
  json_field(object, "runs_passes", json_boolean(description->runs_passes),
             complete);
  json_field(object, "functions",
             json_integer((json_int_t)description->function_count), complete);
  json_field(object, "missing", missing_make(description), complete);
}

static json_t *provider_make(const struct doctor *doctor, size_t index) {
  const struct doctor_provider *provider = &doctor->providers[index];
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "name", json_text(provider->name), &complete);
  json_field(object, "in_use", json_boolean(is_in_use(provider)), &complete);
  json_field(object, "installed", json_boolean(provider->is_installed),
             &complete);
  json_field(object, "usable", json_boolean(provider->description != NULL),
             &complete);
  if (provider->description)
    description_add(object, provider->description, &complete);
  else
    json_field(object, "found", json_text(provider->failure), &complete);
  return json_finish(object, complete);
}

static json_t *providers_make(const struct doctor *doctor) {
  return doctor_make_list(doctor, doctor->provider_count, provider_make);
}

const struct doctor_section doctor_providers = {
    "Providers", "providers", NULL, providers_print, providers_make};
