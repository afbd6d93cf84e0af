// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug opt: inputs through a pipeline to a destination.

#include "cli/crash.h"
#include "cli/destination.h"
#include "cli/engine.h"
#include "cli/flags.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/plugins.h"
#include "cli/same_file.h"

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

static bool usage_check(const struct arguments *arguments,
                        struct console *console) {
  if (arguments->pipeline && arguments->passes.count) {
    console_error(console,
                  "'%s' and --pass-pipeline are two ways to say what runs; put "
                  "the pass into the pipeline, or leave the pipeline out",
                  arguments->passes.items[0].written);
    return false;
  }
  if (!flags_check(&arguments->passes, console))
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

static bool standard_prepare(struct opt *opt) {
  struct source *source = &opt->engine.diagnostics.source;
  size_t length = 0;
  if (!input_standard_read(&opt->standard_content, &length, opt->console))
    return false;
  source->standard = opt->standard_content;
  source->standard_length = length;
  return true;
}

/// Runs the passes and prints the result; records are kept aside meanwhile.
static bool module_process(struct opt *opt, MlirModule module,
                           const struct input *input, struct memory *ir) {
  if (!engine_run(&opt->engine, module, input))
    return false;
  if (!memory_open(ir)) {
    console_error(opt->console, "out of memory");
    return false;
  }
  if (opt->destination.kind != DESTINATION_NOWHERE &&
      !engine_print(&opt->engine, module, ir->stream))
    return false;
  if (memory_close(ir))
    return true;
  console_error(opt->console, "cannot keep the IR of '%s': out of memory",
                input->name);
  return false;
}

/// What became of an input.
enum outcome {
  INPUT_DONE,
  INPUT_FAILED,  ///< The next one may do better.
  OUTPUT_FAILED, ///< The next one will not.
};

static enum outcome input_process(struct opt *opt, const struct input *input) {
  if (input_is_standard(input) && !standard_prepare(opt))
    return INPUT_FAILED;
  MlirModule module = engine_parse(&opt->engine, input);
  if (mlirModuleIsNull(module))
    return INPUT_FAILED;
  struct memory ir = {0};
  enum outcome outcome = OUTPUT_FAILED;
  if (!records_input_begin(&opt->records))
    goto done;
  bool succeeded = module_process(opt, module, input, &ir);
  if (!records_input_end(&opt->records, succeeded))
    goto done;
  outcome = succeeded ? INPUT_DONE : INPUT_FAILED;
  if (succeeded &&
      !destination_add(&opt->destination, input, ir.bytes, ir.length))
    outcome = OUTPUT_FAILED;
done:
  memory_release(&ir);
  mlirModuleDestroy(module);
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
    if (opt->arguments->pass_statistics)
      engine_print_statistics(&opt->engine);
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
  enum command_status status = COMMAND_FAILED;
  if (!destination_begin(&opt.destination, arguments, &opt.inputs, console) ||
      !records_begin(&opt.records, arguments->records, &opt.inputs, console))
    status = COMMAND_WRONG_USAGE;
  else if (destination_check(&opt.destination) && records_check(&opt.records) &&
           opt.inputs.count)
    status = process(&opt, host);
  destination_end(&opt.destination, true);
  records_end(&opt.records, false);
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
  if (!arguments->help && !has_plugins)
    console_warning("no plugin is given or found (--load-pass-plugin=FILE, "
                    "--plugin-dir=DIR), and the "
                    "passes of MLIR itself are not listed",
                    console);
  return written ? COMMAND_OK : COMMAND_FAILED;
}

enum command_status command_opt(const struct arguments *arguments,
                                struct console *console) {
  bool prints = arguments->help || arguments->list_passes;
  if (!prints && !usage_check(arguments, console))
    return COMMAND_WRONG_USAGE;
  crash_watch();
  mlirplug_host *host = plugins_host_create(arguments, console);
  if (!host)
    return COMMAND_FAILED;
  bool all = plugins_add(host, console, &arguments->plugins);
  all =
      plugins_search(host, console, arguments, &arguments->inputs, true) && all;
  if (!all)
    plugins_explain_names(host, console, &arguments->plugins);
  enum command_status status = COMMAND_FAILED;
  if (prints)
    status = passes_print(arguments, host, console);
  else if (all && !arguments->pipeline)
    flags_warn_hidden(host, console);
  if (all && !prints)
    status = opt_run(arguments, host, console);
  mlirplug_host_destroy(host);
  return all ? status : COMMAND_FAILED;
}
