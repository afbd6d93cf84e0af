// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/option.h"

#include "pipeline/closest.h"
#include "pipeline/fault.h"
#include "pipeline/value.h"

#include <string.h>

struct reader {
  const mlirplug_pass_description *pass;
  struct arena *arena;
  mlirplug_error **error;
  char *structure;
  bool *given; ///< Per option of the pass.
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static const char separate[] = "options are separated by spaces";

static struct fault reader_fault(const struct reader *reader) {
  return (struct fault){.doing = "cannot read the options of pass",
                        .subject = reader->pass->name};
}

static struct fault option_fault(const struct reader *reader,
                                 const mlirplug_option *option) {
  struct fault fault = reader_fault(reader);
  text_format(&fault.found, "option '%s' of pass '%s'", option->name,
              reader->pass->name);
  return fault;
}

static void add_span(struct text *text, struct span span) {
  text_add_bytes(text, span.begin, (size_t)(span.end - span.begin));
}

static struct span string_span(const char *string) {
  return (struct span){string, string + strlen(string)};
}

static void add_question(struct text *remedy, const struct closest *closest) {
  if (!closest->name.begin)
    return;
  text_add(remedy, "did you mean '");
  add_span(remedy, closest->name);
  text_add(remedy, "'?");
}

/// True if "NAME=" of an option begins `written` or a part of it behind a
/// comma.
static bool holds_options(const struct reader *reader, struct span written) {
  const mlirplug_pass_description *pass = reader->pass;
  for (const char *at = written.begin; at < written.end; ++at)
    for (size_t i = 0; i < pass->option_count; ++i) {
      if (at > written.begin && at[-1] != ',')
        break;
      const char *name = pass->options[i]->name;
      size_t length = strlen(name);
      if ((size_t)(written.end - at) >= length &&
          memcmp(at, name, length) == 0 && at[length] == '=')
        return true;
    }
  return false;
}

static mlirplug_status refuse_unknown(const struct reader *reader,
                                      struct span name) {
  const mlirplug_pass_description *pass = reader->pass;
  struct fault fault = reader_fault(reader);
  text_format(&fault.found, "pass '%s' has no option '", pass->name);
  add_span(&fault.found, name);
  text_add(&fault.found, "'");
  struct closest closest = {0};
  if (pass->option_count == 0)
    text_add(&fault.found, "; it takes none");
  else if (pass->option_count > 1)
    text_add(&fault.expected, "one of ");
  for (size_t i = 0; i < pass->option_count; ++i) {
    text_format(&fault.expected, "%s%s", i ? ", " : "", pass->options[i]->name);
    closest_consider(&closest, name, string_span(pass->options[i]->name));
  }
  if (holds_options(reader, name))
    text_add(&fault.remedy, separate);
  else
    add_question(&fault.remedy, &closest);
  return fault_raise(&fault, reader->error);
}

static mlirplug_status refuse_twice(const struct reader *reader,
                                    const mlirplug_option *option) {
  struct fault fault = option_fault(reader, option);
  text_add(&fault.found, " is given twice");
  text_add(&fault.remedy, value_is_list(option)
                              ? "separate the values of a list by commas"
                              : "give it once");
  return fault_raise(&fault, reader->error);
}

/// The article of what option_kind_text gives.
static const char *kind_article(const char *kind) {
  bool none = strncmp(kind, "one of", 6) == 0 || strncmp(kind, "true", 4) == 0;
  if (none)
    return "";
  return kind[0] == 'i' ? "an " : "a ";
}

/// "an integer from 0 to 10".
static void add_wanted(struct text *text, const mlirplug_option *option,
                       bool with_range, struct arena *arena) {
  const char *kind = option_kind_text(option, arena);
  if (!kind) {
    text->failed = true;
    return;
  }
  text_format(text, "%s%s", kind_article(kind), kind);
  if (with_range && !(option->flags & MLIRPLUG_OPTION_RANGE)) {
    text_add(text, " ");
    value_print_range(text, option);
  }
}

static mlirplug_status refuse_missing(const struct reader *reader,
                                      const mlirplug_option *option) {
  struct fault fault = option_fault(reader, option);
  text_add(&fault.found, " has no value");
  add_wanted(&fault.expected, option, false, reader->arena);
  text_format(&fault.remedy, "write %s=VALUE without spaces", option->name);
  if (value_is_list(option))
    text_format(&fault.remedy, ", or %s={} for none", option->name);
  else if (option->kind == MLIRPLUG_KIND_STRING)
    text_format(&fault.remedy, ", or %s=\"\" for an empty one", option->name);
  return fault_raise(&fault, reader->error);
}

/// Refuses a value for the way it is written.
static mlirplug_status refuse_form(const struct reader *reader,
                                   const mlirplug_option *option,
                                   const char *what, struct span value,
                                   const char *remedy) {
  struct fault fault = option_fault(reader, option);
  text_format(&fault.found, " %s: '", what);
  add_span(&fault.found, value);
  text_add(&fault.found, "'");
  text_add(&fault.remedy, remedy);
  return fault_raise(&fault, reader->error);
}

static mlirplug_status refuse_scan(const struct reader *reader,
                                   const mlirplug_option *option,
                                   enum scan_fault scan, struct span value) {
  switch (scan) {
  case SCAN_QUOTE:
    return refuse_form(
        reader, option, "has a quote that is never closed", value,
        "close it, or put the value in the other kind of quotes");
  case SCAN_OPEN_BRACE:
    return refuse_form(reader, option, "has a '{' that is never closed", value,
                       "close it, or put the value in quotes");
  default:
    return refuse_form(reader, option, "has a '}' that closes nothing", value,
                       "remove it, or put the value in quotes");
  }
}

static mlirplug_status refuse_value(const struct reader *reader,
                                    const mlirplug_option *option,
                                    struct span value, bool outside) {
  struct fault fault = option_fault(reader, option);
  text_add(&fault.found, " wants ");
  add_wanted(&fault.found, option, outside, reader->arena);
  text_add(&fault.found, ", found '");
  add_span(&fault.found, value);
  text_add(&fault.found, "'");
  struct closest closest = {0};
  struct span choice;
  for (uint64_t i = 0; value_choice(option, i, &choice); ++i)
    closest_consider(&closest, value, choice);
  if (holds_options(reader, value))
    text_add(&fault.remedy, separate);
  else
    add_question(&fault.remedy, &closest);
  return fault_raise(&fault, reader->error);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True if `span`, in which all is closed, is one pair of braces.
static bool is_braced(struct span span) {
  const char *end;
  return span.begin < span.end && *span.begin == '{' &&
         scan_piece(span, SCAN_BRACE, &end) == SCAN_FINE && end + 1 == span.end;
}

static struct span span_inside(struct span span) {
  return (struct span){span.begin + 1, span.end - 1};
}

/// Takes the quotes or braces off one value and reads it.
static mlirplug_status read_item(const struct reader *reader,
                                 const mlirplug_option *option,
                                 struct span item, void *value) {
  if (scan_opens_quote(item, item.begin)) {
    if (scan_step(item, item.begin) != item.end)
      return refuse_form(reader, option, "has something behind a closing quote",
                         item, "put the whole value in quotes");
    item = span_inside(item);
  } else if (is_braced(item)) {
    item = scan_trim(span_inside(item));
  }
  switch (value_read(option, item, reader->arena, value)) {
  case VALUE_FINE:
    return MLIRPLUG_OK;
  case VALUE_NO_MEMORY:
    return error_set_memory(reader->error);
  case VALUE_OUTSIDE:
    return refuse_value(reader, option, item, true);
  default:
    return refuse_value(reader, option, item, false);
  }
}

/// Cuts the next item off `rest`, which is not empty, and leaves it empty after
/// the last one.
static enum scan_fault next_item(struct span *rest, struct span *item,
                                 bool *more) {
  const char *end;
  enum scan_fault fault = scan_piece(*rest, SCAN_COMMA, &end);
  if (fault != SCAN_FINE)
    return fault;
  *item = scan_trim((struct span){rest->begin, end});
  *more = end < rest->end;
  rest->begin = end + *more;
  return SCAN_FINE;
}

static size_t count_commas(struct span span) {
  size_t count = 0;
  for (const char *c = span.begin; c < span.end; ++c)
    count += *c == ',';
  return count;
}

static mlirplug_status read_list(const struct reader *reader,
                                 const mlirplug_option *option,
                                 struct span text, void *field) {
  struct span rest = scan_trim(is_braced(text) ? span_inside(text) : text);
  struct value_list list = {0};
  bool more = rest.begin < rest.end;
  char *values = arena_array(reader->arena, more ? count_commas(rest) + 1 : 0,
                             value_size(option));
  if (!values)
    return error_set_memory(reader->error);
  for (; more; ++list.count) {
    struct span item;
    enum scan_fault fault = next_item(&rest, &item, &more);
    if (fault != SCAN_FINE)
      return refuse_scan(reader, option, fault, text);
    if (item.begin == item.end)
      return refuse_form(reader, option, "has an empty place in its list", text,
                         "no space around commas; \"\" is an empty string");
    if (read_item(reader, option, item,
                  values + list.count * value_size(option)) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  list.values = list.count ? values : NULL;
  memcpy(field, &list, sizeof list);
  return MLIRPLUG_OK;
}

static mlirplug_status read_value(const struct reader *reader,
                                  const mlirplug_option *option,
                                  struct span text) {
  void *field = reader->structure + option->offset;
  return value_is_list(option) ? read_list(reader, option, text, field)
                               : read_item(reader, option, text, field);
}

//===----------------------------------------------------------------------===//
// The text of all options
//===----------------------------------------------------------------------===//

/// Cuts "name" or "name=" off the front of `rest`.
static struct span cut_name(struct span *rest, bool *has_value) {
  struct span name = *rest;
  const char *at = name.begin;
  while (at < name.end && !scan_is_space(*at) && *at != '=')
    ++at;
  name.end = at;
  *has_value = at < rest->end && *at == '=';
  rest->begin = at + *has_value;
  return name;
}

/// The index of the option called `name`; the number of options if none is.
static size_t find_option(const struct reader *reader, struct span name) {
  size_t index = 0;
  while (index < reader->pass->option_count &&
         !scan_equal(name, reader->pass->options[index]->name))
    ++index;
  return index;
}

static mlirplug_status refuse_nameless(const struct reader *reader) {
  struct fault fault = reader_fault(reader);
  text_format(&fault.found, "an '=' without a name before it, for pass '%s'",
              reader->pass->name);
  text_add(&fault.remedy, "write NAME=VALUE without spaces");
  return fault_raise(&fault, reader->error);
}

/// Reads one option off the front of `rest`.
static mlirplug_status read_option(const struct reader *reader,
                                   struct span *rest) {
  bool has_value;
  struct span name = cut_name(rest, &has_value);
  if (name.begin == name.end)
    return refuse_nameless(reader);
  size_t index = find_option(reader, name);
  if (index == reader->pass->option_count)
    return refuse_unknown(reader, name);
  const mlirplug_option *option = reader->pass->options[index];
  if (reader->given[index])
    return refuse_twice(reader, option);
  reader->given[index] = true;
  if (!has_value && option->kind == MLIRPLUG_KIND_BOOL) {
    *(bool *)(reader->structure + option->offset) = true;
    return MLIRPLUG_OK;
  }
  const char *end;
  enum scan_fault fault = scan_piece(*rest, SCAN_SPACE, &end);
  if (fault != SCAN_FINE)
    return refuse_scan(reader, option, fault, *rest);
  struct span value = {rest->begin, end};
  if (!has_value || value.begin == value.end)
    return refuse_missing(reader, option);
  rest->begin = end;
  return read_value(reader, option, value);
}

/// Wraps what is wrong with a default that the plugin gives as text.
static mlirplug_status refuse_default(const struct reader *reader,
                                      const mlirplug_option *option,
                                      mlirplug_error *inner) {
  if (!inner->subject) { // Out of memory.
    mlirplug_error_destroy(inner);
    return error_set_memory(reader->error);
  }
  struct fault fault = reader_fault(reader);
  text_format(&fault.found, "the plugin's own default '%s' is bad: %s",
              option->default_text, inner->found);
  text_format(&fault.remedy, "give %s a value, and tell the plugin's author",
              option->name);
  mlirplug_error_destroy(inner);
  return fault_raise(&fault, reader->error);
}

static mlirplug_status fill_default(const struct reader *reader,
                                    const mlirplug_option *option) {
  if (!value_is_list(option)) {
    value_default(option, reader->structure + option->offset);
    return MLIRPLUG_OK;
  }
  if (!option->default_text)
    return MLIRPLUG_OK;
  mlirplug_error *inner = NULL;
  struct reader quiet = *reader;
  quiet.error = &inner;
  struct span text = scan_trim(string_span(option->default_text));
  if (read_value(&quiet, option, text) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return refuse_default(reader, option, inner);
}

mlirplug_status option_parse(const mlirplug_pass_description *pass,
                             const char *text, struct arena *arena,
                             const void **options, mlirplug_error **error) {
  struct reader reader = {.pass = pass, .arena = arena, .error = error};
  reader.structure = arena_allocate(arena, pass->options_size);
  reader.given = arena_array(arena, pass->option_count, sizeof(bool));
  if (!reader.structure || !reader.given)
    return error_set_memory(error);
  struct span rest = scan_trim(string_span(text ? text : ""));
  while (rest.begin < rest.end) {
    if (read_option(&reader, &rest) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    rest = scan_trim(rest);
  }
  for (size_t i = 0; i < pass->option_count; ++i)
    if (!reader.given[i] &&
        fill_default(&reader, pass->options[i]) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  *options = pass->option_count ? reader.structure : NULL;
  return MLIRPLUG_OK;
}
