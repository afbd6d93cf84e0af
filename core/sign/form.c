// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/form.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

char *form_take_line(char **rest) {
  char *line = *rest;
  if (!*line)
    return NULL;
  size_t length = strcspn(line, "\n");
  *rest = line + length + (line[length] != '\0');
  line[length] = '\0';
  if (length && line[length - 1] == '\r')
    line[length - 1] = '\0';
  return line;
}

char *form_take_comment(char **rest, const char *word) {
  char *line = form_take_line(rest);
  size_t length = strlen(word);
  return line && strncmp(line, word, length) == 0 ? line + length : NULL;
}

/// A block that is a right one, for another file.
static const char *name_of_other(size_t size) {
  switch (size) {
  case FORM_PUBLIC_KEY:
    return "it is a public key";
  case FORM_SECRET_KEY:
    return "it is a secret key";
  case FORM_SIGNATURE:
    return "it is a signature";
  default:
    return "its line of base64 has not the right length";
  }
}

const char *form_take_block(char **rest, uint8_t *block, size_t size) {
  const char *line = form_take_line(rest);
  if (!line)
    return "it ends too early: a line is missing";
  uint8_t bytes[FORM_SECRET_KEY];
  size_t length = 0;
  const char *end = NULL;
  const char *fault = NULL;
  if (sodium_base642bin(bytes, sizeof bytes, line, strlen(line), NULL, &length,
                        &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      *end)
    fault = "one of its lines should be base64 and is not";
  else if (length != size)
    fault = name_of_other(length);
  else
    memcpy(block, bytes, size);
  sodium_memzero(bytes, sizeof bytes);
  return fault;
}

const char *form_take_end(char **rest) {
  const char *line;
  while ((line = form_take_line(rest)))
    if (*line)
      return "there is more text behind its end";
  return NULL;
}

void form_add_block(struct text *text, const uint8_t *block, size_t size) {
  char encoded[sodium_base64_ENCODED_LEN(FORM_SECRET_KEY,
                                         sodium_base64_VARIANT_ORIGINAL)];
  sodium_bin2base64(encoded, sizeof encoded, block, size,
                    sodium_base64_VARIANT_ORIGINAL);
  text_add(text, encoded);
  text_add(text, "\n");
  sodium_memzero(encoded, sizeof encoded);
}

struct form_key_id form_key_id(const uint8_t *id) {
  struct form_key_id made;
  // A number in little-endian order.
  for (size_t i = 0; i < FORM_KEY_ID; ++i)
    (void)snprintf(made.text + 2 * i, 3, "%02X", id[FORM_KEY_ID - 1 - i]);
  return made;
}

bool form_begin(void) { return sodium_init() >= 0; }
