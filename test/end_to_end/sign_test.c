// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signed plugins: made by mlirplug sign or minisign, checked by either, and
// demanded by --require-signature and policies.

#include "directory.h"

#include <jansson.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// The tests' directory: $T in their lines of shell. It holds one.so and
/// two.so, unsigned, and the keys a (in $T/keys) and b, without passwords.
static void keys_make(void) {
  two_make();
  setenv("T", directory, 1);
  struct command_result result = mlirplug_shell(
      "cd $T && mkdir keys && $MLIRPLUG sign --new-key=a --no-password && "
      "$MLIRPLUG sign --new-key=b --no-password && cp a.pub keys");
  expect_exit(&result, 0);
  command_release(&result);
}

static void sign_one(void) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG sign --key=$T/a.key $T/one.so");
  expect_silent_success(&result);
  command_release(&result);
}

TestSuite(signing, .init = keys_make, .fini = directory_forget, .timeout = 240);

#define OPT_ONE                                                                \
  "$MLIRPLUG opt --load-pass-plugin=$T/one.so" RUN(                            \
      "dir-one") " --require-signature --key-dir=$T/keys"

/// The plugin is refused, saying so, and no code of it has run.
static void expect_refused(const char *command, const char *part) {
  struct command_result result = mlirplug_shell("%s", command);
  expect_exit(&result, 1);
  expect_contains(result.errors, part);
  expect_lacks(result.errors, "--trust=any");
  expect_loaded("dir-one", false);
  command_release(&result);
}

