// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/image.h"

#include "base/segments.h"
#include "find/trust.h"
#include "load/copy.h"
#include "load/reason.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/// An image, for which file and which copy of MLIR it is.
struct known_image {
  struct image image; // first, so that a pointer to it is one to the whole
  struct known_image *next;
  struct file_identity file;
  const struct binding *binding;
  bool was_signed; ///< A signature was demanded, of just what was loaded.
};

// Every image in the process. The system's loader has one list for the whole
// process, so this is one too.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_image *images;

static mlirplug_status image_refuse(const struct plugin *plugin,
                                    const char *found, const char *remedy,
                                    mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot load plugin",
                                            .subject = plugin->path,
                                            .found = found,
                                            .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// The descriptor in memory, against what the file said
//===----------------------------------------------------------------------===//

static bool callback_is_own(const struct segments *segments,
                            void (*function)(void)) {
  void *address;
  memcpy(&address, &function, sizeof address);
  return !address || segments_hold(segments, address, 1, PF_X);
}

mlirplug_pass image_pass(const struct image *image, size_t index) {
  const mlirplug_pass *pass = image->descriptor->passes[index];
  mlirplug_pass copy = {0};
  memcpy(&copy, pass, pass->size < sizeof copy ? pass->size : sizeof copy);
  return copy;
}

static bool pass_is_own(const struct segments *segments,
                        const mlirplug_pass *pass, const char *name) {
  if (!segments_hold(segments, pass, sizeof pass->size, PF_R) ||
      !segments_hold(segments, pass, pass->size, PF_R))
    return false;
  mlirplug_pass copy = {0};
  memcpy(&copy, pass, pass->size < sizeof copy ? pass->size : sizeof copy);
#define OWN(callback) callback_is_own(segments, (void (*)(void))copy.callback)
  return segments_hold_string(segments, copy.name) &&
         strcmp(copy.name, name) == 0 && copy.run && OWN(create) &&
         OWN(clone) && OWN(destroy) && OWN(initialize) && OWN(run) &&
         OWN(merge) && OWN(finish) && OWN(reset);
#undef OWN
}

static bool imports_are_own(const struct segments *segments,
                            const mlirplug_descriptor *descriptor) {
  const mlirplug_import *begin = descriptor->imports_begin;
  const mlirplug_import *end = descriptor->imports_end;
  if (begin == end)
    return true;
  if ((uintptr_t)begin > (uintptr_t)end ||
      !segments_hold(segments, begin,
                     (size_t)((const char *)end - (const char *)begin), PF_W))
    return false;
  for (const mlirplug_import *import = begin; import != end; ++import)
    if (!segments_hold_string(segments, import->name))
      return false;
  return true;
}

static bool descriptor_is_own(const struct segments *segments,
                              const mlirplug_descriptor *descriptor,
                              const mlirplug_plugin_description *description) {
  if (!segments_hold(segments, descriptor, sizeof *descriptor, PF_R) ||
      !segments_hold_string(segments, descriptor->id) ||
      strcmp(descriptor->id, description->id) != 0 ||
      descriptor->pass_count != description->pass_count ||
      !imports_are_own(segments, descriptor))
    return false;
  if (descriptor->pass_count &&
      !segments_hold(segments, descriptor->passes,
                     descriptor->pass_count * sizeof descriptor->passes[0],
                     PF_R))
    return false;
  for (size_t i = 0; i < descriptor->pass_count; ++i)
    if (!pass_is_own(segments, descriptor->passes[i],
                     description->passes[i]->name))
      return false;
  return true;
}

/// The descriptor of an object that has just been loaded; null with an error
/// when it is not the one that was read from the file.
static const mlirplug_descriptor *
descriptor_find(const struct plugin *plugin,
                const mlirplug_plugin_description *description, void *handle,
                mlirplug_error **error) {
  struct segments segments;
  const mlirplug_descriptor *descriptor = dlsym(handle, "mlirplug_plugin");
  if (descriptor && segments_find(handle, &segments) &&
      descriptor_is_own(&segments, descriptor, description))
    return descriptor;
  image_refuse(plugin,
               "its descriptor in memory is not the one in the file: the file "
               "was changed while it was loaded, or another library took its "
               "place",
               "load it again; if that fails, rebuild the plugin", error);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

/// Opens the plugin's file again and checks that it is still the one described.
static mlirplug_status file_reopen(const struct plugin *plugin,
                                   struct file *file, mlirplug_error **error) {
  if (file_open(plugin->path, file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (file_identity_equal(&file->identity, &plugin->file))
    return MLIRPLUG_OK;
  file_close(file);
  return image_refuse(plugin,
                      "another file has taken its place since it was "
                      "read",
                      "load it again", error);
}

/// True if the system's loader has an object by this path, or from this file: a
/// dlopen would give that one. It serves another copy of MLIR or somebody else,
/// or is what the file held before it was rebuilt.
static bool object_is_loaded(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (handle)
    (void)dlclose(handle);
  return handle != NULL;
}

static void *path_load(const struct plugin *plugin, mlirplug_error **error) {
  const char *path = plugin->path;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle)
    return handle;
  (void)loader_refuse(plugin->path, path, dlerror(), error);
  return NULL;
}

/// Who may write to the file can have changed since it was read.
static mlirplug_status trust_check_again(const struct plugin *plugin,
                                         const struct file *file,
                                         mlirplug_error **error) {
  if (plugin->trust_any)
    return MLIRPLUG_OK;
  return trust_check(file, plugin->directory ? TRUST_FOUND : TRUST_NAMED,
                     error);
}

/// The object for a new image: the file itself, or a copy if it is in use. Of a
/// plugin that must be signed always a copy: the system's loader opens a path,
/// which may lead to something else by then, and here to just what is checked.
static void *object_load(const struct plugin *plugin, mlirplug_error **error) {
  struct file before, after;
  if (file_reopen(plugin, &before, error) != MLIRPLUG_OK)
    return NULL;
  void *handle = NULL;
  if (trust_check_again(plugin, &before, error) == MLIRPLUG_OK)
    handle = plugin->demands || object_is_loaded(before.path)
                 ? copy_load(&before, plugin->demands, error)
                 : path_load(plugin, error);
  file_close(&before);
  if (!handle || file_reopen(plugin, &after, error) != MLIRPLUG_OK)
    return NULL;
  file_close(&after);
  return handle;
}

static struct known_image *image_create(const struct plugin *plugin,
                                        const struct environment *environment,
                                        mlirplug_error **error) {
  const mlirplug_plugin_description *description =
      plugin_describe(plugin, error);
  if (!description ||
      bind_check(description, environment, error) != MLIRPLUG_OK)
    return NULL;
  void *handle = object_load(plugin, error);
  const mlirplug_descriptor *descriptor =
      handle ? descriptor_find(plugin, description, handle, error) : NULL;
  if (!descriptor)
    return NULL;
  struct known_image *made = calloc(1, sizeof *made);
  if (!made) {
    error_set_memory(error);
    return NULL;
  }
  // The section is the plugin's own writable data; only its type says const.
  bind_fill((mlirplug_import *)descriptor->imports_begin,
            (mlirplug_import *)descriptor->imports_end, environment);
  struct link_map *map;
  (void)dlinfo(handle, RTLD_DI_LINKMAP, &map);
  made->image.descriptor = descriptor;
  made->image.path = map->l_name;
  made->file = plugin->file;
  made->binding = environment->binding;
  made->was_signed = plugin->demands;
  return made;
}

/// With the lock held.
static struct known_image *image_for(const struct plugin *plugin,
                                     const struct environment *environment,
                                     mlirplug_error **error) {
  for (struct known_image *known = images; known; known = known->next)
    if (known->binding == environment->binding &&
        (known->was_signed || !plugin->demands) &&
        file_identity_equal(&known->file, &plugin->file))
      return known;
  struct known_image *made = image_create(plugin, environment, error);
  if (made) {
    made->next = images;
    images = made;
  }
  return made;
}

mlirplug_status image_load(const struct plugin *plugin,
                           const struct environment *environment,
                           const struct image **image, mlirplug_error **error) {
  if (plugin->opened) {
    *image = plugin->opened;
    return MLIRPLUG_OK;
  }
  pthread_mutex_lock(&lock);
  const struct known_image *found = image_for(plugin, environment, error);
  pthread_mutex_unlock(&lock);
  if (!found)
    return MLIRPLUG_FAILED;
  *image = &found->image;
  return MLIRPLUG_OK;
}
