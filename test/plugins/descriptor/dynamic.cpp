// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C++ plugin whose descriptor is filled in when the file is loaded, in whole
// or, with PARTLY, only its id.

#include <mlirplug/plugin.h>

namespace {

volatile bool is_loaded = true;

const char *id() noexcept {
  return is_loaded ? "org.example.dynamic" : nullptr;
}

#ifndef PARTLY
mlirplug_descriptor descriptor() noexcept {
  mlirplug_descriptor made = {MLIRPLUG_MAGIC,
                              sizeof(mlirplug_descriptor),
                              MLIRPLUG_ABI_MAJOR,
                              MLIRPLUG_ABI_MINOR,
                              id(),
                              "1.0",
                              MLIRPLUG_SDK_VERSION,
                              nullptr,
                              0,
                              nullptr,
                              nullptr};
  return made;
}
#endif

} // namespace

extern "C" {
__attribute__((
    visibility("default"))) extern mlirplug_descriptor mlirplug_plugin;
#ifdef PARTLY
mlirplug_descriptor mlirplug_plugin = {MLIRPLUG_MAGIC,
                                       sizeof(mlirplug_descriptor),
                                       MLIRPLUG_ABI_MAJOR,
                                       MLIRPLUG_ABI_MINOR,
                                       nullptr,
                                       "1.0",
                                       MLIRPLUG_SDK_VERSION,
                                       nullptr,
                                       0,
                                       nullptr,
                                       nullptr};
namespace {
struct filler {
  filler() noexcept { mlirplug_plugin.id = id(); }
} fill;
} // namespace
#else
mlirplug_descriptor mlirplug_plugin = descriptor();
#endif
}
