// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that uses containers of the C++ library.

#include <mlirplug/plugin.hpp>

#include <map>
#include <string>

namespace {

using counts = std::map<std::string, int>;

MlirWalkResult count(MlirOperation op, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  ++(*static_cast<counts *>(data))[std::string(name.data, name.length)];
  return MlirWalkResultAdvance;
}

mlirplug_status run(const mlirplug_run *run, MlirOperation root) noexcept {
  counts found;
  mlirOperationWalk(root, count, &found, MlirWalkPreOrder);
  for (const auto &[name, number] : found)
    mlirplug_emit(run, MlirDiagnosticRemark, mlirOperationGetLocation(root),
                  "%d %s", number, name.c_str());
  return MLIRPLUG_OK;
}

constexpr mlirplug_pass containers =
    mlirplug::pass("containers", "Counts operations in a std::map").run(run);

} // namespace

MLIRPLUG_PLUGIN("org.mlirplug.test.containers", "1.0.0", &containers);
