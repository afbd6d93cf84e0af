// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing JSON, for records:
//
//     mlirplug_json json = mlirplug_json_create(run);
//     mlirplug_json_begin_object(&json);
//     mlirplug_json_key(&json, mlirplug_json_view("operations"));
//     mlirplug_json_integer(&json, count);
//     mlirplug_json_end_object(&json);
//     return mlirplug_json_record(&json);
//
// The text lies in the run's memory and is gone when the callback returns;
// nothing is freed. Want of memory is remembered, so that it need be looked at
// once, at the end. Separators are ", " and ": ", all on one line. The order of
// the calls is not checked here; the host refuses a record that is no object.
//
// Threads: a writer belongs to the callback that made it.

#ifndef MLIRPLUG_JSON_H
#define MLIRPLUG_JSON_H

#include <mlirplug/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Begins the functions below: small rather than fast, called rather than
/// inlined, absent when not used.
#define MLIRPLUG_JSON __attribute__((unused, cold)) static inline

/// A JSON text under way. Its fields are read through the functions below.
typedef struct mlirplug_json {
  const mlirplug_run *run;
  char *bytes;
  size_t length;
  size_t capacity;
  bool separate; ///< A value stands before the place of writing.
  bool failed;   ///< Memory ran out.
} mlirplug_json;

MLIRPLUG_JSON mlirplug_json mlirplug_json_create(const mlirplug_run *run) {
  mlirplug_json json = {run, 0, 0, 0, false, false};
  return json;
}

/// The characters of a string that ends with NUL.
MLIRPLUG_JSON MlirStringRef mlirplug_json_view(const char *string) {
  MlirStringRef view = {string, __builtin_strlen(string)};
  return view;
}

/// The text so far; its data is null when memory ran out, or while it is empty.
MLIRPLUG_JSON MlirStringRef mlirplug_json_text(const mlirplug_json *json) {
  MlirStringRef text = {json->failed ? 0 : json->bytes,
                        json->failed ? 0 : json->length};
  return text;
}

/// Adds bytes as they are.
MLIRPLUG_JSON void mlirplug_json_add(mlirplug_json *json, const char *bytes,
                                     size_t length) {
  if (json->failed || length == 0)
    return;
  if (length > json->capacity - json->length) {
    size_t wanted = json->length + length;
    size_t capacity = json->capacity ? json->capacity : 256;
    while (capacity < wanted && capacity <= SIZE_MAX / 2)
      capacity *= 2;
    char *grown =
        wanted < length || capacity < wanted
            ? 0
            : MLIRPLUG_CAST(char *, mlirplug_allocate(json->run, capacity));
    if (!grown) {
      json->failed = true;
      return;
    }
    if (json->length)
      __builtin_memcpy(grown, json->bytes, json->length);
    json->bytes = grown;
    json->capacity = capacity;
  }
  __builtin_memcpy(json->bytes + json->length, bytes, length);
  json->length += length;
}

/// Adds a value that is JSON already.
MLIRPLUG_JSON void mlirplug_json_raw(mlirplug_json *json, MlirStringRef value) {
  if (json->separate)
    mlirplug_json_add(json, ", ", 2);
  mlirplug_json_add(json, value.data, value.length);
  json->separate = true;
}

/// How many bytes at `bytes` are one character of UTF-8; 0 if they are none.
MLIRPLUG_JSON size_t mlirplug_json_character(const unsigned char *bytes,
                                             size_t length) {
  unsigned char first = bytes[0];
  if (first < 0x80)
    return 1;
  size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4 || size > length)
    return 0;
  // The second byte rules out long forms, surrogates and what Unicode has not.
  unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (bytes[1] < low || bytes[1] > high)
    return 0;
  for (size_t i = 2; i < size; ++i)
    if ((bytes[i] & 0xC0) != 0x80)
      return 0;
  return size;
}

