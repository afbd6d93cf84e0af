// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/failure.h"

#include "base/shell.h"
#include "isolate/transfer_ir.h"
#include "pass/report.h"
#include "reproduce/reproducer.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// What happened
//===----------------------------------------------------------------------===//

static void limit_add(const struct run *run, struct text *what) {
  uint64_t limit = run->isolated->manager->configuration.isolate_memory_bytes;
  if (limit)
    text_format(what, " (the limit is %llu MiB)",
                (unsigned long long)(limit >> 20));
}

static void signal_add(const struct run *run, int number, struct text *what) {
  const char *name = sigabbrev_np(number);
  bool had_no_memory = run->signal.last_error == ENOMEM;
  if (had_no_memory) {
    text_add(what, "had no memory left");
    limit_add(run, what);
  }
  text_format(what, "%scrashed (SIG%s)", had_no_memory ? " and " : "",
              name ? name : "???");
}

/// Whether what LLVM says is that there is no memory.
static bool is_about_memory(const char *reason) {
  return strcasestr(reason, "out of memory") ||
         strcasestr(reason, "allocation failed") ||
         strcasestr(reason, "unable to allocate");
}

static void status_add(const struct run *run, struct text *what) {
  int status = run->child.status;
  if (!run->child.has_status)
    text_add(what, "ended the process");
  else if (WIFEXITED(status))
    text_format(what, "ended the process with exit status %d",
                WEXITSTATUS(status));
  else if (WTERMSIG(status) == SIGKILL)
    text_add(what, "was killed (SIGKILL), as the system does when memory runs "
                   "out");
  else
    signal_add(run, WTERMSIG(status), what);
}

static void what_add(const struct run *run, struct text *what) {
  if (run->child.end == CHILD_TIMED_OUT)
    text_format(what, "took longer than %g s and was stopped",
                run->isolated->manager->configuration.pass_timeout_seconds);
  else if (run->child.end == CHILD_BROKEN)
    text_add(what,
             "wrote to descriptors that are not its own, and was stopped");
  else if (run->fatal && is_about_memory(run->fatal)) {
    text_add(what, "had no memory left");
    limit_add(run, what);
    text_format(what, ": %s", run->fatal);
  } else if (run->fatal)
    text_format(what, "ended in a fatal error of LLVM: %s", run->fatal);
  else if (run->signal.number)
    signal_add(run, run->signal.number, what);
  else
    status_add(run, what);
}

//===----------------------------------------------------------------------===//
// The reproducer
//===----------------------------------------------------------------------===//

static void chunk_add(MlirStringRef chunk, void *text) {
  text_add_bytes(text, chunk.data, chunk.length);
}

static bool content_make(const struct run *run, struct text *content) {
  const struct isolated *isolated = run->isolated;
  const struct session *session = isolated->place->session;
  const struct isolate_functions *functions =
      &isolated->manager->isolation->functions;
  functions->mlirOperationPrint(run->root, chunk_add, content);
  text_add(content, "\n");
  struct reproducer_facts facts = {
      .pipeline = isolated->pipeline,
      .disable_threading =
          functions->mlirContextGetNumThreads(session->context) <= 1,
      .verify = isolated->manager->configuration.verify,
      .allow_unregistered_dialects =
          functions->mlirContextGetAllowUnregisteredDialects(session->context),
      .provider = binding_description(session->binding),
      .plugins = &isolated->plugin,
      .plugin_count = 1,
  };
  return reproducer_print(&facts, content, NULL) == MLIRPLUG_OK &&
         !content->failed;
}

static bool file_fill(int descriptor, const struct text *content) {
  size_t done = 0;
  while (done < content->length) {
    ssize_t count =
        write(descriptor, content->bytes + done, content->length - done);
    if (count < 0 && errno != EINTR)
      return false;
    done += count > 0 ? (size_t)count : 0;
  }
  return true;
}

