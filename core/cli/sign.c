// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug sign: making keys, and signing plugins with them.

#include "cli/command.h"
#include "cli/output.h"
#include "cli/password.h"

#include <mlirplug/signature.h>

#include <stdlib.h>
#include <string.h>

static enum command_status usage_refuse(struct console *console,
                                        const char *what) {
  console_error(console,
                "%s; usage: mlirplug sign --key=FILE PLUGIN… or mlirplug sign "
                "--new-key=NAME",
                what);
  return COMMAND_WRONG_USAGE;
}

//===----------------------------------------------------------------------===//
// Making keys
//===----------------------------------------------------------------------===//

/// A key is made of a password slowly, so that guessing is slow too.
static void derivation_tell(struct console *console) {
  static const char line[] = "deriving the key…\n";
  if (console->terminal)
    console_text(console, line, sizeof line - 1);
}

/// The password of a new key, which is typed twice.
static bool password_choose(const struct arguments *arguments,
                            struct console *console,
                            char password[PASSWORD_SIZE]) {
  if (arguments->password_file)
    return password_read(console, arguments->password_file, password);
  char again[PASSWORD_SIZE] = "";
  bool chosen =
      password_ask(console, "Password for the new key", password) &&
      password_ask(console, "Password for the new key, once more", again);
  if (chosen && strcmp(password, again) != 0) {
    console_error(console, "the two passwords differ; try again");
    chosen = false;
  }
  explicit_bzero(again, sizeof again);
  return chosen;
}

static bool key_tell(const char *name, struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  fprintf(memory.stream,
          "%s.key  the secret key: keep it to yourself\n"
          "%s.pub  the public key: copy it to the key directories of those "
          "who use your plugins\n",
          name, name);
  return output_memory(console, &memory);
}

/// The name of the pair, to be freed: what was written may be that of a file.
static char *key_name(const char *written) {
  size_t length = strlen(written);
  for (const char *const *ending = (const char *const[]){".key", ".pub", NULL};
       *ending; ++ending)
    if (length > 4 && written[length - 5] != '/' &&
        strcmp(written + length - 4, *ending) == 0)
      return strndup(written, length - 4);
  return strdup(written);
}

static enum command_status key_make(const struct arguments *arguments,
                                    struct console *console) {
  if (arguments->inputs.count || arguments->comment)
    return usage_refuse(console, "--new-key signs nothing yet");
  char *name = key_name(arguments->new_key);
  char password[PASSWORD_SIZE] = "";
  bool is_secret = !arguments->no_password;
  mlirplug_error *error = NULL;
  bool made =
      name && (!is_secret || password_choose(arguments, console, password));
  if (made && is_secret)
    derivation_tell(console);
  if (made && mlirplug_key_create(name, is_secret ? password : NULL, &error) !=
                  MLIRPLUG_OK) {
    console_failure(console, error);
    made = false;
  }
  if (!name)
    console_error(console, "out of memory");
  explicit_bzero(password, sizeof password);
  made = made && key_tell(name, console);
  free(name);
  return made ? COMMAND_OK : COMMAND_FAILED;
}

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

struct question {
  const struct arguments *arguments;
  struct console *console;
  bool is_unanswered; ///< And it was said why.
};

static bool password_tell(const char *path, char *password, size_t size,
                          void *user_data) {
  struct question *question = user_data;
  char text[PASSWORD_SIZE] = "", asked[256];
  (void)snprintf(asked, sizeof asked, "Password of %s", path);
  const char *file = question->arguments->password_file;
  bool told = file ? password_read(question->console, file, text)
                   : password_ask(question->console, asked, text);
  if (told && strlen(text) < size)
    memcpy(password, text, strlen(text) + 1);
  explicit_bzero(text, sizeof text);
  question->is_unanswered = !told;
  if (told)
    derivation_tell(question->console);
  return told;
}

static enum command_status plugins_sign(const struct arguments *arguments,
                                        struct console *console) {
  if (!arguments->inputs.count)
    return usage_refuse(console, "no plugin is named");
  if (arguments->no_password)
    return usage_refuse(console, "--no-password is for new keys");
  struct question question = {arguments, console, false};
  mlirplug_secret_key *key = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_secret_key_read(arguments->key, password_tell, &question, &key,
                               &error) != MLIRPLUG_OK) {
    if (question.is_unanswered)
      mlirplug_error_destroy(error);
    else
      console_failure(console, error);
    return COMMAND_FAILED;
  }
  bool all = true;
  for (size_t i = 0; i < arguments->inputs.count; ++i)
    if (mlirplug_sign(key, arguments->inputs.items[i], arguments->comment,
                      &error) != MLIRPLUG_OK) {
      console_failure(console, error);
      all = false;
    }
  mlirplug_secret_key_destroy(key);
  return all ? COMMAND_OK : COMMAND_FAILED;
}

enum command_status command_sign(const struct arguments *arguments,
                                 struct console *console) {
  if (!arguments->key == !arguments->new_key)
    return usage_refuse(console, arguments->key
                                     ? "give --key or --new-key, not both"
                                     : "no key is named");
  if (arguments->no_password && arguments->password_file)
    return usage_refuse(console,
                        "give --no-password or --password-file, not both");
  return arguments->key ? plugins_sign(arguments, console)
                        : key_make(arguments, console);
}
