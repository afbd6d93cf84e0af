// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/actions.h"

#include "cli/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// What the provider does: bundle/extension/extension.h
//===----------------------------------------------------------------------===//

struct action_counter {
  MlirStringRef name;
  bool is_limit;
  int64_t value;
};

struct action_request {
  MlirStringRef log_to;
  MlirStringRef profile_to;
  bool debugger_hook;
  const MlirStringRef *filters;
  intptr_t filter_count;
  const struct action_counter *counters;
  intptr_t counter_count;
};

MLIRPLUG_FUNCTION(void *, mlirplugExtActionsObserve,
                  (MlirContext context, const struct action_request *request,
                   MlirStringCallback complain, void *user_data),
                  (context, request, complain, user_data))

MLIRPLUG_PROCEDURE(mlirplugExtActionsFlush, (void *actions), (actions))

MLIRPLUG_PROCEDURE(mlirplugExtActionsEnd,
                   (void *actions, bool print_counters,
                    MlirStringCallback print, void *user_data),
                   (actions, print_counters, print, user_data))

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

static bool counter_refuse(struct console *console, const char *text,
                           int length, const char *what) {
  console_error(console,
                "'--mlir-debug-counter=%.*s' %s; write NAME-skip=N or "
                "NAME-count=N, such as pass-execution-skip=1",
                length, text, what);
  return false;
}

/// Takes the end off `name` if it is `ending`.
static bool ending_take(MlirStringRef *name, const char *ending) {
  size_t length = strlen(ending);
  if (name->length <= length ||
      memcmp(name->data + name->length - length, ending, length) != 0)
    return false;
  name->length -= length;
  return true;
}

/// Reads "pass-execution-skip=1".
static bool counter_parse(const char *text, int length,
                          struct action_counter *counter,
                          struct console *console) {
  const char *equals = memchr(text, '=', (size_t)length);
  if (!equals)
    return counter_refuse(console, text, length, "has no '='");
  char *end;
  errno = 0;
  counter->value = strtoll(equals + 1, &end, 0);
  if (end == equals + 1 || end != text + length || errno)
    return counter_refuse(console, text, length, "has no number behind '='");
  counter->name = mlirStringRefCreate(text, (size_t)(equals - text));
  counter->is_limit = ending_take(&counter->name, "-count");
  if (counter->is_limit || ending_take(&counter->name, "-skip"))
    return true;
  return counter_refuse(console, text, length,
                        "ends neither with -skip nor with -count");
}

//===----------------------------------------------------------------------===//
// The request
//===----------------------------------------------------------------------===//

/// The parts of `text` between commas, one after the other; false at the end.
static bool part_next(const char **text, int *length) {
  *length = (int)strcspn(*text, ",");
  return *length > 0 || **text == ',';
}

static size_t parts_count(const struct argument_texts *texts) {
  size_t count = 0;
  for (size_t i = 0; i < texts->count; ++i)
    for (const char *c = texts->items[i]; c; c = strchr(c + 1, ','))
      ++count;
  return count;
}

static bool counters_parse(const struct argument_texts *texts,
                           struct action_counter *counters, intptr_t *count,
                           struct console *console) {
  for (size_t i = 0; i < texts->count; ++i) {
    const char *text = texts->items[i];
    for (int length; part_next(&text, &length); text += length) {
      if (length && !counter_parse(text, length, &counters[*count], console))
        return false;
      *count += length > 0;
      length += text[length] == ',';
    }
  }
  return true;
}

static void filters_parse(const struct argument_texts *texts,
                          MlirStringRef *filters, intptr_t *count) {
  for (size_t i = 0; i < texts->count; ++i) {
    const char *text = texts->items[i];
    for (int length; part_next(&text, &length); text += length) {
      if (length)
        filters[(*count)++] = mlirStringRefCreate(text, (size_t)length);
      length += text[length] == ',';
    }
  }
}

