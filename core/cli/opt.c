// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug opt: inputs through a pipeline to a destination.

#include "cli/context.h"
#include "cli/crash.h"
#include "cli/destination.h"
#include "cli/engine.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/object.h"
#include "cli/output.h"
#include "cli/plugins.h"
#include "cli/replay.h"
#include "cli/same_file.h"
#include "cli/verification.h"

#include <stdlib.h>
#include <string.h>

struct opt {
  const struct arguments *arguments;
  struct console *console;
  struct inputs inputs;
  struct destination destination;
  struct records records;
  struct engine engine;
  char *standard_content; ///< The text of standard input, once read.
  size_t succeeded;       ///< Inputs that went all the way.
};

//===----------------------------------------------------------------------===//
// What makes no sense
//===----------------------------------------------------------------------===//

static bool word_check(const char *flag, const char *value,
                       const char *const *words, const char *expected,
                       struct console *console) {
  for (; *words; ++words)
    if (!value || strcmp(value, *words) == 0)
      return true;
  console_error(console, "'--%s' is '%s'; expected %s", flag, value, expected);
  return false;
}

static bool words_check(const struct arguments *arguments,
                        struct console *console) {
  static const char *const levels[] = {"", "all", "only-expected", NULL};
  static const char *const verbosities[] = {"errors", "warnings", "remarks",
                                            NULL};
  static const char *const formats[] = {"emitRemark", "yaml", "bitstream",
                                        NULL};
  static const char *const policies[] = {"all", "final", NULL};
  return word_check("remark-format", arguments->remark_format, formats,
                    "emitRemark, yaml or bitstream", console) &&
         word_check("remark-policy", arguments->remark_policy, policies,
                    "all or final", console) &&
         word_check("verify-diagnostics", arguments->verify_diagnostics, levels,
                    "all or only-expected", console) &&
         word_check("mlir-diagnostic-verbosity-level", arguments->verbosity,
                    verbosities, "errors, warnings or remarks", console);
}

/// How messages look from here on.
static bool form_set(const char *form, struct console *console) {
  console->json = form && strcmp(form, "json") == 0;
  if (!form || console->json || strcmp(form, "text") == 0)
    return true;
  console_error(console, "'--diagnostics' is '%s'; expected text or json",
                form);
  return false;
}

