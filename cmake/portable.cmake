# Files for machines older than the one they are built on, as wheels must be.

option(MLIRPLUG_PORTABLE
       "Build for glibc 2.17 (the static provider for 2.34), with few libraries"
       OFF)

# Lets `target`, which may be a program, need no more than glibc 2.17. Says
# nothing of the libraries that it is linked to.
function(mlirplug_make_portable target)
  if(NOT MLIRPLUG_PORTABLE)
    return()
  endif()
  # Where glibc before 2.34 has part of what is asked of it; compilers link to
  # neither any more.
  find_library(MLIRPLUG_LIBDL NAMES libdl.so.2 REQUIRED)
  find_library(MLIRPLUG_LIBPTHREAD NAMES libpthread.so.0 REQUIRED)
  get_target_property(kind ${target} TYPE)
  target_sources(
    ${target}
    PRIVATE ${PROJECT_SOURCE_DIR}/core/portable/old_glibc.c
            $<$<STREQUAL:${kind},EXECUTABLE>:${PROJECT_SOURCE_DIR}/core/portable/old_start.c>
  )
  # What is in its archives is its own, and of our functions for glibc's only
  # those are kept that it needs.
  target_compile_options(${target} PRIVATE -ffunction-sections)
  target_link_options(${target} PRIVATE -Wl,--gc-sections
                      -Wl,--exclude-libs,ALL)
  target_link_libraries(
    ${target}
    PRIVATE -Wl,--push-state,--no-as-needed ${MLIRPLUG_LIBDL}
            ${MLIRPLUG_LIBPTHREAD} -Wl,--pop-state)
endfunction()

# Links users of the imported `target` to ARCHIVE..., found by name, instead.
function(mlirplug_prefer_archives target)
  if(NOT MLIRPLUG_PORTABLE)
    return()
  endif()
  set(archives)
  foreach(name ${ARGN})
    find_library(MLIRPLUG_ARCHIVE_${name} NAMES ${name} REQUIRED)
    list(APPEND archives ${MLIRPLUG_ARCHIVE_${name}})
  endforeach()
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES
                                             "${archives}")
endfunction()
