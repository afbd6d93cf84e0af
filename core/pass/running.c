// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/running.h"

#include "pass/frame.h"
#include "pass/instance.h"
#include "pass/manager.h"

/// The slot that this thread had last is likely free, and in its cache.
static _Thread_local size_t likely;

size_t running_begin(struct running *running, const struct place *place,
                     void *root) {
  for (size_t i = 0; i < RUNNING_LIMIT; ++i) {
    size_t slot = (likely + i) % RUNNING_LIMIT;
    struct running_slot *taken = &running->slots[slot];
    const struct place *nobody = NULL;
    if (!atomic_compare_exchange_strong(&taken->place, &nobody, place))
      continue;
    atomic_store(&taken->root, root);
    atomic_fetch_add(&taken->begun, 1);
    likely = slot;
    return slot;
  }
  return RUNNING_NONE;
}

void running_end(struct running *running, size_t slot) {
  if (slot == RUNNING_NONE)
    return;
  atomic_store(&running->slots[slot].root, NULL);
  atomic_store(&running->slots[slot].place, NULL);
}

static mlirplug_running_pass describe(const struct place *place) {
  const mlirplug_plugin_description *plugin = place->node->plugin;
  return (mlirplug_running_pass){.pass = place->node->name,
                                 .plugin_path = plugin->path,
                                 .plugin_id = plugin->id,
                                 .plugin_version = plugin->version};
}

bool mlirplug_manager_running(const mlirplug_manager *manager, size_t *next,
                              mlirplug_running_pass *pass) {
  const struct running *running = &manager->session.now;
  while (*next < RUNNING_LIMIT) {
    size_t slot = (*next)++;
    const struct place *place = atomic_load(&running->slots[slot].place);
    if (!place)
      continue;
    *pass = describe(place);
    pass->number = atomic_load(&running->slots[slot].begun) * RUNNING_LIMIT +
                   (uint64_t)slot;
    return true;
  }
  return false;
}

bool mlirplug_running_here(mlirplug_running_pass *pass) {
  const struct frame *frame = frame_current();
  if (!frame)
    return false;
  *pass = describe(frame->instance->place);
  return true;
}