static void expect_run(const char *command) {
  struct command_result result = mlirplug_shell("%s", command);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  expect_loaded("dir-one", true);
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Making and checking
//===----------------------------------------------------------------------===//

Test(signing, satisfies_minisign) {
  struct command_result result = mlirplug_shell(
      "cd $T && $MLIRPLUG sign --key=a.key one.so two.so && "
      "minisign -Vm one.so -p a.pub && minisign -Vm two.so -p a.pub && "
      "! minisign -Vm one.so -p b.pub && stat -c %%a a.key");
  expect_exit(&result, 0);
  expect_contains(result.output, "verified\nTrusted comment: timestamp:");
  expect_contains(result.output, "\tfile:two.so\thashed\n");
  expect_contains(result.output, "600\n");
  command_release(&result);
}

Test(signing, takes_what_minisign_made) {
  struct command_result result = mlirplug_shell(
      "cd $T && minisign -G -W -p m.pub -s m.key && mv m.pub keys && "
      "minisign -S -s m.key -m one.so -t 'by hand'");
  expect_exit(&result, 0);
  command_release(&result);
  expect_run(OPT_ONE);
  result = mlirplug_shell("$MLIRPLUG info --key-dir=$T/keys $T/one.so");
  expect_silent_success(&result);
  expect_contains(result.output, "\n    comment   by hand\n");
  expect_contains(result.output, "/keys/m.pub\n");
  command_release(&result);
}

Test(signing, takes_signatures_of_the_old_kind) {
  struct command_result result =
      mlirplug_shell("cd $T && minisign -S -l -s a.key -m one.so </dev/null");
  expect_exit(&result, 0);
  command_release(&result);
  expect_run(OPT_ONE);
}

Test(signing, uses_keys_with_passwords_like_minisign) {
  struct command_result result = mlirplug_shell(
      "cd $T && echo secret >password && "
      "$MLIRPLUG sign --new-key=p --password-file=password && "
      "$MLIRPLUG sign --key=p.key --password-file=password --comment='x y' "
      "one.so && minisign -S -s p.key -m two.so <password && "
      "minisign -Vm one.so -p p.pub && minisign -Vm two.so -p p.pub");
  expect_exit(&result, 0);
  expect_contains(result.output, "Trusted comment: x y\n");
  command_release(&result);
}

/// Runs `mlirplug sign` on a terminal of its own, in the directory, and gives
/// each question the next answer. All that the terminal shows, to be freed.
static char *terminal_run(const char *option, const char *plugin,
                          const char *const *answers, int exit_code) {
  char *shown = calloc(1, 65536);
  size_t length = 0, asked = 0;
  int terminal, status;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  cr_assert_geq(child, 0);
  if (child == 0) {
    if (chdir(directory) == 0)
      execl(MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug", "mlirplug", "sign",
            option, plugin, NULL);
    _exit(127);
  }
  for (ssize_t count;
       (count = read(terminal, shown + length, 65535 - length)) > 0;) {
    length += (size_t)count;
    const char *question = strstr(shown + asked, ": ");
    if (!*answers || !question || question[2])
      continue;
    asked = length;
    cr_expect_gt(write(terminal, *answers, strlen(*answers)), 0);
    ++answers;
  }
  cr_expect_null(*answers, "no question for '%s'", *answers);
  cr_assert_eq(waitpid(child, &status, 0), child);
  cr_expect_eq(status, exit_code << 8, "%s", shown);
  close(terminal);
  return shown;
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(signing, asks_for_passwords_without_showing_them) {
  char *shown =
      terminal_run("--new-key=p", NULL, ANSWERS("secret\n", "secret\n"), 0);
  expect_contains(shown, "Password for the new key: \r\n"
                         "Password for the new key, once more: \r\n");
  expect_lacks(shown, "secret\r");
  free(shown);
  shown = terminal_run("--key=p.key", "one.so", ANSWERS("secret\n"), 0);
  expect_text(shown, "Password of p.key: \r\nderiving the key…\r\n");
  free(shown);
  struct command_result result =
      mlirplug_shell("cd $T && minisign -Vm one.so -p p.pub");
  expect_exit(&result, 0);
  command_release(&result);
}

Test(signing, takes_no_for_an_answer) {
  static const char *const answers[][3] = {
      {"secret\n", "Secret\n"}, {"\003"}, {"\n"}};
  static const char *const reasons[] = {"the two passwords differ; try again",
                                        "no password: interrupted",
                                        "the password is empty (--no-password"};
  for (size_t i = 0; i < 3; ++i) {
    char *shown = terminal_run("--new-key=p", NULL, answers[i], 1);
    expect_contains(shown, reasons[i]);
    free(shown);
  }
  cr_expect(!file_exists(path_in(directory, "p.key")));
}

Test(signing, tells_which_usage_is_wrong) {
  static const char *const usages[][2] = {
      {"one.so", "no key is named"},
      {"--key=a.key", "no plugin is named"},
      {"--key=a.key --new-key=c", "give --key or --new-key, not both"},
      {"--key=a.key --no-password one.so", "--no-password is for new keys"},
      {"--new-key=c one.so", "--new-key signs nothing yet"},
      {"--new-key=c --comment=x", "--new-key signs nothing yet"},
      {"--new-key=c --no-password --password-file=x", "not both"},
  };
  for (size_t i = 0; i < sizeof usages / sizeof *usages; ++i) {
    struct command_result result =
        mlirplug_shell("cd $T && $MLIRPLUG sign %s", usages[i][0]);
    expect_refusal(&result, 2);
    expect_contains(result.errors, usages[i][1]);
    expect_contains(result.errors, "usage: mlirplug sign");
    command_release(&result);
  }
  struct command_result result =
      mlirplug_shell("$MLIRPLUG list --key-dir=$T/keys");
  expect_refusal(&result, 2);
  expect_contains(result.errors, "give --require-signature, too");
  command_release(&result);
}

Test(signing, fails_for_want_of_what_it_needs) {
  static const char *const failures[][2] = {
      {"--new-key=a --no-password", "'a.key': File exists"},
      {"--new-key=no/c --no-password", "No such file or directory"},
      {"--new-key=c --password-file=missing", "No such file or directory"},
      {"--new-key=c --password-file=/dev/null", "the password is empty"},
      {"--new-key=c --password-file=/dev/zero", "the password in '/dev/zero'"},
      {"--key=a.pub one.so", "'a.pub': it is a public key; expected a secret"},
      {"--key=a.key missing.so", "cannot open the plugin '"},
  };
  for (size_t i = 0; i < sizeof failures / sizeof *failures; ++i) {
    struct command_result result =
        mlirplug_shell("cd $T && $MLIRPLUG sign %s", failures[i][0]);
    expect_refusal(&result, 1);
    expect_contains(result.errors, failures[i][1]);
    command_release(&result);
  }
  struct command_result result = mlirplug_shell(
      "cd $T && setsid -w $MLIRPLUG sign --new-key=c </dev/null");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "give it by --password-file=FILE");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Showing
//===----------------------------------------------------------------------===//

static json_t *signature_show(int exit_code) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG info --json --key-dir=$T/keys $T/one.so");
  expect_exit(&result, exit_code);
  expect_text(result.errors, "");
  json_t *shown = json_loads(result.output, 0, NULL);
  command_release(&result);
  json_t *signature = json_object_get(
      json_array_get(json_object_get(shown, "plugins"), 0), "signature");
  cr_assert_not_null(signature);
  json_incref(signature);
  json_decref(shown);
  return signature;
}

Test(signing, is_shown_by_info) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG info --key-dir=$T/keys $T/one.so");
  expect_silent_success(&result);
  expect_contains(result.output, "\n  signature   none\n");
  command_release(&result);
  sign_one();
  result = mlirplug_shell("$MLIRPLUG info --key-dir=$T/keys $T/one.so");
  expect_silent_success(&result);
  expect_contains(result.output, "\n  signature   good, by the key ");
  expect_contains(result.output, "/keys/a.pub\n    comment   timestamp:");
  command_release(&result);
  result = mlirplug_shell("$MLIRPLUG info $T/one.so");
  expect_exit(&result, 1);
  expect_text(result.errors, "");
  expect_contains(result.output, "\n  signature   not good: it is signed by ");
  expect_contains(result.output, "and there are no keys to check that\n"
                                 "    to do     if you trust whoever has ");
  command_release(&result);
}

