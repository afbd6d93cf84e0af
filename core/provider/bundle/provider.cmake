# Rules for a library that carries one release of MLIR: the C API's archives, of
# which Debian has no shared library, and our extension. For any release from 15
# on, installed or unpacked somewhere.
#
#   mlirplug_add_extension(NAME INCLUDE_DIRECTORY)
#   mlirplug_add_provider(NAME static|shared EXTENSION LIBRARY_DIRECTORY)
#   mlirplug_add_tool_api(NAME EXTENSION LIBRARY_DIRECTORY)

find_package(Threads REQUIRED)

# The part of the extension that calls nothing but what each tool with MLIR has.
set(MLIRPLUG_EXTENSION_OF_TOOLS diagnostic operation)

# The extension compiled against the headers in `include_directory`. It is
# compiled as LLVM is, so not with the flags of the rest. Traits and interfaces
# are recognised by names that the compiler makes, and g++ spells them otherwise
# than clang: on libMLIR.so, which Debian builds with clang, a g++ build of this
# finds no operation isolated. `name`-ir is the part for tools, `name` the rest.
function(mlirplug_add_extension name include_directory)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(
      FATAL_ERROR
        "The provider's C++ must be compiled by clang, as Debian's libMLIR is, "
        "not ${CMAKE_CXX_COMPILER}: set CMAKE_CXX_COMPILER to clang++-22.")
  endif()
  file(GLOB sources CONFIGURE_DEPENDS
       ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/extension/*.cpp)
  set(tool_sources ${MLIRPLUG_EXTENSION_OF_TOOLS})
  list(TRANSFORM tool_sources
       PREPEND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/extension/)
  list(TRANSFORM tool_sources APPEND .cpp)
  list(REMOVE_ITEM sources ${tool_sources})
  add_library(${name} OBJECT ${sources})
  add_library(${name}-ir OBJECT ${tool_sources})
  foreach(part ${name} ${name}-ir)
    target_include_directories(${part} SYSTEM PRIVATE ${include_directory})
    target_compile_definitions(${part} PRIVATE NDEBUG)
    target_compile_options(
      ${part} PRIVATE -Wall -Wextra -Werror -fno-rtti -fno-exceptions
                      -fvisibility-inlines-hidden)
  endforeach()
endfunction()

# Links the parts of MLIR and LLVM that `name` needs into it, and of LLVM's C
# API what the version script names.
function(mlirplug_link_static name library_directory)
  if(MLIRPLUG_PORTABLE)
    find_library(ZSTD_LIBRARY libzstd.a REQUIRED)
    find_library(ZLIB_LIBRARY libz.a REQUIRED)
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/core/portable/arc4random.c)
  else()
    find_library(ZSTD_LIBRARY zstd REQUIRED)
    find_library(ZLIB_LIBRARY z REQUIRED)
    # The first needs glibc 2.35, the second 2.36.
    target_link_options(${name} PRIVATE -static-libgcc
                        -Wl,-z,pack-relative-relocs)
  endif()
  file(GLOB mlir_archives ${library_directory}/libMLIR*.a)
  list(FILTER mlir_archives EXCLUDE REGEX "libMLIRCAPI|Test")
  file(GLOB llvm_archives ${library_directory}/libLLVM*.a)
  file(READ ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/exports.map exports)
  string(REGEX MATCHALL "\n +LLVM[A-Za-z0-9]+" functions "${exports}")
  list(TRANSFORM functions STRIP)
  list(TRANSFORM functions PREPEND "-Wl,--undefined=")
  # Loads in a fifth less time with RELR (50 kB instead of 7 MB of relocations)
  # and a C++ library of its own (no 17,000 symbol lookups).
  target_link_libraries(
    ${name}
    PRIVATE -Wl,--start-group ${mlir_archives} ${llvm_archives} -Wl,--end-group
            ${ZSTD_LIBRARY} ${ZLIB_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
  target_link_options(
    ${name}
    PRIVATE
    ${functions}
    -static-libstdc++
    -Wl,--gc-sections)
endfunction()

# `static` has the whole of MLIR and LLVM inside; `shared` uses libMLIR.so and
# libLLVM.so, which it finds where they were when it was linked.
function(mlirplug_add_provider name kind extension library_directory)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/exports.map)
  file(GLOB c_archives ${library_directory}/libMLIRCAPI*.a)
  if(NOT c_archives)
    message(FATAL_ERROR "There is no libMLIRCAPI*.a in ${library_directory}; "
                        "install libmlir-NN-dev of that release")
  endif()
  add_library(${name} MODULE)
  target_link_libraries(
    ${name} PRIVATE ${extension} ${extension}-ir -Wl,--whole-archive
                    ${c_archives} -Wl,--no-whole-archive)
  if(kind STREQUAL static)
    mlirplug_link_static(${name} ${library_directory})
  else()
    target_link_libraries(${name} PRIVATE ${library_directory}/libMLIR.so
                                          ${library_directory}/libLLVM.so)
  endif()
  target_link_options(
    ${name}
    PRIVATE
    -fuse-ld=lld
    -Wl,-Bsymbolic
    -Wl,--version-script=${exports}
    -Wl,--undefined-version
    -Wl,-z,defs
    -Wl,-z,relro
    -Wl,-z,now
    -Wl,-z,noexecstack)
  set_target_properties(
    ${name}
    PROPERTIES LINKER_LANGUAGE CXX
               LINK_DEPENDS ${exports}
               BUILD_WITH_INSTALL_RPATH ON
               INSTALL_RPATH "$<$<STREQUAL:${kind},shared>:${library_directory}>")
endfunction()

# The C API for a tool that has MLIR and no C API: nothing but these functions,
# linked to no MLIR. What they call is found in the tool when the library is
# loaded there, so it suits each tool that has all of it. Of the archive with
# the passes only the object with the rewriter is taken.
function(mlirplug_add_tool_api name extension library_directory)
  set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/exports.map)
  add_library(${name} MODULE)
  target_link_libraries(
    ${name}
    PRIVATE ${extension}-ir
            -Wl,--whole-archive
            ${library_directory}/libMLIRCAPIIR.a
            ${library_directory}/libMLIRCAPIInterfaces.a
            -Wl,--no-whole-archive
            -Wl,--undefined=mlirApplyPatternsAndFoldGreedily
            ${library_directory}/libMLIRCAPITransforms.a)
  target_link_options(
    ${name}
    PRIVATE
    -fuse-ld=lld
    -Wl,-Bsymbolic
    -Wl,--version-script=${exports}
    -Wl,--undefined-version
    -Wl,--gc-sections
    -Wl,-z,relro
    -Wl,-z,now
    -Wl,-z,noexecstack
    -Wl,-z,undefs)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS
                                                               ${exports})
endfunction()