/// Adds one character, as it must be written inside quotes.
MLIRPLUG_JSON void mlirplug_json_escape(mlirplug_json *json,
                                        const char *character, size_t size) {
  unsigned char byte = MLIRPLUG_CAST(unsigned char, character[0]);
  if (size == 0) {
    mlirplug_json_add(json, "\xEF\xBF\xBD", 3); // U+FFFD
  } else if (byte == '"' || byte == '\\') {
    char escape[2] = {'\\', character[0]};
    mlirplug_json_add(json, escape, 2);
  } else if (byte < 0x20) {
    const char *digits = "0123456789abcdef";
    char escape[6] = {
        '\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15]};
    mlirplug_json_add(json, escape, 6);
  } else {
    mlirplug_json_add(json, character, size);
  }
}

/// Adds a string. Names in MLIR may hold any byte: what is not UTF-8 becomes
/// U+FFFD, one for each byte.
MLIRPLUG_JSON void mlirplug_json_string(mlirplug_json *json,
                                        MlirStringRef string) {
  MlirStringRef quote = {"\"", 1};
  mlirplug_json_raw(json, quote);
  for (size_t i = 0; i < string.length && !json->failed;) {
    const char *character = string.data + i;
    const void *bytes = character;
    size_t size = mlirplug_json_character(
        MLIRPLUG_CAST(const unsigned char *, bytes), string.length - i);
    mlirplug_json_escape(json, character, size);
    i += size ? size : 1;
  }
  mlirplug_json_add(json, "\"", 1);
}

MLIRPLUG_JSON void mlirplug_json_unsigned(mlirplug_json *json, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do
    digits[--first] = MLIRPLUG_CAST(char, '0' + value % 10);
  while (value /= 10);
  MlirStringRef number = {digits + first, sizeof digits - first};
  mlirplug_json_raw(json, number);
}

MLIRPLUG_JSON void mlirplug_json_integer(mlirplug_json *json, int64_t value) {
  if (value >= 0) {
    mlirplug_json_unsigned(json, MLIRPLUG_CAST(uint64_t, value));
    return;
  }
  MlirStringRef minus = {"-", 1};
  mlirplug_json_raw(json, minus);
  json->separate = false;
  mlirplug_json_unsigned(json, 0 - MLIRPLUG_CAST(uint64_t, value));
}

MLIRPLUG_JSON void mlirplug_json_bool(mlirplug_json *json, bool value) {
  mlirplug_json_raw(json, mlirplug_json_view(value ? "true" : "false"));
}

MLIRPLUG_JSON void mlirplug_json_null(mlirplug_json *json) {
  mlirplug_json_raw(json, mlirplug_json_view("null"));
}

/// Adds a key; the value comes next.
MLIRPLUG_JSON void mlirplug_json_key(mlirplug_json *json, MlirStringRef key) {
  mlirplug_json_string(json, key);
  mlirplug_json_add(json, ": ", 2);
  json->separate = false;
}

/// Adds an opening bracket.
MLIRPLUG_JSON void mlirplug_json_open(mlirplug_json *json,
                                      const char *bracket) {
  MlirStringRef text = {bracket, 1};
  mlirplug_json_raw(json, text);
  json->separate = false;
}

/// Adds a closing bracket.
MLIRPLUG_JSON void mlirplug_json_close(mlirplug_json *json,
                                       const char *bracket) {
  mlirplug_json_add(json, bracket, 1);
  json->separate = true;
}

MLIRPLUG_JSON void mlirplug_json_begin_object(mlirplug_json *json) {
  mlirplug_json_open(json, "{");
}

MLIRPLUG_JSON void mlirplug_json_end_object(mlirplug_json *json) {
  mlirplug_json_close(json, "}");
}

MLIRPLUG_JSON void mlirplug_json_begin_array(mlirplug_json *json) {
  mlirplug_json_open(json, "[");
}

MLIRPLUG_JSON void mlirplug_json_end_array(mlirplug_json *json) {
  mlirplug_json_close(json, "]");
}

/// Receives text from one of MLIR's print functions, such as
/// mlirAttributePrint(attribute, mlirplug_json_print, &json), as it is: use it
/// on a writer of its own, whose text then goes to mlirplug_json_string.
MLIRPLUG_JSON void mlirplug_json_print(MlirStringRef piece, void *json) {
  mlirplug_json_add(MLIRPLUG_CAST(mlirplug_json *, json), piece.data,
                    piece.length);
}

/// Writes the text as a record. Fails when memory ran out on the way.
MLIRPLUG_JSON mlirplug_status mlirplug_json_record(const mlirplug_json *json) {
  if (json->failed)
    return MLIRPLUG_FAILED;
  return mlirplug_record_write(json->run, mlirplug_json_text(json));
}

#ifdef __cplusplus
} // extern "C"
#endif

#endif // MLIRPLUG_JSON_H
