// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on copies of MLIR.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// As many missing functions as the text names; JSON has all.
enum { functions_shown = 8 };

static const char remedy[] = "reinstall mlirplug, or give another one with "
                             "--provider=PATH";

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Opens `provider`; the error says why not.
static mlirplug_status provider_attach(struct doctor_provider *provider,
                                       mlirplug_error **error) {
  if (mlirplug_host_create(NULL, &provider->host, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (mlirplug_host_attach_library(provider->host, provider->name, error) ==
          MLIRPLUG_OK &&
      mlirplug_host_describe_provider(provider->host, &provider->description,
                                      error) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  mlirplug_host_destroy(provider->host);
  provider->host = NULL;
  return MLIRPLUG_FAILED;
}

/// Opening a library runs code of it, and one that is damaged can end the
/// process; so a child tries it first. What ended the child, to be freed; null
/// if nothing did, or if no child can be had.
static char *provider_probe(const struct doctor_provider *provider) {
  enum { survived = 77, seconds = 60 };
  pid_t child = fork();
  if (child == 0) {
    struct doctor_provider copy = *provider;
    alarm(seconds);
    (void)provider_attach(&copy, NULL);
    _exit(survived);
  }
  int status = 0;
  pid_t ended = -1;
  if (child > 0)
    do
      ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
  if (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == survived))
    return NULL;
  char *found = NULL;
  int length;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    length = asprintf(&found, "opening it takes more than %d seconds", seconds);
  else if (WIFSIGNALED(status))
    length = asprintf(&found, "opening it ends the process: %s",
                      strsignal(WTERMSIG(status)));
  else
    length = asprintf(&found, "opening it ends the process with status %d",
                      WEXITSTATUS(status));
  return length < 0 ? NULL : found;
}

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
  if (provider->is_installed || provider->in_use)
    doctor_note_error(doctor, "provider", error);
  mlirplug_error_destroy(error);
}

static void crash_note(struct doctor *doctor, struct doctor_provider *provider,
                       char *found) {
  provider->failure = found;
  char *what = NULL;
  if (asprintf(&what, "cannot attach the provider '%s': %s", provider->name,
               found) < 0)
    doctor->failed = true;
  else
    doctor_note(doctor, "provider", provider->name, what, remedy);
  free(what);
}

static void provider_open(struct doctor *doctor,
                          struct doctor_provider *provider) {
  mlirplug_error *error = NULL;
  provider->is_installed = true;
  char *crash = provider_probe(provider);
  if (crash)
    crash_note(doctor, provider, crash);
  else if (provider_attach(provider, &error) != MLIRPLUG_OK)
    failure_note(doctor, provider, error);
  else if (provider->in_use && !provider->description->runs_passes)
    doctor_note(doctor, "provider", provider->name,
                "this MLIR cannot run passes of plugins: its C API has no "
                "mlirCreateExternalPass",
                "use --provider=static");
}

static void provider_add(struct doctor *doctor, const char *name, bool in_use) {
  struct doctor_provider *providers = reallocarray(
      doctor->providers, doctor->provider_count + 1, sizeof *providers);
  if (!providers) {
    doctor->failed = true;
    return;
  }
  doctor->providers = providers;
  struct doctor_provider *added = &providers[doctor->provider_count++];
  *added = (struct doctor_provider){.name = name, .in_use = in_use};
  provider_open(doctor, added);
}

void doctor_open_providers(struct doctor *doctor) {
  const char *asked = doctor->arguments->provider;
  const char *used = asked ? asked : "static", *kind;
  bool is_kind = false;
  for (size_t i = 0; (kind = mlirplug_provider_kind(i)); ++i) {
    bool in_use = strcmp(kind, used) == 0;
    is_kind = is_kind || in_use;
    provider_add(doctor, kind, in_use);
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

static void functions_print(const mlirplug_provider_description *description,
                            FILE *stream) {
  size_t count = description->missing_count;
  fprintf(stream, "    functions: %zu of %zu", description->function_count,
          description->function_count + count);
  for (size_t i = 0; i < count && i < functions_shown; ++i)
    fprintf(stream, "%s%s (seen in %s)", i ? ", " : "; without ",
            description->missing[i]->name, description->missing[i]->seen);
  if (count > functions_shown)
    fprintf(stream, " and %zu more", count - functions_shown);
  fputc('\n', stream);
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
    fputs("    has no extension of mlirplug: diagnostics are errors, and no "
          "pass runs on all functions (@function)\n",
          stream);
}

static void providers_print(const struct doctor *doctor, FILE *stream) {
  for (size_t i = 0; i < doctor->provider_count; ++i) {
    const struct doctor_provider *provider = &doctor->providers[i];
    fputs("  ", stream);
    describe_text(stream, provider->name);
    fputs(provider->in_use ? " (in use): " : ": ", stream);
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
  json_field(object, "in_use", json_boolean(provider->in_use), &complete);
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