/// Writes a new file, and its path to `path`. False with what stood in the way
/// in `reason`.
static bool reproducer_write(const struct run *run, struct text *path,
                             struct error_buffer *reason) {
  const struct isolated *isolated = run->isolated;
  const char *directory =
      isolated->manager->configuration.isolate_reproducer_directory;
  const char *temporary = secure_getenv("TMPDIR");
  if (!directory)
    directory = temporary && temporary[0] == '/' ? temporary : "/tmp";
  text_format(path, "%s/mlirplug-%s-XXXXXX.mlir", directory,
              isolated->place->node->name);
  struct text content = {0};
  int descriptor = -1;
  bool written = false;
  errno = ENOMEM;
  if (!path->failed && content_make(run, &content)) {
    descriptor = mkstemps(path->bytes, (int)strlen(".mlir"));
    written = descriptor >= 0 && file_fill(descriptor, &content);
  }
  if (!written)
    error_format(reason, "cannot write the reproducer '%s': %m",
                 path->bytes ? path->bytes : "");
  if (descriptor >= 0)
    close(descriptor);
  text_release(&content);
  return written;
}

static void reproducer_tell(const struct run *run, struct text *note) {
  struct text path = {0};
  struct error_buffer reason = {{0}};
  if (reproducer_write(run, &path, &reason))
    text_format(note, "to run it again: mlirplug opt --run-reproducer %s",
                path.bytes);
  else
    text_add(note, reason.bytes);
  text_release(&path);
}

//===----------------------------------------------------------------------===//
// Saying it
//===----------------------------------------------------------------------===//

static MlirLocation place_of(const struct run *run) {
  const struct place *place = run->isolated->place;
  MlirLocation found = {NULL};
  if (run->place)
    found = location_read(&run->isolated->manager->isolation->functions,
                          place->session->context, run->place);
  return found.ptr ? found : place->api->mlirOperationGetLocation(run->root);
}

/// "pass 'x' of plugin 'id' 1.0.0 (/x.so) "
static void subject_add(const struct run *run, struct text *text) {
  const mlirplug_plugin_description *plugin =
      run->isolated->place->node->plugin;
  text_format(text, "pass '%s' of plugin '%s' %s (%s) ",
              run->isolated->place->node->name, plugin->id, plugin->version,
              plugin->path);
}

static void fault_report(const struct run *run) {
  struct text text = {0}, note = {0};
  subject_add(run, &text);
  what_add(run, &text);
  reproducer_tell(run, &note);
  MlirLocation location = place_of(run);
  struct report_note notes = {location,
                              provider_string(note.bytes ? note.bytes : "")};
  report_with_notes(run->isolated->place->api, location, MlirDiagnosticError,
                    provider_string(text.failed ? "out of memory" : text.bytes),
                    &notes, note.bytes != NULL);
  text_release(&text);
  text_release(&note);
}

static void plain_report(const struct run *run, const char *what) {
  struct text text = {0};
  subject_add(run, &text);
  text_add(&text, what);
  report_error(run->isolated->place->api, place_of(run), "%s",
               text.failed ? "out of memory" : text.bytes);
  text_release(&text);
}

/// Not the plugin's fault: the program is another one, or its limits are too
/// tight.
static void start_report(const struct run *run) {
  struct text what = {0};
  what_add(run, &what);
  plain_report(run, error_text("cannot be isolated: before it began, its "
                               "process %s",
                               what.bytes ? what.bytes : "ended"));
  text_release(&what);
}

bool failure_report(struct run *run) {
  if (run->outcome == MESSAGE_UNCHANGED && !run->has_no_memory)
    return true;
  if (run->outcome == MESSAGE_CHANGED && !run->has_no_memory &&
      !run->is_unreadable)
    return true;
  if (run->has_no_memory)
    plain_report(run, "wrote more records than there is memory for");
  else if (run->outcome == MESSAGE_CHANGED)
    plain_report(run, "has made IR that cannot be read here");
  else if (run->refused)
    plain_report(run, error_text("cannot be isolated: %s", run->refused));
  else if (run->child.end == CHILD_CANCELLED)
    return false; // What is said then is said once, for the whole run.
  else if (run->outcome == MESSAGE_NOT_DONE && !run->has_begun)
    start_report(run);
  else if (run->outcome == MESSAGE_NOT_DONE)
    fault_report(run);
  else if (!run->has_error)
    plain_report(run, "failed");
  return false;
}

void failure_report_start(const struct run *run, int error) {
  const char *program =
      run->isolated->manager->configuration.isolate_command[0];
  errno = error;
  plain_report(run, error_text("cannot be isolated: '%s' cannot be started: %m",
                               program));
}
