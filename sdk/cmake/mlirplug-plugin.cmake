# mlirplug_add_plugin(NAME SOURCE...)
#
# Builds NAME.so, a plugin. The target is an ordinary library target, to which
# target_compile_options() and the like apply. A plugin links to nothing: what
# it uses of MLIR comes from its host, so undefined symbols are mistakes. It
# exports what plugin.map lists and nothing else, whatever its headers say.
function(mlirplug_add_plugin name)
  set(map ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE mlirplug::sdk)
  target_link_options(${name} PRIVATE -Wl,-z,defs
                      -Wl,--version-script=${map})
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${map})
  set_target_properties(
    ${name}
    PROPERTIES PREFIX ""
               SUFFIX .so
               C_VISIBILITY_PRESET hidden
               CXX_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON)
endfunction()
