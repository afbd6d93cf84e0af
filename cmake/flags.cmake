# Flags for everything that this project compiles.

set(MLIRPLUG_SANITIZE
    ""
    CACHE STRING "Sanitizers for -fsanitize=, such as address,undefined")

add_library(mlirplug-flags INTERFACE)
target_compile_definitions(mlirplug-flags INTERFACE _GNU_SOURCE)
target_compile_options(
  mlirplug-flags
  INTERFACE
    -Wall
    -Wextra
    -Werror
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    -Wshadow
    -Wvla
    -fstack-protector-strong
    -fstack-clash-protection
    $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection>)
target_link_options(
  mlirplug-flags
  INTERFACE
  -Wl,-z,relro
  -Wl,-z,now
  -Wl,-z,noexecstack)

if(MLIRPLUG_SANITIZE)
  target_compile_options(
    mlirplug-flags
    INTERFACE -fsanitize=${MLIRPLUG_SANITIZE} -fno-omit-frame-pointer
              -fno-sanitize-recover=all)
  target_link_options(mlirplug-flags INTERFACE
                      -fsanitize=${MLIRPLUG_SANITIZE})
elseif(CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_options(mlirplug-flags INTERFACE -U_FORTIFY_SOURCE
                                                  -D_FORTIFY_SOURCE=3)
endif()
