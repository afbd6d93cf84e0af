// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a plugin in C++17 or later:
//
//     struct options { int64_t top; };
//     constexpr mlirplug_option table[] = {
//         MLIRPLUG_OPTION(options, top, "top", "Only the N most frequent")
//             .otherwise(10).range(0, 1000),
//     };
//     mlirplug_status run(const mlirplug_run *run, MlirOperation root)
//     noexcept;
//
//     constexpr mlirplug_pass my_pass =
//         mlirplug::pass("my-pass", "What it does in one line")
//             .anchor("func.func").options<options>(table).run(run);
//     MLIRPLUG_PLUGIN("org.example.my-plugin", "1.0.0", &my_pass);
//
// Everything is constant data: say constexpr, or a loader finds zeros in the
// file and refuses the plugin. No exception may leave a callback, so callbacks
// are noexcept; captureless lambdas that are will do.
//
// Compile with -fPIC -shared -fvisibility=hidden; with -fno-exceptions and
// -Wl,--as-needed besides, a plugin that does not use the C++ library does not
// need it either. One that does use it exports its templates too, which ignore
// the flag: give the linker sdk/cmake/plugin.map, as mlirplug_add_plugin does,
// with -Wl,--version-script=$(pkg-config --variable=pluginmap mlirplug).
//
// MLIRPLUG_HAS belongs into functions that are static or in an unnamed
// namespace: g++ refuses it in inline ones.

#ifndef MLIRPLUG_PLUGIN_HPP
#define MLIRPLUG_PLUGIN_HPP

#include <mlirplug/plugin.h>

#include <type_traits>

// Hidden, and so never shared between two plugins in one process.
#pragma GCC visibility push(hidden)

namespace mlirplug {

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

/// The kind of option that a field of type `Field` holds; 0 for other types.
template <class Field>
inline constexpr uint32_t kind_of = 0;
template <>
inline constexpr uint32_t kind_of<bool> = MLIRPLUG_KIND_BOOL;
template <>
inline constexpr uint32_t kind_of<int64_t> = MLIRPLUG_KIND_INT;
template <>
inline constexpr uint32_t kind_of<uint64_t> = MLIRPLUG_KIND_UINT;
template <>
inline constexpr uint32_t kind_of<double> = MLIRPLUG_KIND_DOUBLE;
template <>
inline constexpr uint32_t kind_of<const char *> = MLIRPLUG_KIND_STRING;
template <>
inline constexpr uint32_t kind_of<mlirplug_bool_list> =
    MLIRPLUG_KIND_BOOL | MLIRPLUG_KIND_LIST;
template <>
inline constexpr uint32_t kind_of<mlirplug_int_list> =
    MLIRPLUG_KIND_INT | MLIRPLUG_KIND_LIST;
template <>
inline constexpr uint32_t kind_of<mlirplug_uint_list> =
    MLIRPLUG_KIND_UINT | MLIRPLUG_KIND_LIST;
template <>
inline constexpr uint32_t kind_of<mlirplug_double_list> =
    MLIRPLUG_KIND_DOUBLE | MLIRPLUG_KIND_LIST;
template <>
inline constexpr uint32_t kind_of<mlirplug_string_list> =
    MLIRPLUG_KIND_STRING | MLIRPLUG_KIND_LIST;

/// An option under way; ends as a mlirplug_option. Made by MLIRPLUG_OPTION.
template <class Field>
class option {
  static_assert(kind_of<Field> != 0,
                "the field of an option is a bool, int64_t, uint64_t, double, "
                "const char * or one of the mlirplug_..._list structures");

  static constexpr bool is_list = (kind_of<Field> & MLIRPLUG_KIND_LIST) != 0;
  static constexpr bool is_text =
      is_list || std::is_same_v<Field, const char *>;
  static constexpr bool is_number = std::is_same_v<Field, int64_t> ||
                                    std::is_same_v<Field, uint64_t> ||
                                    std::is_same_v<Field, double>;
  /// Defaults of strings and lists are given as text.
  using value = std::conditional_t<is_text, const char *, Field>;

public:
  constexpr option(uint64_t offset, const char *name, const char *help)
      : data{} {
    data.name = name;
    data.help = help;
    data.kind = kind_of<Field>;
    data.offset = offset;
    data.default_text = is_text ? "" : nullptr;
  }

  /// The value when the text does not name the option; zero, false, "" or no
  /// elements unless set.
  constexpr option otherwise(value fallback) const {
    option result = *this;
    if constexpr (is_text)
      result.data.default_text = fallback;
    else if constexpr (std::is_same_v<Field, double>)
      result.data.default_double = fallback;
    else
      result.data.default_integer = static_cast<int64_t>(fallback);
    return result;
  }

  /// Bounds, both allowed.
  constexpr option range(value low, value high) const {
    static_assert(is_number, "only a number has a range");
    option result = *this;
    result.data.flags |= MLIRPLUG_OPTION_RANGE;
    if constexpr (std::is_same_v<Field, double>) {
      result.data.minimum_double = low;
      result.data.maximum_double = high;
    } else if constexpr (is_number) {
      result.data.minimum = static_cast<int64_t>(low);
      result.data.maximum = static_cast<int64_t>(high);
    }
    return result;
  }

  /// Makes it one of `list`, "fast,exact"; the field is the position in it.
  constexpr option choices(const char *list) const {
    static_assert(std::is_same_v<Field, int64_t> ||
                      std::is_same_v<Field, mlirplug_int_list>,
                  "choices need an int64_t or a mlirplug_int_list");
    option result = *this;
    result.data.kind = MLIRPLUG_KIND_ENUM | (is_list ? MLIRPLUG_KIND_LIST : 0u);
    result.data.choices = list;
    return result;
  }

