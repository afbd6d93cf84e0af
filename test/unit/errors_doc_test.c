// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/errors.md has every message that is provoked here, and every message in
// it is provoked here but for the few below.

#include "errors_doc.h"

#include <criterion/criterion.h>

#define BEGIN_OPEN "cannot open the plugin '<file>': "
#define BEGIN_ISOLATED "pass '<pass>' of plugin '<id>' <version> (<file>) "
#define BEGIN_READ "cannot read the plugin '<file>': "

/// What cannot be provoked without a broken disk, another system, or want of
/// something that a test must not use up.
static const char *const silent[] = {
    BEGIN_OPEN "it is no regular file; give the plugin's .so file",
    BEGIN_OPEN "the file has changed since its directory was searched; search "
               "the directory again",
    // Needs a Python: end_to_end/python_test.c.
    BEGIN_OPEN "line <n>: <exception>; expected a file that declares its "
               "passes by @mlirplug.pass_; correct the file",
    BEGIN_READ "it cannot be read as an ELF file: <reason>; build or copy the "
               "plugin again",
    BEGIN_READ "<system error>; check the disk",
    // The test of core/read/relocation.c makes one, for which it patches much.
    BEGIN_READ "it has more than <n> relocations; plugins do not link MLIR or "
               "LLVM into themselves",
    // So does that of core/read/libraries.c.
    BEGIN_READ "a library's name lies outside the file; build or copy the "
               "plugin again",
    "cannot attach the provider '<provider>': the place of libmlirplug, where "
    "it should be, cannot be told: <system error>; give the provider as a path",
    // Those of core/provider/dependency.c do, each in a process of its own.
    "cannot attach the provider '<provider>': it is linked to '<file>', but "
    "its calls lead to '<other file>', which was loaded before; expected the "
    "copy of MLIR that the provider was linked to; use a provider that has "
    "MLIR inside, such as --provider=static, or a process of its own",
    "cannot attach the provider '<provider>': its calls of MLIR lead to "
    "'<file>', which it does not depend on; expected the copy of MLIR that the "
    "provider was linked to; use a provider that has MLIR inside, such as "
    "--provider=static, or a process of its own",
    "cannot load a second image of plugin '<file>': <system error>; expected a "
    "private copy for another copy of MLIR in this process; use a process of "
    "its own for each copy of MLIR",
    "cannot load the copy that was verified of plugin '<file>': <system "
    "error>; expected a private copy, which nobody can change; let code run "
    "from memory or from TMPDIR",
    // Goes to MLIR, which puts it into a message of its own.
    "cannot make the pass '<pass>': no plugin of the pipeline at work has it; "
    "expected a pipeline made with mlirplug_manager_create of a host that has "
    "the plugin",
    // Needs two pipelines that run into one another.
    "pass '<pass>' was made while another pipeline ran, in another context; "
    "run one after the other, or disable threading",
    "cannot load the C++ plugin '<file>': its mlirGetPassPluginInfo is not in "
    "memory; load it again; if that fails, rebuild it",
    // Another process would have to hold it for ten seconds.
    "cannot write the record of what is trusted '<file>': another process has "
    "it locked and does not let go of it; end the other 'mlirplug trust'",
    "cannot read the secret key '<file>': there is no source of random "
    "numbers; see that /dev/urandom can be read",
    "cannot verify the plugin '<file>': <system error>; check the disk",
    "cannot sign the plugin '<file>': <system error>; check the disk",
    // The tool would have to be at odds with itself.
    "cannot build the pipeline '<pipeline>': the tool runs it with another "
    "copy of MLIR than the one that it was entered into: it was made by the "
    "MLIR in '<file>'; expected <MLIR>; run the plugin with 'mlirplug opt'",
    // No provider of this test is that old.
    "cannot take times: <MLIR> has no report in JSON; expected MLIR 22; report "
    "as text",
    // The test of core/isolate says it, in a process of its own.
    "cannot build the pipeline '<pipeline>': plugin passes are to be isolated, "
    "for which <MLIR> lacks <function>; expected an MLIR that runs passes of "
    "others and reads and writes bytecode; run without isolation",
    // It would take more memory than a test may use.
    BEGIN_ISOLATED "had no memory left<limit>: <reason of LLVM>",
    BEGIN_ISOLATED "wrote more records than there is memory for",
    // Each failure of a pass comes with a diagnostic; this would be one
    // without.
    BEGIN_ISOLATED "failed",
    // pip did not install this program.
    "cannot attach the provider 'static': '<file>' is not there; pip install "
    "'mlirplug[mlir]'",
    "cannot attach the provider 'shared': '<file>' is not there; use "
    "--provider=static, which is all that pip installs",
    // Is in the library, not in this program.
    "cannot tell which file the plugin at <address> is from", NULL};

Test(errors_document, has_all_messages_and_no_others, .timeout = 120) {
  errors_doc_open();
  stock_tools_say();
  attaching_says(); // comes first: nothing has the C API yet
  bad_files_say();
  closed_directory_says();
  other_languages_say();
  other_files_say();
  descriptors_say();
  descriptions_say();
  cached_plugins_say();
  pipelines_say();
  inserting_says();
  providers_say();
  hosts_say();
  loading_says();
  building_says();
  partial_provider_says();
  foreign_objects_say();
  direct_mode_says();
  runs_say();
  isolation_says();
  reproducers_say();
  watching_says();
  guests_say();
  objects_say();
  searches_say();
  signing_says();
  configurations_say();
  trust_says();
  errors_doc_expect("cannot go on: out of memory");
  errors_doc_expect_all(silent);
  errors_doc_close();
}
