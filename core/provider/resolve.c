// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/resolve.h"

#include <string.h>

#define OLDER_SUFFIX "/older"

typedef void (*function_pointer)(void);

/// The provider's function `name`, if it has the signature that is meant.
static function_pointer own_find(const struct resolution *resolution,
                                 const char *name,
                                 enum version_signature signature) {
  if (version_signature(&resolution->version, name) != signature)
    return NULL;
  return resolution->own.find(resolution->own.provider, name);
}

/// The function that one word of a list of needs stands for.
static function_pointer need_find(const struct resolution *resolution,
                                  const char *word, size_t length) {
  char name[128];
  size_t suffix = sizeof OLDER_SUFFIX - 1;
  enum version_signature signature = VERSION_FROZEN;
  if (length > suffix &&
      memcmp(word + length - suffix, OLDER_SUFFIX, suffix) == 0) {
    signature = VERSION_OLDER;
    length -= suffix;
  }
  if (length >= sizeof name)
    return NULL;
  memcpy(name, word, length);
  name[length] = '\0';
  return own_find(resolution, name, signature);
}

static void member_fill(const struct adapt_slot *slot, const char *word,
                        size_t length, function_pointer function) {
  for (size_t i = 0; i < slot->member_count; ++i) {
    const struct adapt_member *member = &slot->members[i];
    if (strlen(member->name) == length &&
        memcmp(member->name, word, length) == 0)
      memcpy(member->place, &function, sizeof function);
  }
}

/// Whether all that an adapter needs is there; puts it into `slot` unless that
/// is null.
static bool needs_find(const struct resolution *resolution,
                       const struct adapter *adapter,
                       const struct adapt_slot *slot) {
  for (const char *word = adapter->needs; *word; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    function_pointer function = need_find(resolution, word, length);
    if (!function)
      return false;
    if (slot)
      member_fill(slot, word, length, function);
    word += length;
  }
  return true;
}

/// Decides which adapters are used. True if there are any.
static bool adapters_choose(struct resolution *resolution) {
  const struct adapt_slot *any = adapt_slots[0];
  bool some = false;
  for (size_t i = 0; i < any->adapter_count; ++i) {
    const struct adapter *adapter = &any->adapters[i];
    resolution->in_use[i] =
        !own_find(resolution, adapter->name, VERSION_FROZEN) &&
        needs_find(resolution, adapter, NULL);
    some = some || resolution->in_use[i];
  }
  return some;
}

mlirplug_status resolution_make(struct resolution *resolution,
                                const struct own_functions *own,
                                const char *path, mlirplug_error **error) {
  *resolution = (struct resolution){.own = *own};
  resolution->version = version_find(own);
  if (!adapters_choose(resolution))
    return MLIRPLUG_OK;
  const struct adapt_slot *slot = adapt_slot_take();
  if (!slot)
    return error_set(
        error,
        &(mlirplug_error){
            .doing = "cannot attach the provider",
            .subject = path,
            .found = error_text("it is one copy of MLIR too many: there are "
                                "%d in this process that lack functions",
                                ADAPT_SLOTS),
            .expected = error_text("at most %d", ADAPT_SLOTS),
            .remedy = "use it in another process"});
  resolution->slot = slot;
  for (size_t i = 0; i < slot->adapter_count; ++i)
    if (resolution->in_use[i])
      needs_find(resolution, &slot->adapters[i], slot);
  return MLIRPLUG_OK;
}

void resolution_release(struct resolution *resolution) {
  const struct adapt_slot *slot = resolution->slot;
  if (!slot)
    return;
  for (size_t i = 0; i < slot->member_count; ++i)
    memset(slot->members[i].place, 0, sizeof(function_pointer));
  adapt_slot_give_back(slot);
  resolution->slot = NULL;
}

static function_pointer adapter_find(const struct resolution *resolution,
                                     const char *name, bool for_core) {
  const struct adapt_slot *slot = resolution->slot;
  for (size_t i = 0; slot && i < slot->adapter_count; ++i)
    if (resolution->in_use[i] && (for_core || !slot->adapters[i].for_core) &&
        strcmp(slot->adapters[i].name, name) == 0)
      return slot->adapters[i].function;
  return NULL;
}

void (*resolution_find(const struct resolution *resolution,
                       const char *name))(void) {
  function_pointer function = own_find(resolution, name, VERSION_FROZEN);
  return function ? function : adapter_find(resolution, name, false);
}

void (*resolution_find_for_core(const struct resolution *resolution,
                                const char *name))(void) {
  function_pointer function = own_find(resolution, name, VERSION_FROZEN);
  return function ? function : adapter_find(resolution, name, true);
}

bool resolution_adapts(const struct resolution *resolution, const char *name) {
  return !own_find(resolution, name, VERSION_FROZEN) &&
         adapter_find(resolution, name, true);
}
