// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/command.h"

#include "base/location.h"
#include "stock/say.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void command_read(struct text *words) {
  *words = (struct text){0};
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  char bytes[4096];
  ssize_t length;
  if (file < 0)
    return;
  while ((length = read(file, bytes, sizeof bytes)) > 0)
    text_add_bytes(words, bytes, (size_t)length);
  (void)close(file);
}

/// The word behind `word`, the first one for null; null behind the last.
static const char *word_next(const struct text *words, const char *word) {
  if (!words->length || words->failed)
    return NULL;
  const char *next = word ? word + strlen(word) + 1 : words->bytes;
  return next < words->bytes + words->length ? next : NULL;
}

/// What stands behind the name if `word` is the flag: "" or "=…"; null if not.
static const char *flag_rest(const char *word, const char *flag) {
  size_t dashes = strspn(word, "-"), length = strlen(flag);
  if (dashes < 1 || dashes > 2 || strncmp(word + dashes, flag, length) != 0)
    return NULL;
  const char *rest = word + dashes + length;
  return *rest == '\0' || *rest == '=' ? rest : NULL;
}

bool command_has_flag(const struct text *words, const char *flag) {
  for (const char *word = NULL; (word = word_next(words, word));)
    if (flag_rest(word, flag))
      return true;
  return false;
}

static bool list_has(const char *list, const char *value) {
  size_t length = strlen(value);
  for (;; ++list) {
    size_t item = strcspn(list, ",");
    if (item == length && strncmp(list, value, length) == 0)
      return true;
    list += item;
    if (!*list)
      return false;
  }
}

bool command_has_value(const struct text *words, const char *flag,
                       const char *value) {
  for (const char *word = NULL; (word = word_next(words, word));) {
    const char *rest = flag_rest(word, flag);
    if (!rest)
      continue;
    const char *list = *rest ? rest + 1 : word_next(words, word);
    if (list && list_has(list, value))
      return true;
  }
  return false;
}

void command_tell(const struct text *words, const char *pass, bool is_early,
                  const char *anchored) {
  static const char *const printing[] = {"mlir-print-ir-before",
                                         "mlir-print-ir-after"};
  for (size_t i = 0; i < sizeof printing / sizeof *printing; ++i)
    if (command_has_value(words, printing[i], pass))
      say("warning: --%s prints nothing for passes of plugins, such as '%s'; "
          "use --%s-all",
          printing[i], pass, printing[i]);
  if (is_early || !command_has_flag(words, pass))
    return;
  char *directory = location_of_core();
  say("the tool has fixed its flags before it loads plugins, so '--%s' is none "
      "of them; write --pass-pipeline='%s', or have the tool started with "
      "LD_PRELOAD=\"%slibmlirplug.so.1 PLUGIN\"",
      pass, anchored, directory ? directory : "");
  free(directory);
}
