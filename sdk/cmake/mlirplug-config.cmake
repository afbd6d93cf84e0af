# find_package(mlirplug) gives
#   mlirplug::sdk            the headers for plugins
#   mlirplug_add_plugin()    builds one
#   mlirplug::mlirplug       the library, for compilers that load plugins
include(${CMAKE_CURRENT_LIST_DIR}/mlirplug-targets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/mlirplug-plugin.cmake)
