// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/adapted.h"

#include "provider/binding.h"
#include "provider/resolve.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

struct provider {
  unsigned major;
  const char *needs;
  const struct adapted_fake *fakes;
  const struct binding *binding; // of the static provider
  struct resolution resolution;
};

static struct provider providers[ADAPT_SLOTS];
static size_t provider_count;

static unsigned version_asked; // of what LLVMGetVersion says

static void version_get(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = version_asked;
  *minor = 1;
  *patch = 0;
}

/// Whether `name` is one of the needs, as it is or in its older form.
static bool is_needed(const char *needs, const char *name) {
  size_t length = strlen(name);
  for (const char *word = needs; *word; word += strspn(word, " ")) {
    size_t end = strcspn(word, " "), older = strlen("/older");
    if (end > older && memcmp(word + end - older, "/older", older) == 0 &&
        end - older == length && memcmp(word, name, length) == 0)
      return true;
    if (end == length && memcmp(word, name, length) == 0)
      return true;
    word += end;
  }
  return false;
}

static void (*own_find(const void *data, const char *name))(void) {
  const struct provider *provider = data;
  if (strcmp(name, "LLVMGetVersion") == 0) {
    version_asked = provider->major;
    return (void (*)(void))version_get;
  }
  if (!is_needed(provider->needs, name))
    return NULL;
  for (const struct adapted_fake *fake = provider->fakes; fake && fake->name;
       ++fake)
    if (strcmp(fake->name, name) == 0)
      return fake->function;
  return binding_find(provider->binding, name);
}

static const struct adapter *adapter_of(const char *name, size_t which) {
  for (size_t i = 0; i < adapt_slots[0]->adapter_count; ++i)
    if (strcmp(adapt_slots[0]->adapters[i].name, name) == 0 && which-- == 0)
      return &adapt_slots[0]->adapters[i];
  cr_assert_fail("there is no such adapter for %s", name);
  return NULL;
}

void (*adapted_on(unsigned major, const char *name, size_t which,
                  const struct adapted_fake *fakes))(void) {
  cr_assert_lt(provider_count, sizeof providers / sizeof *providers);
  struct provider *provider = &providers[provider_count++];
  provider->major = major;
  provider->needs = adapter_of(name, which)->needs;
  provider->fakes = fakes;
  cr_assert_eq(binding_open("static", &provider->binding, NULL), MLIRPLUG_OK);
  struct own_functions own = {own_find, provider};
  mlirplug_error *error = NULL;
  cr_assert_eq(resolution_make(&provider->resolution, &own, "a test", &error),
               MLIRPLUG_OK, "%s", error ? error->message : "");
  cr_assert(resolution_adapts(&provider->resolution, name), "%s on %u", name,
            major);
  return resolution_find_for_core(&provider->resolution, name);
}
