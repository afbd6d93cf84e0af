#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How long a tiny plugin takes to compile and link with our headers, and with
# MLIR's own: pairs of runs, one after the other, so that a busy machine slows
# both alike. Prints the medians and the median of the ratios.
#
#     test/bench/compile_time.sh [COMPILER] [PAIRS] [FLAGS]
#
# MLIR_INCLUDE names the folder of MLIR's headers.

set -eu
compiler=${1:-cc}
pairs=${2:-31}
flags=${3:--O2}
mlir_include=${MLIR_INCLUDE:-/usr/lib/llvm-22/include}
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cp "$root/examples/op-count/op_count.c" "$scratch/ours.c"

# The same pass on MLIR's headers, as a shared object that a stock tool opens.
cat > "$scratch/theirs.c" <<'SOURCE'
#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>
#include <mlir-c/Pass.h>
#include <stdio.h>

static MlirWalkResult count(MlirOperation op, void *total) {
  (void)op;
  ++*(int *)total;
  return MlirWalkResultAdvance;
}

static void ignore(void *user_data) { (void)user_data; }
static void *clone(void *user_data) { return user_data; }

static void run(MlirOperation function, MlirExternalPass pass,
                void *user_data) {
  (void)pass;
  (void)user_data;
  int total = -1;
  mlirOperationWalk(function, count, &total, MlirWalkPreOrder);
  char text[64];
  snprintf(text, sizeof text, "%d operations", total);
  mlirEmitError(mlirOperationGetLocation(function), text);
}

static _Alignas(8) char identity;

__attribute__((visibility("default"))) MlirPass op_count(void);
MlirPass op_count(void) {
  MlirExternalPassCallbacks callbacks = {ignore, ignore, NULL, clone, run};
  return mlirCreateExternalPass(
      mlirTypeIDCreate(&identity), mlirStringRefCreateFromCString("op-count"),
      mlirStringRefCreateFromCString("op-count"),
      mlirStringRefCreateFromCString("Count the operations of each function"),
      mlirStringRefCreateFromCString("func.func"), 0, NULL, callbacks, NULL);
}

typedef struct {
  uint32_t api_version;
  const char *name, *version;
  void (*register_passes)(void);
} information;

static void register_passes(void) { (void)op_count(); }

__attribute__((visibility("default"))) information mlirGetPassPluginInfo(void);
information mlirGetPassPluginInfo(void) {
  information own = {1, "org.example.op-count", "1.0.0", register_passes};
  return own;
}
SOURCE

# Microseconds that one build takes.
build() {
  local name=$1 include=$2 begin=${EPOCHREALTIME/[.,]/}
  # shellcheck disable=SC2086 # several flags
  "$compiler" $flags -shared -fPIC -fvisibility=hidden -I"$include" \
    "$scratch/$name.c" -o "$scratch/$name.so"
  echo $((${EPOCHREALTIME/[.,]/} - begin))
}

median() { sort -n | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

for ((i = 0; i <= pairs; ++i)); do
  theirs=$(build theirs "$mlir_include")
  ours=$(build ours "$root/sdk/include")
  ((i == 0)) || echo "$ours $theirs" # the first pair fills the caches
done > "$scratch/times"

awk '{ print $1 }' "$scratch/times" | median > "$scratch/ours"
awk '{ print $2 }' "$scratch/times" | median > "$scratch/theirs"
awk '{ printf "%.3f\n", $1 / $2 }' "$scratch/times" | median > "$scratch/ratio"
awk -v ours="$(cat "$scratch/ours")" -v theirs="$(cat "$scratch/theirs")" \
  -v ratio="$(cat "$scratch/ratio")" -v what="$compiler $flags, $pairs pairs" \
  'BEGIN { printf "%s: ours %.1f ms, MLIR\047s %.1f ms, ratio %.2f\n",
                  what, ours / 1e3, theirs / 1e3, ratio }'
