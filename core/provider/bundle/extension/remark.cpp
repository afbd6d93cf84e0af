// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "llvm/Config/llvm-config.h"

#if LLVM_VERSION_MAJOR >= 22
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Remark/RemarkStreamer.h"

static std::unique_ptr<mlir::remark::detail::RemarkEmittingPolicyBase>
policyOf(bool onlyFinal) {
  if (onlyFinal)
    return std::make_unique<mlir::remark::RemarkEmittingPolicyFinal>();
  return std::make_unique<mlir::remark::RemarkEmittingPolicyAll>();
}

static std::optional<std::string> filterOf(MlirStringRef filter) {
  if (!filter.length)
    return std::nullopt;
  return unwrap(filter).str();
}

bool mlirplugExtEnableRemarks(MlirContext context,
                              const MlirplugExtRemarks *wanted) {
  mlir::remark::RemarkCategories categories{
      filterOf(wanted->all), filterOf(wanted->passed), filterOf(wanted->missed),
      filterOf(wanted->analysis), filterOf(wanted->failed)};
  auto policy = policyOf(wanted->onlyFinal);
  if (!wanted->file.length)
    return mlir::succeeded(mlir::remark::enableOptimizationRemarks(
        *unwrap(context), nullptr, std::move(policy), categories, true));
  auto format = wanted->bitstream ? llvm::remarks::Format::Bitstream
                                  : llvm::remarks::Format::YAML;
  return mlir::succeeded(
      mlir::remark::enableOptimizationRemarksWithLLVMStreamer(
          *unwrap(context), unwrap(wanted->file), format, std::move(policy),
          categories));
}
#endif