  constexpr operator mlirplug_option() const { return data; }

private:
  mlirplug_option data;
};

/// The option of a field, whose type says what kind of option it is.
#define MLIRPLUG_OPTION(structure, field, name, help)                          \
  (::mlirplug::option<decltype(structure::field)>(offsetof(structure, field),  \
                                                  name, help))

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// A pass under way; ends as a mlirplug_pass. See plugin.h for what the parts
/// mean.
class pass {
public:
  constexpr pass(const char *name, const char *summary) : data{} {
    data.size = sizeof(mlirplug_pass);
    data.option_size = sizeof(mlirplug_option);
    data.statistic_size = sizeof(mlirplug_statistic);
    data.name = name;
    data.summary = summary;
  }

  constexpr pass description(const char *text) const {
    pass result = *this;
    result.data.description = text;
    return result;
  }

  constexpr pass anchor(const char *operations) const {
    pass result = *this;
    result.data.anchor = operations;
    return result;
  }

  constexpr pass dialects(const char *list) const {
    pass result = *this;
    result.data.dialects = list;
    return result;
  }

  /// `Structure` is what `table` gives the fields of.
  template <class Structure, size_t Count>
  constexpr pass options(const mlirplug_option (&table)[Count]) const {
    static_assert(std::is_standard_layout_v<Structure> &&
                      std::is_trivially_copyable_v<Structure>,
                  "options are plain data: the loader fills them in");
    pass result = *this;
    result.data.options = table;
    result.data.option_count = Count;
    result.data.options_size = sizeof(Structure);
    return result;
  }

  template <size_t Count>
  constexpr pass statistics(const mlirplug_statistic (&table)[Count]) const {
    pass result = *this;
    result.data.statistics = table;
    result.data.statistic_count = Count;
    return result;
  }

  template <size_t Count>
  constexpr pass names(const char *const (&table)[Count]) const {
    pass result = *this;
    result.data.names = table;
    result.data.name_count = Count;
    return result;
  }

  /// All three, or none.
  constexpr pass state(void *(*create)(const mlirplug_run *run) noexcept,
                       void *(*clone)(const mlirplug_run *run) noexcept,
                       void (*destroy)(void *state) noexcept) const {
    pass result = *this;
    result.data.create = create;
    result.data.clone = clone;
    result.data.destroy = destroy;
    return result;
  }

  constexpr pass
  initialize(mlirplug_status (*callback)(const mlirplug_run *run,
                                         MlirContext context) noexcept) const {
    pass result = *this;
    result.data.initialize = callback;
    return result;
  }

  constexpr pass
  run(mlirplug_status (*callback)(const mlirplug_run *run,
                                  MlirOperation root) noexcept) const {
    pass result = *this;
    result.data.run = callback;
    return result;
  }

  constexpr pass merge(void (*callback)(void *into,
                                        const void *from) noexcept) const {
    pass result = *this;
    result.data.merge = callback;
    return result;
  }

  constexpr pass
  finish(mlirplug_status (*callback)(const mlirplug_run *run) noexcept) const {
    pass result = *this;
    result.data.finish = callback;
    return result;
  }

  constexpr pass reset(void (*callback)(void *state) noexcept) const {
    pass result = *this;
    result.data.reset = callback;
    return result;
  }

  constexpr operator mlirplug_pass() const { return data; }

private:
  mlirplug_pass data;
};

//===----------------------------------------------------------------------===//
// In callbacks
//===----------------------------------------------------------------------===//

/// The options of the run, which are a `Structure`.
template <class Structure>
const Structure &options(const mlirplug_run *run) noexcept {
  return *static_cast<const Structure *>(run->options);
}

/// The state of the run, which is a `State`.
template <class State>
State &state(const mlirplug_run *run) noexcept {
  return *static_cast<State *>(run->state);
}

} // namespace mlirplug

#pragma GCC visibility pop

//===----------------------------------------------------------------------===//
// The plugin
//===----------------------------------------------------------------------===//

/// The plugin: its id, its version, and the addresses of its passes. Once per
/// plugin, in one source file, outside of any namespace. The exported symbol is
/// an alias of a static object, so that two plugins in one process never see
/// each other's; the assembler's name keeps that object's name as C has it.
#define MLIRPLUG_PLUGIN(plugin_id, plugin_version, ...)                        \
  static constexpr const mlirplug_pass *mlirplug_own_passes[] = {__VA_ARGS__}; \
  extern "C" {                                                                 \
  static constexpr mlirplug_descriptor                                         \
      mlirplug_own_descriptor __asm__("mlirplug_own_descriptor")               \
          __attribute__((used)) = {                                            \
              MLIRPLUG_MAGIC,                                                  \
              sizeof(mlirplug_descriptor),                                     \
              MLIRPLUG_ABI_MAJOR,                                              \
              MLIRPLUG_TARGET_MINOR,                                           \
              plugin_id,                                                       \
              plugin_version,                                                  \
              MLIRPLUG_SDK_VERSION,                                            \
              mlirplug_own_passes,                                             \
              sizeof(mlirplug_own_passes) / sizeof(mlirplug_own_passes[0]),    \
              __start_mlirplug_imports,                                        \
              __stop_mlirplug_imports,                                         \
              nullptr,                                                         \
  };                                                                           \
  MLIRPLUG_STOCK_ENTRY(mlirplug_own_descriptor, plugin_id, plugin_version)     \
  extern                                                                       \
      __attribute__((alias("mlirplug_own_descriptor"), visibility("default"))) \
      const mlirplug_descriptor mlirplug_plugin;                               \
  }                                                                            \
  static_assert(true, "a semicolon comes next")

#endif // MLIRPLUG_PLUGIN_HPP
