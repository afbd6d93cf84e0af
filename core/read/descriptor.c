// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/descriptor.h"

#include "read/description.h"
#include "read/export.h"
#include "read/imports.h"
#include "read/passes.h"
#include "read/reader.h"
#include "read/refuse.h"
#include "read/validate.h"

#include <mlirplug/plugin.h>

static const char entry_name[] = "mlirplug_plugin";
static const char rebuild[] = "rebuild the plugin with the SDK";

static bool string_or_none(struct reader *reader, const struct structure *place,
                           size_t offset, const char *field,
                           const char **string) {
  if (!reader_string_or_empty(reader, place, offset, field, STRING_LINE,
                              string))
    return false;
  if (!**string)
    *string = "(none)";
  return true;
}

static bool plugin_fields_read(struct reader *reader,
                               const struct structure *place,
                               mlirplug_plugin_description *description) {
  if (!reader_string(reader, place, offsetof(mlirplug_descriptor, id), "id",
                     STRING_LINE, &description->id) ||
      !string_or_none(reader, place, offsetof(mlirplug_descriptor, version),
                      "version", &description->version) ||
      !string_or_none(reader, place, offsetof(mlirplug_descriptor, sdk), "sdk",
                      &description->sdk))
    return false;
  if (!description->id)
    return reader_refuse(reader, place, "id",
                         "it is null; the plugin has no name",
                         "give it an id; if it is filled in at run time (C++ "
                         "dynamic initialisation), make it constinit");
  return true;
}

/// What makes it a host plugin, if anything does.
static bool hosting_read(struct reader *reader, const struct structure *place,
                         mlirplug_plugin_description *description) {
  struct pointer pointer;
  if (!reader_pointer(reader, place, offsetof(mlirplug_descriptor, hosting),
                      "hosting", &pointer))
    return false;
  if (pointer.is_null)
    return true;
  struct structure hosting = {.what = "mlirplug_hosting",
                              .address = pointer.address};
  mlirplug_hosting raw;
  bool has_open;
  if (!reader_structure(reader, &hosting, sizeof raw.size, &raw.size,
                        sizeof raw.size) ||
      validate_structure_size(reader->path, hosting.what, raw.size,
                              reader->error) != MLIRPLUG_OK ||
      !reader_structure(reader, &hosting, raw.size, &raw, sizeof raw) ||
      !reader_string(reader, &hosting, offsetof(mlirplug_hosting, language),
                     "language", STRING_LINE, &description->language) ||
      !reader_string(reader, &hosting, offsetof(mlirplug_hosting, suffixes),
                     "suffixes", STRING_LINE, &description->suffixes) ||
      !reader_callback(reader, &hosting, offsetof(mlirplug_hosting, open),
                       "open", &has_open))
    return false;
  if (description->language && description->suffixes && has_open)
    return true;
  return reader_refuse(reader, &hosting, NULL,
                       "a host plugin needs a language, suffixes and open",
                       rebuild);
}

static bool plugin_read(struct reader *reader, uint64_t address,
                        mlirplug_plugin_description *description,
                        struct warning_list *warnings) {
  struct structure place = {.what = entry_name, .address = address};
  mlirplug_descriptor raw;
  if (!reader_structure(reader, &place, offsetof(mlirplug_descriptor, id), &raw,
                        sizeof raw) ||
      validate_header(reader->path, &raw, reader->error) != MLIRPLUG_OK ||
      !reader_structure(reader, &place, raw.size, &raw, sizeof raw))
    return false;
  description->abi_major = raw.abi_major;
  description->abi_minor = raw.abi_minor;
  return plugin_fields_read(reader, &place, description) &&
         passes_read(reader, &place, &raw, description, warnings) &&
         imports_read(reader, &place, description) &&
         hosting_read(reader, &place, description);
}

/// The address of the descriptor.
static mlirplug_status entry_find(const struct symbol_table *symbols,
                                  uint64_t *address, mlirplug_error **error) {
  const char *path = symbols->image->path;
  Elf64_Sym symbol;
  if (symbol_find(symbols, entry_name, &symbol)) {
    unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_ABS ||
        (type != STT_OBJECT && type != STT_NOTYPE))
      return refuse(path, "mlirplug_plugin is a function or no plain object",
                    "the descriptor itself, a constant", rebuild, error);
    *address = symbol.st_value;
    return MLIRPLUG_OK;
  }
  struct error_buffer evidence;
  const struct foreign_plugin *foreign =
      export_find_foreign(symbols, &evidence);
  if (foreign)
    return refuse(path,
                  error_text("it has no symbol mlirplug_plugin; by its symbol "
                             "%s it is %s",
                             evidence.bytes, foreign->kind),
                  "a plugin made with mlirplug's SDK", foreign->remedy, error);
  return refuse(path, "it has no symbol mlirplug_plugin",
                "a plugin made with mlirplug's SDK",
                "use MLIRPLUG_PLUGIN in one source file", error);
}

static mlirplug_status description_fill(const struct relocation_table *table,
                                        uint64_t address,
                                        struct owned_description *owned,
                                        mlirplug_error **error) {
  mlirplug_plugin_description *description = &owned->shown;
  struct reader reader = {.path = table->symbols->image->path,
                          .relocations = table,
                          .arena = &owned->arena,
                          .budget = READER_BUDGET,
                          .error = error};
  struct warning_list warnings = {.arena = &owned->arena};
  description->path = arena_copy(&owned->arena, reader.path);
  if (!description->path)
    return error_set_memory(error);
  if (!plugin_read(&reader, address, description, &warnings) ||
      validate_plugin(description, &warnings, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  export_warn(table->symbols, &warnings);
  if (warnings.failed)
    return error_set_memory(error);
  description->warnings = warnings.lines;
  description->warning_count = warnings.count;
  return MLIRPLUG_OK;
}

static mlirplug_status
description_make(const struct image *image,
                 mlirplug_plugin_description **description,
                 mlirplug_error **error) {
  struct symbol_table symbols;
  struct relocation_table table;
  uint64_t address = 0;
  if (symbol_table_open(image, &symbols, error) != MLIRPLUG_OK ||
      entry_find(&symbols, &address, error) != MLIRPLUG_OK ||
      relocation_table_open(&symbols, &table, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct owned_description *owned = description_create();
  mlirplug_status status = owned
                               ? description_fill(&table, address, owned, error)
                               : error_set_memory(error);
  relocation_table_close(&table);
  if (status == MLIRPLUG_OK)
    *description = &owned->shown;
  else if (owned)
    mlirplug_plugin_description_destroy(&owned->shown);
  return status;
}

mlirplug_status descriptor_read(const struct file *file,
                                mlirplug_plugin_description **description,
                                mlirplug_error **error) {
  struct image image;
  if (image_open(file, &image, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = description_make(&image, description, error);
  image_close(&image);
  return status;
}

mlirplug_status
descriptor_read_memory(const char *path, const void *bytes, size_t size,
                       mlirplug_plugin_description **description,
                       mlirplug_error **error) {
  struct image image;
  if (image_open_memory(path, bytes, size, &image, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = description_make(&image, description, error);
  image_close(&image);
  return status;
}

mlirplug_status mlirplug_plugin_read(const char *path,
                                     mlirplug_plugin_description **description,
                                     mlirplug_error **error) {
  struct file file;
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = descriptor_read(&file, description, error);
  file_close(&file);
  return status;
}
