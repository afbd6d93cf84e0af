// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug doctor: what its parts share. It looks at everything that
// `mlirplug opt` would use, section by section, and collects what is wrong.

#ifndef MLIRPLUG_CLI_DOCTOR_H
#define MLIRPLUG_CLI_DOCTOR_H

#include "cli/command.h"

#include <mlirplug/signature.h>

#include <jansson.h>
#include <stdio.h>

/// Something that is wrong, and what to do about it. Strings are owned.
struct doctor_problem {
  const char *about; ///< "provider", "directory", "plugin", "refused", …
  char *subject;     ///< The file, directory or pass; may be empty.
  char *what;        ///< One line.
  char *remedy;      ///< May be empty.
};

/// A copy of MLIR that passes could run on.
struct doctor_provider {
  const char *name;  ///< As one would ask for it: "static", or a path.
  bool is_wanted;    ///< `mlirplug opt` would take it, if it can be opened.
  bool is_installed; ///< False if it comes with mlirplug and is not there.
  char *failure;     ///< Why it cannot be opened; null if it was. Owned.
  // Null unless it was opened:
  mlirplug_host *host;
  mlirplug_provider_description *description;
};

struct doctor {
  const struct arguments *arguments;
  struct console *console;
  mlirplug_host *host; ///< Has the plugins, and no copy of MLIR.
  struct doctor_provider *providers;
  size_t provider_count;
  struct doctor_problem *problems;
  size_t problem_count;
  char **warnings; ///< Of the host; lines, owned.
  size_t warning_count;
  mlirplug_demands_description *demands;
  bool failed; ///< Memory ran out: something is missing.
};

/// A part of the report. Another one is another row of the table in doctor.c.
struct doctor_section {
  const char *title; ///< In the text.
  const char *key;   ///< In the JSON.
  /// Looks for problems; may be null.
  void (*examine)(struct doctor *doctor);
  /// Prints lines that begin with two spaces; none leaves the section out.
  void (*print)(const struct doctor *doctor, FILE *stream);
  /// The same as JSON; null if memory runs out.
  json_t *(*make)(const struct doctor *doctor);
};

extern const struct doctor_section doctor_self;
extern const struct doctor_section doctor_providers;
extern const struct doctor_section doctor_configuration;
extern const struct doctor_section doctor_search_path;
extern const struct doctor_section doctor_signatures;
extern const struct doctor_section doctor_plugins;
extern const struct doctor_section doctor_refused;
extern const struct doctor_section doctor_warnings;
extern const struct doctor_section doctor_environment;

/// Takes note of an error of the library, which stays the caller's. One that is
/// known already is not noted again.
void doctor_note_error(struct doctor *doctor, const char *about,
                       const mlirplug_error *error);

/// The same in the doctor's own words; the strings are copied.
void doctor_note(struct doctor *doctor, const char *about, const char *subject,
                 const char *what, const char *remedy);

/// The problems as a numbered list, and as JSON.
void doctor_print_problems(const struct doctor *doctor, FILE *stream);
json_t *doctor_make_problems(const struct doctor *doctor);
void doctor_release_problems(struct doctor *doctor);

/// Adds plugins and directories to the doctor's host, as the arguments say.
void doctor_search(struct doctor *doctor);

/// Looks at policies and keys; the caller destroys `doctor->demands`.
void doctor_survey_signatures(struct doctor *doctor);

/// Opens all copies of MLIR; the caller calls doctor_close_providers.
void doctor_open_providers(struct doctor *doctor);
void doctor_close_providers(struct doctor *doctor);

/// As many refusals as the text shows; JSON has all.
enum { doctor_refusals_shown = 20 };

/// An array of what `make` makes of each index; null if memory runs out.
json_t *doctor_make_list(const struct doctor *doctor, size_t count,
                         json_t *(*make)(const struct doctor *, size_t));

#endif // MLIRPLUG_CLI_DOCTOR_H
