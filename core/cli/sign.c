// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug sign: making keys, and signing plugins with them.

#include "cli/command.h"
#include "cli/output.h"
#include "cli/password.h"

#include <mlirplug/signature.h>

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

static enum command_status key_make(const struct arguments *arguments,
                                    struct console *console) {
  if (arguments->inputs.count || arguments->comment)
    return usage_refuse(console, "--new-key signs nothing yet");
  char password[PASSWORD_SIZE] = "";
  mlirplug_error *error = NULL;
  bool made =
      arguments->no_password || password_choose(arguments, console, password);
  if (made && mlirplug_key_create(arguments->new_key,
                                  arguments->no_password ? NULL : password,
                                  &error) != MLIRPLUG_OK) {
    console_failure(console, error);
    made = false;
  }
  explicit_bzero(password, sizeof password);
  return made && key_tell(arguments->new_key, console) ? COMMAND_OK
                                                       : COMMAND_FAILED;
}

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

struct question {
  const struct arguments *arguments;
  struct console *console;
};

static bool password_tell(const char *path, char *password, size_t size,
                          void *user_data) {
  const struct question *question = user_data;
  char text[PASSWORD_SIZE] = "", asked[256];
  (void)snprintf(asked, sizeof asked, "Password of %s", path);
  const char *file = question->arguments->password_file;
  bool told = file ? password_read(question->console, file, text)
                   : password_ask(question->console, asked, text);
  if (told && strlen(text) < size)
    memcpy(password, text, strlen(text) + 1);
  explicit_bzero(text, sizeof text);
  return told;
}

static enum command_status plugins_sign(const struct arguments *arguments,
                                        struct console *console) {
  if (!arguments->inputs.count)
    return usage_refuse(console, "no plugin is named");
  if (arguments->no_password)
    return usage_refuse(console, "--no-password is for new keys");
  struct question question = {arguments, console};
  mlirplug_secret_key *key = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_secret_key_read(arguments->key, password_tell, &question, &key,
                               &error) != MLIRPLUG_OK) {
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