static bool usage_check(const struct arguments *arguments,
                        struct console *console) {
  if (arguments->pipeline && arguments->passes.count) {
    console_error(console,
                  "'%s' and --pass-pipeline are two ways to say what runs; put "
                  "the pass into the pipeline, or leave the pipeline out",
                  arguments->passes.items[0].written);
    return false;
  }
  struct containment containment;
  if (!form_set(arguments->diagnostics, console) ||
      !flags_check(&arguments->passes, console) ||
      !containment_read(arguments, &containment, console))
    return false;
  containment_release(&containment);
  if (!words_check(arguments, console))
    return false;
  if (!arguments->records || !arguments->output)
    return true;
  if (!same_file(arguments->records, arguments->output))
    return true;
  bool standard = strcmp(arguments->output, "-") == 0;
  console_error(console,
                "-o and --records both name %s%s%s; name another for "
                "one of them",
                standard ? "standard output" : "'",
                standard ? "" : arguments->output, standard ? "" : "'");
  return false;
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

/// What became of an input or of a part.
enum outcome {
  INPUT_DONE,
  INPUT_FAILED,  ///< The next one may do better.
  OUTPUT_FAILED, ///< The next one will not.
};

/// An input while it is worked on.
struct work {
  struct opt *opt;
  const struct input *input;
  const char *content; ///< Null if MLIR reads it itself.
  size_t length;
  char *file; ///< Holds `content`, if it is a file's.
  struct parts parts;
  struct memory ir; ///< What is printed.
};

static bool standard_prepare(struct opt *opt) {
  struct source *source = &opt->engine.diagnostics.source;
  size_t length = 0;
  if (!input_standard_read(&opt->standard_content, &length, opt->console))
    return false;
  source->standard = opt->standard_content;
  source->standard_length = length;
  return true;
}

static void near_miss_say(size_t line, size_t column, void *user_data) {
  struct work *work = user_data;
  diagnostics_say(&work->opt->engine.diagnostics, work->input->name, line,
                  column, "warning", "near miss with file split marker");
}

/// Runs the passes and prints the result.
static bool root_process(struct work *work, MlirOperation root,
                         void *resources) {
  struct opt *opt = work->opt;
  bool succeeded = engine_run(&opt->engine, root, work->input);
  actions_flush(&opt->engine.actions);
  if (!succeeded)
    return false;
  mlirplug_timing_begin(opt->engine.observation.timing, "Output");
  bool printed = opt->destination.kind == DESTINATION_NOWHERE ||
                 engine_print(&opt->engine, root, resources, work->ir.stream);
  mlirplug_timing_end(opt->engine.observation.timing);
  return printed;
}

/// Records are kept aside meanwhile.
static enum outcome part_process(struct work *work, const struct part *part) {
  struct opt *opt = work->opt;
  enum outcome outcome = INPUT_FAILED;
  void *resources = reading_resources_create();
  mlirplug_timing_begin(opt->engine.observation.timing, "Parser");
  MlirOperation root = engine_parse(&opt->engine, work->input, part, resources);
  mlirplug_timing_end(opt->engine.observation.timing);
  if (root.ptr) {
    outcome = OUTPUT_FAILED;
    if (records_input_begin(&opt->records)) {
      bool succeeded = root_process(work, root, resources);
      if (records_input_end(&opt->records, succeeded))
        outcome = succeeded ? INPUT_DONE : INPUT_FAILED;
    }
    mlirOperationDestroy(root);
  }
  reading_resources_destroy(resources);
  return outcome;
}

/// Some may fail and the others go on.
static enum outcome parts_process(struct work *work) {
  const char *marker = work->opt->arguments->output_marker;
  enum outcome outcome = INPUT_DONE;
  for (size_t i = 0; i < work->parts.count && outcome != OUTPUT_FAILED; ++i) {
    if (i)
      fprintf(work->ir.stream, "%s\n", marker ? marker : argument_split_marker);
    enum outcome of_part = part_process(work, &work->parts.items[i]);
    if (of_part != INPUT_DONE)
      outcome = of_part;
  }
  return outcome;
}

/// With --verify-diagnostics it only matters whether they are as expected.
static enum outcome parts_verify(struct work *work) {
  struct opt *opt = work->opt;
  const char *level = opt->arguments->verify_diagnostics;
  struct verification verification;
  if (!level)
    return parts_process(work);
  if (!verification_begin(&verification, &opt->engine.diagnostics,
                          work->input->name, work->content, work->length,
                          strcmp(level, "only-expected") == 0))
    return OUTPUT_FAILED;
  enum outcome outcome = parts_process(work);
  bool fine = verification_end(&verification);
  if (outcome == OUTPUT_FAILED)
    return outcome;
  return fine ? INPUT_DONE : INPUT_FAILED;
}

/// Whether what came out of an input that failed is shown nonetheless, as
/// mlir-opt does it: the parts of a file are for themselves.
static bool is_shown(const struct opt *opt) {
  const struct arguments *arguments = opt->arguments;
  return opt->destination.kind == DESTINATION_STANDARD &&
         (arguments->split_marker || arguments->verify_diagnostics);
}

/// The input's text, for all that needs it.
static bool text_read(struct work *work) {
  struct opt *opt = work->opt;
  if (input_is_standard(work->input)) {
    if (!standard_prepare(opt))
      return false;
    work->content = opt->standard_content;
    work->length = opt->engine.diagnostics.source.standard_length;
    return true;
  }
  if (!reading_needs_text(opt->arguments))
    return true;
  if (!reading_file(work->input->path, &work->file, &work->length,
                    opt->console))
    return false;
  work->content = work->file;
  return true;
}

static enum outcome work_do(struct work *work) {
  struct opt *opt = work->opt;
  if (!text_read(work))
    return INPUT_FAILED;
  if (!parts_cut(&work->parts, work->content, work->length,
                 opt->arguments->split_marker, near_miss_say, work) ||
      !memory_open(&work->ir)) {
    console_error(opt->console, "out of memory");
    return OUTPUT_FAILED;
  }
  enum outcome outcome = parts_verify(work);
  if (!memory_close(&work->ir)) {
    console_error(opt->console, "cannot keep the IR of '%s': out of memory",
                  work->input->name);
    return INPUT_FAILED;
  }
  bool is_wanted =
      outcome == INPUT_DONE || (outcome == INPUT_FAILED && is_shown(opt));
  if (is_wanted && !destination_add(&opt->destination, work->input,
                                    work->ir.bytes, work->ir.length))
    return OUTPUT_FAILED;
  return outcome;
}

static enum outcome input_process(struct opt *opt, const struct input *input) {
  struct work work = {.opt = opt, .input = input};
  enum outcome outcome = work_do(&work);
  memory_release(&work.ir);
  parts_release(&work.parts);
  free(work.file);
  return outcome;
}

/// True if every input went all the way.
static bool inputs_process(struct opt *opt) {
  enum outcome outcome = INPUT_DONE;
  const char *pipeline = opt->engine.pipeline
                             ? mlirplug_pipeline_text(opt->engine.pipeline)
                             : NULL;
  for (size_t i = 0; i < opt->inputs.count && outcome != OUTPUT_FAILED; ++i) {
    const struct input *input = &opt->inputs.items[i];
    console_progress(opt->console, i + 1, opt->inputs.count, input->name);
    crash_expect(input->name, pipeline, opt->console->progress_shown);
    outcome = input_process(opt, input);
    opt->succeeded += outcome == INPUT_DONE;
  }
  console_progress_end(opt->console);
  crash_expect(NULL, NULL, false);
  return opt->succeeded == opt->inputs.count && !opt->inputs.failed;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static enum command_status process(struct opt *opt, mlirplug_host *host) {
  enum command_status status = engine_begin(&opt->engine, host, opt->arguments,
                                            &opt->records, opt->console);
  if (status == COMMAND_OK) {
    bool fine = inputs_process(opt);
    fine = destination_end(&opt->destination, !fine) && fine;
    fine = records_end(&opt->records, opt->succeeded > 0) && fine;
    fine = engine_report(&opt->engine) && fine;
    status = fine ? COMMAND_OK : COMMAND_FAILED;
  }
  engine_end(&opt->engine);
  free(opt->standard_content);
  return status;
}

static enum command_status opt_run(const struct arguments *arguments,
                                   mlirplug_host *host,
                                   struct console *console) {
  struct opt opt = {.arguments = arguments, .console = console};
  if (!inputs_collect(&arguments->inputs, &opt.inputs, console))
    return COMMAND_WRONG_USAGE;
  struct replay replay = {.reproducer = NULL};
  enum command_status status = COMMAND_FAILED;
  if (arguments->run_reproducer) {
    status = replay_begin(&replay, arguments, &opt.inputs, host, console);
    if (status != COMMAND_OK) {
      replay_end(&replay);
      inputs_release(&opt.inputs);
      return status;
    }
    opt.arguments = arguments = &replay.arguments;
    status = COMMAND_FAILED;
  }
  if (!object_check(arguments, opt.inputs.count, console) ||
      !destination_begin(&opt.destination, arguments, &opt.inputs, console) ||
      !records_begin(&opt.records, arguments->records, &opt.inputs, console))
    status = COMMAND_WRONG_USAGE;
  else if (destination_check(&opt.destination) && records_check(&opt.records) &&
           opt.inputs.count)
    status = process(&opt, host);
  destination_end(&opt.destination, true);
  records_end(&opt.records, false);
  replay_end(&replay);
  inputs_release(&opt.inputs);
  return status;
}

/// Help and lists, which need plugins but no MLIR.
static enum command_status passes_print(const struct arguments *arguments,
                                        const mlirplug_host *host,
                                        struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return COMMAND_FAILED;
  }
  bool has_plugins = mlirplug_host_plugin_count(host);
  if (arguments->help)
    help_command(ARGUMENT_OPT, memory.stream);
  if (arguments->help && has_plugins)
    fputs("\nPasses of plugins:\n\n", memory.stream);
  plugins_describe(host, memory.stream, arguments->help ? "--" : "");
  bool written = output_memory(console, &memory);
  plugins_note_cxx(console, &arguments->plugins);
  if (!arguments->help && !has_plugins && !arguments->plugins.count)
    console_warning("no plugin is given or found (--load-pass-plugin=FILE, "
                    "--plugin-dir=DIR), and the "
                    "passes of MLIR itself are not listed",
                    console);
  return written ? COMMAND_OK : COMMAND_FAILED;
}

static enum command_status dialects_show(const struct arguments *arguments,
                                         mlirplug_host *host,
                                         struct console *console) {
  return engine_attach(host, arguments, console) &&
                 context_show_dialects(arguments, host, console)
             ? COMMAND_OK
             : COMMAND_FAILED;
}

static enum command_status watched_run(const struct arguments *arguments,
                                       struct console *console) {
  bool prints = arguments->help || arguments->list_passes;
  mlirplug_host *host = plugins_host_create(arguments, console);
  if (!host)
    return COMMAND_FAILED;
  bool all = plugins_add(host, console, &arguments->plugins, true);
  all =
      plugins_search(host, console, arguments, &arguments->inputs, true) && all;
  if (!all)
    plugins_explain_names(host, console, &arguments->plugins);
  enum command_status status = COMMAND_FAILED;
  if (all && arguments->show_dialects)
    status = dialects_show(arguments, host, console);
  else if (prints)
    status = passes_print(arguments, host, console);
  else if (all && !arguments->pipeline)
    flags_warn_hidden(host, console);
  if (all && !prints && !arguments->show_dialects)
    status = opt_run(arguments, host, console);
  mlirplug_host_destroy(host);
  return all ? status : COMMAND_FAILED;
}

enum command_status command_opt(const struct arguments *arguments,
                                struct console *console) {
  if (!arguments->help && !arguments->list_passes &&
      !usage_check(arguments, console))
    return COMMAND_WRONG_USAGE;
  crash_watch();
  enum command_status status = watched_run(arguments, console);
  crash_watch_end();
  return status;
}