Test(signing, is_shown_by_info_as_json) {
  json_t *signature = signature_show(0);
  cr_expect(json_is_null(signature));
  json_decref(signature);
  sign_one();
  signature = signature_show(0);
  cr_expect(json_is_true(json_object_get(signature, "valid")));
  cr_expect_eq(json_string_length(json_object_get(signature, "key")), 16);
  cr_expect(json_object_get(signature, "key_file"));
  cr_expect(json_object_get(signature, "trusted_comment"));
  json_decref(signature);
  struct command_result result = mlirplug_shell("echo >>$T/one.so");
  command_release(&result);
  signature = signature_show(1);
  cr_expect(json_is_false(json_object_get(signature, "valid")));
  expect_contains(json_string_value(json_object_get(signature, "error")),
                  "the plugin was changed after it was signed");
  json_decref(signature);
}

//===----------------------------------------------------------------------===//
// Demanding
//===----------------------------------------------------------------------===//

Test(signing, is_required_before_anything_runs) {
  expect_refused(OPT_ONE, "/one.so': it is not signed: there is no '");
  // Not a matter of trust, so trust does not overrule it.
  expect_refused(OPT_ONE " --trust=any", "it is not signed");
  sign_one();
  expect_run(OPT_ONE);
}

Test(signing, by_a_stranger_is_refused) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG sign --key=$T/b.key $T/one.so");
  expect_silent_success(&result);
  command_release(&result);
  expect_refused(OPT_ONE, "which is not among those there (1)");
}

Test(signing, does_not_fit_a_changed_plugin) {
  sign_one();
  struct command_result result = mlirplug_shell("echo >>$T/one.so");
  command_release(&result);
  expect_refused(OPT_ONE, "the plugin was changed after it was signed");
}