static MlirStringRef text_or_none(const char *text) {
  return mlirStringRefCreateFromCString(text ? text : "");
}

static void complain(MlirStringRef text, void *user_data) {
  console_error(user_data, "'--log-mlir-actions-filter' cannot be read: %.*s",
                (int)text.length, text.data);
}

/// `filters` and `counters` have the room they need.
static enum command_status observe(struct actions *actions,
                                   const struct arguments *arguments,
                                   MlirContext context, MlirStringRef *filters,
                                   struct action_counter *counters) {
  struct console *console = actions->console;
  struct action_request request = {
      .log_to = text_or_none(arguments->log_actions),
      .profile_to = text_or_none(arguments->profile_actions),
      .debugger_hook = arguments->debugger_hook,
      .filters = filters,
      .counters = counters,
  };
  filters_parse(&arguments->action_filters, filters, &request.filter_count);
  if (!counters_parse(&arguments->debug_counters, counters,
                      &request.counter_count, console))
    return COMMAND_WRONG_USAGE;
  bool observes = request.log_to.length || request.profile_to.length ||
                  request.debugger_hook;
  if (observes && (request.counter_count || arguments->print_counters))
    console_warning("--mlir-debug-counter and --mlir-print-debug-counter do "
                    "nothing together with --log-actions-to, "
                    "--profile-actions-to or --mlir-enable-debugger-hook",
                    console);
  actions->print_counters = arguments->print_counters && !observes;
  actions->state =
      mlirplugExtActionsObserve(context, &request, complain, console);
  return actions->state ? COMMAND_OK : COMMAND_WRONG_USAGE;
}

/// The flag that asks for actions, or null.
static const char *flag_of(const struct arguments *arguments) {
  if (arguments->log_actions)
    return "--log-actions-to";
  if (arguments->profile_actions)
    return "--profile-actions-to";
  if (arguments->debugger_hook)
    return "--mlir-enable-debugger-hook";
  if (arguments->debug_counters.count)
    return "--mlir-debug-counter";
  return arguments->print_counters ? "--mlir-print-debug-counter" : NULL;
}

enum command_status actions_begin(struct actions *actions,
                                  const struct arguments *arguments,
                                  MlirContext context,
                                  struct console *console) {
  *actions = (struct actions){.console = console};
  const char *flag = flag_of(arguments);
  if (!flag)
    return COMMAND_OK;
  if (!MLIRPLUG_HAS(mlirplugExtActionsObserve) ||
      !MLIRPLUG_HAS(mlirplugExtActionsFlush) ||
      !MLIRPLUG_HAS(mlirplugExtActionsEnd)) {
    console_error(console,
                  "'%s' needs a provider of mlirplug, of MLIR 17 or later "
                  "(--provider=static or --provider=shared)",
                  flag);
    return COMMAND_FAILED;
  }
  MlirStringRef *filters =
      calloc(parts_count(&arguments->action_filters) + 1, sizeof *filters);
  struct action_counter *counters =
      calloc(parts_count(&arguments->debug_counters) + 1, sizeof *counters);
  enum command_status status = COMMAND_FAILED;
  if (filters && counters)
    status = observe(actions, arguments, context, filters, counters);
  else
    console_error(console, "out of memory");
  free(filters);
  free(counters);
  return status;
}

void actions_flush(const struct actions *actions) {
  if (actions->state)
    mlirplugExtActionsFlush(actions->state);
}

static void part_print(MlirStringRef part, void *stream) {
  fwrite(part.data, 1, part.length, stream);
}

void actions_end(struct actions *actions) {
  if (!actions->state)
    return;
  struct memory memory;
  if (memory_open(&memory)) {
    mlirplugExtActionsEnd(actions->state, actions->print_counters, part_print,
                          memory.stream);
    if (memory_close(&memory) && memory.length)
      console_text(actions->console, memory.bytes, memory.length);
  }
  memory_release(&memory);
  actions->state = NULL;
}
