// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"

#include <string>
#include <vector>

using mlir::DefaultTimingManager;

namespace {

struct Timing {
  Timing(MlirStringCallback callback, void *userData)
      : stream(callback, userData) {}

  mlir::detail::CallbackOstream stream;
  DefaultTimingManager manager;
  mlir::TimingScope root;
  std::vector<mlir::TimingScope> sections;
};

#if LLVM_VERSION_MAJOR >= 17 && LLVM_VERSION_MAJOR < 22
/// What later releases have as a function, for text.
class TextReport : public mlir::OutputStrategy {
public:
  using OutputStrategy::OutputStrategy;

  void printHeader(const mlir::TimeRecord &total) override {
    os << "===" << std::string(73, '-') << "===\n"
       << std::string(25, ' ') << "... Execution time report ...\n"
       << "===" << std::string(73, '-') << "===\n"
       << llvm::format("  Total Execution Time: %.4f seconds\n\n", total.wall);
    if (total.user != 0.0)
      os << "  ----User Time----";
    os << "  ----Wall Time----  ----Name----\n";
  }

  void printFooter() override { os.flush(); }

  void printTime(const mlir::TimeRecord &time,
                 const mlir::TimeRecord &total) override {
    if (total.user != 0.0)
      os << llvm::format("  %8.4f (%5.1f%%)", time.user,
                         100.0 * time.user / total.user);
    os << llvm::format("  %8.4f (%5.1f%%)  ", time.wall,
                       100.0 * time.wall / total.wall);
  }

  void printListEntry(llvm::StringRef name, const mlir::TimeRecord &time,
                      const mlir::TimeRecord &total, bool) override {
    printTime(time, total);
    os << name << "\n";
  }

  void printTreeEntry(unsigned indent, llvm::StringRef name,
                      const mlir::TimeRecord &time,
                      const mlir::TimeRecord &total) override {
    printTime(time, total);
    os.indent(indent) << name << "\n";
  }

  void printTreeEntryEnd(unsigned, bool) override {}
};
#endif

} // namespace

/// False if this MLIR cannot report in the form that is wanted.
static bool setOutput(Timing &timing, bool json) {
#if LLVM_VERSION_MAJOR >= 22
  timing.manager.setOutput(mlir::createOutputStrategy(
      json ? DefaultTimingManager::OutputFormat::Json
           : DefaultTimingManager::OutputFormat::Text,
      timing.stream));
  return true;
#else
  if (json)
    return false;
#if LLVM_VERSION_MAJOR >= 17
  timing.manager.setOutput(std::make_unique<TextReport>(timing.stream));
#else
  timing.manager.setOutput(timing.stream);
#endif
  return true;
#endif
}

void *mlirplugExtTimingCreate(int32_t how, MlirStringCallback callback,
                              void *userData) {
  auto timing = std::make_unique<Timing>(callback, userData);
  if (!setOutput(*timing, how & MLIRPLUG_EXTENSION_TIMING_JSON))
    return nullptr;
  timing->manager.setEnabled(true);
  timing->manager.setDisplayMode(how & MLIRPLUG_EXTENSION_TIMING_LIST
                                     ? DefaultTimingManager::DisplayMode::List
                                     : DefaultTimingManager::DisplayMode::Tree);
  timing->root = timing->manager.getRootScope();
  return timing.release();
}

void mlirplugExtTimingBegin(void *timing, MlirStringRef name) {
  auto *known = static_cast<Timing *>(timing);
  mlir::TimingScope &outer =
      known->sections.empty() ? known->root : known->sections.back();
  known->sections.push_back(outer.nest(unwrap(name)));
}

void mlirplugExtTimingEnd(void *timing) {
  auto *known = static_cast<Timing *>(timing);
  if (!known->sections.empty())
    known->sections.pop_back();
}

void mlirplugExtTimingAttach(void *timing, MlirPassManager manager) {
  unwrap(manager)->enableTiming(static_cast<Timing *>(timing)->root);
}

void mlirplugExtTimingFinish(void *timing) {
  std::unique_ptr<Timing> known(static_cast<Timing *>(timing));
  while (!known->sections.empty())
    known->sections.pop_back();
  known->root.stop();
  known->manager.print();
  known->stream.flush();
  // It would print again at its end.
  known->manager.setEnabled(false);
}
