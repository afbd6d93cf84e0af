// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/ledger.h"

#include <string.h>

const struct ledger_entry ledger_entries[] = {
#define LEDGER_FUNCTION(result, name, parameters, seen) {#name, seen, true},
#define LEDGER_PROCEDURE(name, parameters, seen) {#name, seen, true},
#define LEDGER_NAME(name, seen) {#name, seen, false},
#include "provider/ledger.inc"
};
const size_t ledger_entry_count =
    sizeof ledger_entries / sizeof ledger_entries[0];

const struct ledger_older ledger_olders[] = {
#define LEDGER_FUNCTION(result, name, parameters, seen)
#define LEDGER_PROCEDURE(name, parameters, seen)
#define LEDGER_NAME(name, seen)
#define LEDGER_OLDER(name, versions, signature) {#name, versions, signature},
#include "provider/ledger.inc"
};
const size_t ledger_older_count =
    sizeof ledger_olders / sizeof ledger_olders[0];

const char *const ledger_versions[] = {
#define LEDGER_FUNCTION(result, name, parameters, seen)
#define LEDGER_PROCEDURE(name, parameters, seen)
#define LEDGER_NAME(name, seen)
#define LEDGER_VERSION(version) version,
#include "provider/ledger.inc"
    NULL};

const struct ledger_entry *ledger_find(const char *name) {
  for (size_t i = 0; i < ledger_entry_count; ++i)
    if (strcmp(ledger_entries[i].name, name) == 0)
      return &ledger_entries[i];
  return NULL;
}

bool ledger_has_version(const char *versions, const char *version) {
  size_t length = strlen(version);
  for (const char *word = versions; *word; word += strspn(word, " ")) {
    size_t word_length = strcspn(word, " ");
    if (word_length == length && memcmp(word, version, length) == 0)
      return true;
    word += word_length;
  }
  return false;
}
