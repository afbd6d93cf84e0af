// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 17

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Debug/BreakpointManagers/FileLineColLocBreakpointManager.h"
#include "mlir/Debug/CLOptionsSetup.h"
#include "mlir/IR/Action.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace {

/// How often an action may be done. MLIR's own counter is not safe for threads.
struct Counter {
  int64_t done = 0;
  int64_t skip = 0;
  int64_t limit = -1;

  /// Counts; false if it is to be left out.
  bool next() {
    ++done;
    if (skip < 0)
      return true;
    return done > skip && (limit < 0 || done <= skip + limit);
  }
};

struct Config : mlir::tracing::DebugConfig {
  Config(const MlirplugExtActions &wanted) {
    logActionsToFlag = unwrap(wanted.logTo).str();
    profileActionsToFlag = unwrap(wanted.profileTo).str();
    enableDebuggerActionHookFlag = wanted.debuggerHook;
  }
};

struct Actions {
  mlir::MLIRContext *context;
  mlir::tracing::FileLineColLocBreakpointManager places;
  std::vector<std::string> files; // of the places
  std::optional<mlir::tracing::InstallDebugHandler> handler;
  std::map<std::string, Counter> counters; // sorted, as they are printed
  std::mutex lock;                         // of the counters
};

} // namespace

/// Adds the "FILE:LINE:COLUMN" to which logging is limited.
static bool addPlaces(Actions &actions, const MlirplugExtActions &wanted,
                      std::string &complaint) {
  actions.files.reserve(wanted.filterCount); // its elements must not move
  for (intptr_t i = 0; i < wanted.filterCount; ++i) {
    actions.files.push_back(unwrap(wanted.filters[i]).str());
    auto note = [&](llvm::Twine message) { complaint = message.str(); };
    auto place = mlir::tracing::FileLineColLocBreakpoint::parseFromString(
        actions.files.back(), note);
    if (mlir::failed(place))
      return false;
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): it has not failed
    auto [file, line, column] = *place;
    actions.places.addBreakpoint(file, line, column);
  }
  return true;
}

static void addCounters(Actions &actions, const MlirplugExtActions &wanted) {
  for (intptr_t i = 0; i < wanted.counterCount; ++i) {
    const MlirplugExtCounter &from = wanted.counters[i];
    Counter &counter = actions.counters[unwrap(from.name).str()];
    (from.isLimit ? counter.limit : counter.skip) = from.value;
  }
  actions.context->registerActionHandler(
      [&actions](llvm::function_ref<void()> perform,
                 const mlir::tracing::Action &action) {
        bool wanted = true;
        {
          std::lock_guard<std::mutex> guard(actions.lock);
          auto found = actions.counters.find(action.getTag().str());
          if (found != actions.counters.end())
            wanted = found->second.next();
        }
        if (wanted)
          perform();
      });
}

void *mlirplugExtActionsObserve(MlirContext context,
                                const MlirplugExtActions *wanted,
                                MlirStringCallback complain, void *userData) {
  auto actions = std::make_unique<Actions>();
  actions->context = unwrap(context);
  std::string complaint;
  if (!addPlaces(*actions, *wanted, complaint)) {
    complain(wrap(llvm::StringRef(complaint)), userData);
    return nullptr;
  }
  Config config(*wanted);
  if (wanted->filterCount)
    config.addLogActionLocFilter(&actions->places);
  if (wanted->logTo.length || wanted->profileTo.length || wanted->debuggerHook)
    actions->handler.emplace(*actions->context, config);
  else
    addCounters(*actions, *wanted);
  return actions.release();
}

void mlirplugExtActionsFlush(void * /*actions*/) { llvm::outs().flush(); }

void mlirplugExtActionsEnd(void *actions, bool printCounters,
                           MlirStringCallback print, void *userData) {
  std::unique_ptr<Actions> known(static_cast<Actions *>(actions));
  known->context->registerActionHandler(nullptr);
  if (!printCounters)
    return;
  mlir::detail::CallbackOstream stream(print, userData);
  stream << "DebugCounter counters:\n";
  for (const auto &[name, counter] : known->counters)
    stream << llvm::left_justify(name, 32) << ": {" << counter.done << ","
           << counter.skip << "," << counter.limit << "}\n";
}

#endif
