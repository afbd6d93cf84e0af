// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 22

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

static const llvm::MCSubtargetInfo &subtargetOf(LLVMTargetMachineRef machine) {
  return *reinterpret_cast<llvm::TargetMachine *>(machine)
              ->getMCSubtargetInfo();
}

bool mlirplugExtTargetHasProcessor(LLVMTargetMachineRef machine,
                                   const char *cpu) {
  return subtargetOf(machine).isCPUStringValid(cpu);
}

static bool isKnown(const llvm::MCSubtargetInfo &subtarget,
                    llvm::StringRef name) {
  return llvm::any_of(subtarget.getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &feature) {
                        return name == feature.Key;
                      });
}

size_t mlirplugExtTargetUnknownFeature(LLVMTargetMachineRef machine,
                                       const char *features, size_t *length) {
  const llvm::MCSubtargetInfo &subtarget = subtargetOf(machine);
  llvm::StringRef rest = features;
  while (!rest.empty()) {
    auto [one, others] = rest.split(',');
    bool isSigned = one.starts_with("+") || one.starts_with("-");
    if (!isSigned || !isKnown(subtarget, one.drop_front())) {
      *length = one.empty() ? 1 : one.size();
      return rest.data() - features;
    }
    rest = others;
  }
  *length = 0;
  return 0;
}

bool mlirplugExtTargetHasScalableVectors(LLVMTargetMachineRef machine) {
  const llvm::MCSubtargetInfo &subtarget = subtargetOf(machine);
  return (isKnown(subtarget, "sve") && subtarget.checkFeatures("+sve")) ||
         (isKnown(subtarget, "sme") && subtarget.checkFeatures("+sme"));
}

#endif
