// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// op-histogram: how often each operation occurs in what the pass runs on.

#include <mlirplug/json.h>
#include <mlirplug/plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
  int64_t top;
  const char *out;
};

static const mlirplug_option options[] = {
    MLIRPLUG_INT_RANGE(struct options, top, "top", 0, 0, INT64_MAX,
                       "Only the N most frequent, ties by name (0 = all)"),
    MLIRPLUG_STRING(struct options, out, "out", "stderr",
                    "Where the counts go: stderr, stdout (or -), or a file, "
                    "to whose end a line is added"),
};

//===----------------------------------------------------------------------===//
// Counting
//===----------------------------------------------------------------------===//

/// One name. MLIR keeps each name once, so the pointer stands for it.
struct count {
  MlirIdentifier name; ///< Null in a free slot.
  uint64_t value;
  MlirStringRef text; ///< Of the name; known after counting.
};

/// A hash table with open addressing, never more than half full.
struct counts {
  const mlirplug_run *run;
  struct count *slots;
  size_t capacity; ///< A power of two.
  size_t used;
  bool failed; ///< Memory ran out.
};

/// The slot of `name`, or the free one where it belongs.
static struct count *counts_find(const struct counts *counts,
                                 MlirIdentifier name) {
  uint64_t hash = (uint64_t)(uintptr_t)name.ptr * UINT64_C(0x9E3779B97F4A7C15);
  size_t i = (size_t)(hash >> 32) & (counts->capacity - 1);
  while (counts->slots[i].name.ptr && counts->slots[i].name.ptr != name.ptr)
    i = (i + 1) & (counts->capacity - 1);
  return &counts->slots[i];
}

/// Doubles the table. False when there is no memory.
static bool counts_grow(struct counts *counts) {
  struct counts grown = *counts;
  grown.capacity = counts->capacity ? 2 * counts->capacity : 64;
  grown.slots =
      mlirplug_allocate(counts->run, grown.capacity * sizeof *grown.slots);
  counts->failed = !grown.slots;
  if (counts->failed)
    return false;
  for (size_t i = 0; i < counts->capacity; ++i)
    if (counts->slots[i].name.ptr)
      *counts_find(&grown, counts->slots[i].name) = counts->slots[i];
  *counts = grown;
  return true;
}

