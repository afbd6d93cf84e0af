// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/shell.h"

void shell_add_word(struct text *text, const char *word) {
  text_add(text, "'");
  for (; *word; ++word)
    if (*word == '\'')
      text_add(text, "'\\''");
    else
      text_add_bytes(text, word, 1);
  text_add(text, "'");
}
