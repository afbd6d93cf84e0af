// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/version.h"

#include "base/text.h"
#include "provider/ledger.h"

#include <stdlib.h>
#include <string.h>

/// The major version that a name in the ledger begins with: 23 for "23git".
static unsigned major_of(const char *version) {
  return (unsigned)strtoul(version, NULL, 10);
}

/// The newest version that was looked at.
static const char *newest(void) {
  const char *last = NULL;
  for (const char *const *version = ledger_versions; *version; ++version)
    last = *version;
  return last;
}

/// Narrows `version` by a function that is there: older versions than those it
/// was seen in lack it, and so do newer ones, if they were looked at.
static void version_narrow(struct version *version, const char *seen) {
  const char *before = NULL; // the last version without it before it came
  const char *after = NULL;  // the first version without it after it went
  bool came = false;
  for (const char *const *known = ledger_versions; *known; ++known) {
    bool has = ledger_has_version(seen, *known);
    if (has) {
      came = true;
      after = NULL;
    } else if (!came) {
      before = *known;
    } else if (!after) {
      after = *known;
    }
  }
  unsigned low = before ? major_of(before) + 1 : 0;
  unsigned high = after ? major_of(after) - 1 : 0;
  if (low > version->low)
    version->low = low;
  if (high && (!version->high || high < version->high))
    version->high = high;
}

struct version version_find(const struct own_functions *own) {
  typedef void (*version_function)(unsigned *, unsigned *, unsigned *);
  version_function get_version =
      (version_function)own->find(own->provider, "LLVMGetVersion");
  struct version version = {0};
  if (get_version) {
    get_version(&version.low, &version.minor, &version.patch);
    version.high = version.low;
    return version;
  }
  version.by_functions = true;
  for (size_t i = 0; i < ledger_entry_count; ++i)
    if (own->find(own->provider, ledger_entries[i].name))
      version_narrow(&version, ledger_entries[i].seen);
  // Of a range that is empty only one end can be right: the functions of newer
  // versions come from there, while an old one may have been kept.
  if (version.high && version.high < version.low)
    version.high = 0;
  return version;
}

/// " git" if `major` is known of the development branch only.
static const char *git_suffix(unsigned major) {
  for (const char *const *known = ledger_versions; *known; ++known)
    if (major_of(*known) == major)
      return strstr(*known, "git") ? " git" : "";
  return "";
}

char *version_text(const struct version *version) {
  static const char by_functions[] = " (by its functions)";
  struct text text = {0};
  if (!version->by_functions && version->low >= 18 && version->minor == 0) {
    // Since 18 the first release of a series is N.1.0.
    text_format(&text, "MLIR %u git", version->low);
  } else if (!version->by_functions) {
    text_format(&text, "MLIR %u.%u.%u", version->low, version->minor,
                version->patch);
  } else if (!version->low && !version->high) {
    text_add(&text, "MLIR of unknown version");
  } else if (!version->low) {
    text_format(&text, "MLIR %u or older%s", version->high, by_functions);
  } else if (version->low == version->high ||
             version->low == major_of(newest())) {
    text_format(&text, "MLIR %u%s%s", version->low, git_suffix(version->low),
                by_functions);
  } else if (!version->high) {
    text_format(&text, "MLIR %u%s or newer%s", version->low,
                git_suffix(version->low), by_functions);
  } else {
    text_format(&text, "MLIR %u to %u%s", version->low, version->high,
                by_functions);
  }
  return text_take(&text);
}

enum version_signature version_signature(const struct version *version,
                                         const char *name) {
  const struct ledger_older *older = NULL;
  for (size_t i = 0; i < ledger_older_count; ++i)
    if (strcmp(ledger_olders[i].name, name) == 0)
      older = &ledger_olders[i];
  if (!older)
    return VERSION_FROZEN;
  // The last version with the older signature, the first with that of ir.h.
  unsigned last_older = 0, first_frozen = 0;
  const struct ledger_entry *entry = ledger_find(name);
  for (const char *const *known = ledger_versions; entry && *known; ++known)
    if (ledger_has_version(older->versions, *known))
      last_older = major_of(*known);
    else if (!first_frozen && ledger_has_version(entry->seen, *known))
      first_frozen = major_of(*known);
  if (version->low >= first_frozen)
    return VERSION_FROZEN;
  if (version->high && version->high <= last_older)
    return VERSION_OLDER;
  return VERSION_UNKNOWN;
}
