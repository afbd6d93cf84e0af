// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/libraries.h"

#include "read/image.h"
#include "read/refuse.h"

#include <stdbool.h>
#include <string.h>

/// The string at `offset` of the string table; null if there is none.
static const char *string_at(const struct image *image, uint64_t offset) {
  uint64_t table, address, length;
  if (!image_dynamic(image, DT_STRTAB, &table) ||
      __builtin_add_overflow(table, offset, &address))
    return NULL;
  const unsigned char *bytes = image_bytes(image, address, &length);
  return bytes && memchr(bytes, '\0', length) ? (const char *)bytes : NULL;
}

/// True if a path of this length leads to the same place wherever the plugin
/// and the working directory are.
static bool is_fixed(const char *path, size_t length) {
  return length && path[0] == '/' && !memmem(path, length, "$ORIGIN", 7) &&
         !memmem(path, length, "${ORIGIN}", 9);
}

static mlirplug_status refuse_place(const struct image *image,
                                    const char *library, const char *place,
                                    size_t length, mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot verify the plugin",
          .subject = image->path,
          .found = error_text("its library '%s' would be looked for at '%.*s', "
                              "and no signature is of what lies there",
                              library, (int)length, place),
          .expected = "libraries of the system, or at absolute paths, where "
                      "signatures are demanded",
          .remedy = "link the library into the plugin, or the plugin without "
                    "that -rpath, and sign it again"});
}

/// Checks a list of directories for `library`, with colons in between.
static mlirplug_status places_check(const struct image *image,
                                    const char *library, const char *places,
                                    mlirplug_error **error) {
  for (const char *place = places; *places;) {
    size_t length = strcspn(place, ":");
    if (!is_fixed(place, length))
      return refuse_place(image, library, length ? place : ".",
                          length ? length : 1, error);
    if (!place[length])
      break;
    place += length + 1;
  }
  return MLIRPLUG_OK;
}

static mlirplug_status library_check(const struct image *image,
                                     const char *library,
                                     mlirplug_error **error) {
  if (strchr(library, '/'))
    return is_fixed(library, strlen(library))
               ? MLIRPLUG_OK
               : refuse_place(image, library, library, strlen(library), error);
  static const int64_t tags[] = {DT_RPATH, DT_RUNPATH};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; ++i) {
    uint64_t offset;
    const char *places = image_dynamic(image, tags[i], &offset)
                             ? string_at(image, offset)
                             : NULL;
    if (places && places_check(image, library, places, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

static mlirplug_status image_check(const struct image *image,
                                   mlirplug_error **error) {
  for (size_t i = 0; i < image->dynamic_count; ++i) {
    const Elf64_Dyn *entry = &image->dynamic[i];
    if (entry->d_tag != DT_NEEDED && entry->d_tag != DT_FILTER &&
        entry->d_tag != DT_AUXILIARY)
      continue;
    const char *library = string_at(image, entry->d_un.d_val);
    if (!library)
      return refuse(image->path, "a library's name lies outside the file", NULL,
                    "build or copy the plugin again", error);
    if (library_check(image, library, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

mlirplug_status libraries_check(const struct file *file,
                                mlirplug_error **error) {
  struct image image;
  if (image_open(file, &image, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = image_check(&image, error);
  image_close(&image);
  return status;
}
