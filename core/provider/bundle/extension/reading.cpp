// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#if LLVM_VERSION_MAJOR >= 16
#include "mlir/Bytecode/BytecodeWriter.h"

#include <cstdlib>
#include <cstring>

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

static mlir::FallbackAsmResourceMap *resourcesOf(void *resources) {
  return static_cast<mlir::FallbackAsmResourceMap *>(resources);
}

void *mlirplugExtResourcesCreate(void) {
  return new mlir::FallbackAsmResourceMap();
}

void mlirplugExtResourcesDestroy(void *resources) {
  delete resourcesOf(resources);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The sections of bytecode are aligned against the begin of the file, which
/// MLIR takes to lie as a mapped one would.
static char *alignedCopy(llvm::StringRef text) {
  const size_t page = 4096;
  size_t room = (text.size() / page + 1) * page;
  char *copy = static_cast<char *>(std::aligned_alloc(page, room));
  if (copy) {
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
  }
  return copy;
}

/// Takes the resources of a reproducer and drops them.
static void dropReproducer(mlir::ParserConfig &configuration) {
  for (const char *name : {"mlir_reproducer", "mlirplug"})
    configuration.attachResourceParser(
        name, [](mlir::AsmParsedResourceEntry &) { return mlir::success(); });
}

static mlir::Operation *parse(const llvm::SourceMgr &sources,
                              const mlir::ParserConfig &configuration,
                              bool explicitRoot) {
  if (explicitRoot)
    return mlir::parseSourceFile<mlir::Operation *>(sources, configuration)
        .release();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, configuration);
  return module ? module.release().getOperation() : nullptr;
}

MlirOperation mlirplugExtParse(MlirContext context, MlirStringRef text,
                               MlirStringRef name, int32_t how,
                               void *resources) {
  char *copy = alignedCopy(unwrap(text));
  if (!copy)
    return MlirOperation{nullptr};
  mlir::Operation *parsed;
  {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(copy, text.length),
                                         unwrap(name)),
        llvm::SMLoc());
    mlir::ParserConfig configuration(unwrap(context),
                                     !(how & MLIRPLUG_EXTENSION_UNVERIFIED),
                                     resourcesOf(resources));
    if (how & MLIRPLUG_EXTENSION_REPLAYED)
      for (const char *group : {"mlir_reproducer", "mlirplug"})
        configuration.attachResourceParser(
            group,
            [](mlir::AsmParsedResourceEntry &) { return mlir::success(); });
    if (how & MLIRPLUG_EXTENSION_WITHOUT_REPRODUCER)
      dropReproducer(configuration);
    parsed =
        parse(sources, configuration, how & MLIRPLUG_EXTENSION_EXPLICIT_ROOT);
  }
  std::free(copy);
  return wrap(parsed);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void mlirplugExtPrint(MlirOperation operation, MlirOpPrintingFlags flags,
                      void *resources, MlirStringCallback callback,
                      void *userData) {
  mlir::detail::CallbackOstream stream(callback, userData);
  mlir::AsmState state(unwrap(operation), *unwrap(flags), nullptr,
                       resourcesOf(resources));
  unwrap(operation)->print(stream, state);
}

#if LLVM_VERSION_MAJOR >= 19
bool mlirplugExtWriteBytecode(MlirOperation operation, int64_t version,
                              bool elideResources, void *resources,
                              MlirStringCallback callback, void *userData) {
  mlir::detail::CallbackOstream stream(callback, userData);
  mlir::BytecodeWriterConfig configuration(*resourcesOf(resources));
  if (version >= 0)
    configuration.setDesiredBytecodeVersion(version);
  if (elideResources)
    configuration.setElideResourceDataFlag();
  return mlir::succeeded(
      mlir::writeBytecodeToFile(unwrap(operation), stream, configuration));
}
#endif
#endif // LLVM_VERSION_MAJOR >= 16
