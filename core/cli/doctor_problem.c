// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the doctor found to be wrong.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <stdlib.h>
#include <string.h>

/// Takes `problem`, whose strings are null where memory ran out.
static void problem_keep(struct doctor *doctor, struct doctor_problem problem) {
  struct doctor_problem *problems = reallocarray(
      doctor->problems, doctor->problem_count + 1, sizeof *problems);
  if (problems)
    doctor->problems = problems;
  if (problems && problem.subject && problem.what && problem.remedy) {
    problems[doctor->problem_count++] = problem;
    return;
  }
  free(problem.subject);
  free(problem.what);
  free(problem.remedy);
  doctor->failed = true;
}

void doctor_note(struct doctor *doctor, const char *about, const char *subject,
                 const char *what, const char *remedy) {
  problem_keep(doctor, (struct doctor_problem){about, strdup(subject),
                                               strdup(what), strdup(remedy)});
}

/// The message without the remedy that ends it.
static char *error_describe(const mlirplug_error *error) {
  size_t length = strlen(error->message);
  size_t tail = error->remedy ? strlen(error->remedy) + 2 : 0;
  bool has_tail = tail && length > tail &&
                  memcmp(error->message + length - tail, "; ", 2) == 0;
  return strndup(error->message, has_tail ? length - tail : length);
}

/// Refusals come last, and each of them once.
static bool is_noted(const struct doctor *doctor, const char *what) {
  for (size_t i = 0; i < doctor->problem_count; ++i) {
    const struct doctor_problem *problem = &doctor->problems[i];
    if (strcmp(problem->about, "refused") == 0)
      return false;
    if (strcmp(problem->what, what) == 0)
      return true;
  }
  return false;
}

void doctor_note_error(struct doctor *doctor, const char *about,
                       const mlirplug_error *error) {
  char *what = error_describe(error);
  if (what && is_noted(doctor, what)) {
    free(what);
    return;
  }
  char *remedy = NULL;
  if (asprintf(&remedy, "%s%s", error->remedy ? error->remedy : "",
               error->untrusted ? "; to use it nonetheless: --trust=any" : "") <
      0)
    remedy = NULL;
  problem_keep(doctor, (struct doctor_problem){
                           about, strdup(error->subject ? error->subject : ""),
                           what, remedy});
}

static void problem_print(const struct doctor_problem *problem, size_t number,
                          FILE *stream) {
  fprintf(stream, "  %zu. ", number);
  describe_text(stream, problem->what);
  if (*problem->remedy) {
    fputs("\n     To do: ", stream);
    describe_text(stream, problem->remedy);
  }
  fputc('\n', stream);
}

void doctor_print_problems(const struct doctor *doctor, FILE *stream) {
  if (!doctor->problem_count) {
    fputs("No problems.\n", stream);
    return;
  }
  size_t refusals = 0;
  fprintf(stream, "Problems (%zu):\n", doctor->problem_count);
  for (size_t i = 0; i < doctor->problem_count; ++i) {
    const struct doctor_problem *problem = &doctor->problems[i];
    bool is_refusal = strcmp(problem->about, "refused") == 0;
    if (is_refusal && ++refusals > doctor_refusals_shown)
      continue;
    problem_print(problem, i + 1, stream);
  }
  if (refusals > doctor_refusals_shown)
    fprintf(stream, "  and %zu more that were refused; --json has them all\n",
            refusals - doctor_refusals_shown);
}

static json_t *problem_make(const struct doctor *doctor, size_t index) {
  const struct doctor_problem *problem = &doctor->problems[index];
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "about", json_string(problem->about), &complete);
  json_field(object, "subject", json_text(problem->subject), &complete);
  json_field(object, "what", json_text(problem->what), &complete);
  json_field(object, "remedy", json_text(problem->remedy), &complete);
  return json_finish(object, complete);
}

json_t *doctor_make_problems(const struct doctor *doctor) {
  return doctor_make_list(doctor, doctor->problem_count, problem_make);
}

void doctor_release_problems(struct doctor *doctor) {
  for (size_t i = 0; i < doctor->problem_count; ++i) {
    free(doctor->problems[i].subject);
    free(doctor->problems[i].what);
    free(doctor->problems[i].remedy);
  }
  free(doctor->problems);
}