Test(signing, is_required_of_what_is_found_too) {
  sign_one();
  struct command_result result =
      mlirplug_shell("$MLIRPLUG list --require-signature --key-dir=$T/keys "
                     "--plugin-dir=$T");
  expect_exit(&result, 0);
  expect_contains(result.output, "dir-one");
  expect_contains(result.output, "two.so': it is not signed");
  expect_text(result.errors, "");
  command_release(&result);
  // Others warn of them once, and shortly.
  result = mlirplug_shell("cp $T/two.so $T/three.so && "
                          "$MLIRPLUG opt --require-signature --key-dir=$T/keys "
                          "--plugin-dir=$T" RUN("dir-one"));
  expect_exit(&result, 0);
  expect_contains(
      result.errors,
      "mlirplug: warning: 2 plugins found are not signed and were "
      "refused: 'mlirplug list' with the same options shows them\n");
  expect_lacks(result.errors, "two.so");
  command_release(&result);
}

/// Behind a cache, nothing else could be seen of the file.
Test(signing, is_required_of_what_is_cached_too) {
  struct command_result result = mlirplug_shell(
      "mkdir $T/many $T/cache && for i in $(seq 40); do "
      "cp $T/one.so $T/many/$i.so; done && touch -d '1 hour ago' $T/many/* && "
      "sleep 3 && export XDG_CACHE_HOME=$T/cache && "
      "$MLIRPLUG list --plugin-dir=$T/many >/dev/null 2>&1 && "
      "$MLIRPLUG list --plugin-dir=$T/many --require-signature "
      "--key-dir=$T/keys");
  expect_exit(&result, 0);
  expect_contains(result.output, "/many/40.so': it is not signed");
  expect_lacks(result.output, "org.example");
  expect_lacks(result.output, "\n  dir-one");
  command_release(&result);
}

Test(signing, is_demanded_by_the_users_policy) {
  setenv("XDG_CONFIG_HOME", directory, 1);
  struct command_result result = mlirplug_shell(
      "mkdir $T/mlirplug && "
      "echo '{\"require-signature\": true}' >$T/mlirplug/policy.json");
  expect_exit(&result, 0);
  command_release(&result);
  static const char run[] =
      "$MLIRPLUG opt --load-pass-plugin=$T/one.so" RUN("dir-one");
  expect_refused(run, "/policy.json' demands; whoever made it signs it");
  sign_one();
  // No key directory of the command line satisfies a policy.
  expect_refused(OPT_ONE, "and there are no keys to check that");
  result = mlirplug_shell("mv $T/keys $T/mlirplug");
  command_release(&result);
  expect_run(run);
}

Test(signing, asks_for_no_password_without_a_terminal) {
  struct command_result result =
      mlirplug_shell("cd $T && echo secret >word && "
                     "$MLIRPLUG sign --new-key=p.key --password-file=word && "
                     "ls p.key p.pub && "
                     "setsid -w $MLIRPLUG sign --key=p.key one.so </dev/null");
  expect_exit(&result, 1);
  expect_contains(result.output, "p.key\np.pub\n");
  expect_text(result.errors, "mlirplug: there is no terminal to ask for the "
                             "password; give it by --password-file=FILE\n");
  command_release(&result);
}

Test(signing, stops_everything_while_a_policy_is_damaged) {
  setenv("XDG_CONFIG_HOME", directory, 1);
  struct command_result result = mlirplug_shell(
      "mkdir $T/mlirplug && echo '{' >$T/mlirplug/policy.json && "
      "$MLIRPLUG list");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "/policy.json': it is no JSON: line 2");
  command_release(&result);
  result = mlirplug_shell("echo '{}' >$T/mlirplug/policy.json && "
                          "chmod 666 $T/mlirplug/policy.json && "
                          "$MLIRPLUG list");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "cannot trust the policy '");
  command_release(&result);
}