static MlirWalkResult counts_add(MlirOperation op, void *user_data) {
  struct counts *counts = user_data;
  if (2 * counts->used >= counts->capacity && !counts_grow(counts))
    return MlirWalkResultInterrupt;
  MlirIdentifier name = mlirOperationGetName(op);
  struct count *count = counts_find(counts, name);
  if (!count->name.ptr) {
    count->name = name;
    ++counts->used;
  }
  ++count->value;
  return MlirWalkResultAdvance;
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

static int compare_names(const void *left, const void *right) {
  MlirStringRef a = ((const struct count *)left)->text;
  MlirStringRef b = ((const struct count *)right)->text;
  int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
  return order ? order : (a.length > b.length) - (a.length < b.length);
}

/// The most frequent first.
static int compare_values(const void *left, const void *right) {
  const struct count *a = left;
  const struct count *b = right;
  if (a->value != b->value)
    return a->value < b->value ? 1 : -1;
  return compare_names(left, right);
}

/// Moves what was counted to the front of the table, sorted by name, and keeps
/// only the `top` most frequent unless that is 0. The table can only be read in
/// order afterwards: from 0 to `used`.
static void counts_sort(struct counts *counts, uint64_t top) {
  size_t used = 0;
  for (size_t i = 0; i < counts->capacity; ++i) {
    struct count count = counts->slots[i];
    if (!count.name.ptr)
      continue;
    count.text = mlirIdentifierStr(count.name);
    counts->slots[used++] = count;
  }
  if (top && top < used) {
    qsort(counts->slots, used, sizeof *counts->slots, compare_values);
    counts->used = (size_t)top;
  }
  qsort(counts->slots, counts->used, sizeof *counts->slots, compare_names);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Adds {"arith.addi": 2, …}.
static void counts_write(const struct counts *counts, mlirplug_json *json) {
  mlirplug_json_begin_object(json);
  for (size_t i = 0; i < counts->used; ++i) {
    mlirplug_json_key(json, counts->slots[i].text);
    mlirplug_json_unsigned(json, counts->slots[i].value);
  }
  mlirplug_json_end_object(json);
}

/// Writes all of `text`, in one call unless the system takes less: lines of
/// several threads do not mix. False with errno set.
static bool descriptor_write(int descriptor, MlirStringRef text) {
  for (size_t done = 0; done < text.length;) {
    errno = EIO; // should it take nothing and say nothing
    ssize_t count = write(descriptor, text.data + done, text.length - done);
    if (count > 0)
      done += (size_t)count;
    else if (errno != EINTR)
      return false;
  }
  return true;
}

/// Writes `text` to what the option `out` names. False with errno set.
static bool out_write(const char *out, MlirStringRef text) {
  if (strcmp(out, "stderr") == 0)
    return descriptor_write(STDERR_FILENO, text);
  if (strcmp(out, "stdout") == 0 || strcmp(out, "-") == 0)
    return descriptor_write(STDOUT_FILENO, text);
  int file = open(out, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0)
    return false;
  bool written = descriptor_write(file, text);
  int reason = errno;
  // Some file systems report a full disk only here.
  if (close(file) != 0 && written)
    return false;
  errno = reason;
  return written;
}

static mlirplug_status fail_memory(const mlirplug_run *run,
                                   MlirOperation root) {
  return mlirplug_fail(run, mlirOperationGetLocation(root),
                       "op-histogram: out of memory");
}

static mlirplug_status report(const struct counts *counts, MlirOperation root) {
  const mlirplug_run *run = counts->run;
  const struct options *chosen = run->options;
  mlirplug_json line = mlirplug_json_create(run);
  counts_write(counts, &line);
  MlirStringRef object = mlirplug_json_text(&line);
  mlirplug_json record = mlirplug_json_create(run);
  mlirplug_json_begin_object(&record);
  mlirplug_json_key(&record, mlirplug_json_view("operations"));
  mlirplug_json_raw(&record, object);
  mlirplug_json_end_object(&record);
  mlirplug_json_add(&line, "\n", 1);
  if (line.failed || record.failed)
    return fail_memory(run, root);
  if (!out_write(chosen->out, mlirplug_json_text(&line)))
    return mlirplug_fail(run, mlirOperationGetLocation(root),
                         "op-histogram: cannot write the counts to '%s': %s; "
                         "name another place with out=FILE",
                         chosen->out, strerror(errno));
  return mlirplug_json_record(&record);
}

static mlirplug_status run_histogram(const mlirplug_run *run,
                                     MlirOperation root) {
  const struct options *chosen = run->options;
  struct counts counts = {.run = run};
  mlirOperationWalk(root, counts_add, &counts, MlirWalkPreOrder);
  if (counts.failed)
    return fail_memory(run, root);
  counts_sort(&counts, (uint64_t)chosen->top);
  return report(&counts, root);
}

static const mlirplug_pass op_histogram = {
    MLIRPLUG_PASS("op-histogram", "Count operations by name, as JSON"),
    .description =
        "Counts the operation that the pass runs on and all operations inside "
        "it, and writes one line, a JSON object of names and counts, sorted by "
        "name: {\"arith.addi\": 2, \"func.func\": 3}. The same object goes "
        "into a record under the key \"operations\".",
    MLIRPLUG_OPTIONS(struct options, options),
    .run = run_histogram,
};

MLIRPLUG_PLUGIN("org.mlirplug.op-histogram", MLIRPLUG_SDK_VERSION,
                &op_histogram);
