// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/place.h"

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct mlir_session session;

static void begin(void) { mlir_open(&session, "static", false); }
static void end(void) { mlir_close(&session); }

TestSuite(printed_places, .init = begin, .fini = end);

static MlirStringRef string(const char *bytes) {
  return mlirStringRefCreateFromCString(bytes);
}

static MlirLocation file_location(const char *file) {
  return mlirLocationFileLineColGet(session.context, string(file), 31, 7);
}

static void expect_place(const char *file) {
  struct place place;
  cr_assert(place_read(file_location(file), &place));
  cr_expect(mlirStringRefEqual(place.file, string(file)));
  cr_expect_eq(place.line, 31);
  cr_expect_eq(place.column, 7);
  free(place.text);
}

Test(printed_places, are_files_with_line_and_column) {
  expect_place("a/b c.mlir");
  expect_place("-");
}

static void expect_none(MlirLocation location) {
  struct place place;
  cr_expect_not(place_read(location, &place));
}

Test(printed_places, are_in_no_other_locations) {
  MlirLocation unknown = mlirLocationUnknownGet(session.context);
  MlirLocation file = file_location("a.mlir");
  expect_none(unknown);
  expect_none(mlirLocationNameGet(session.context, string("name"), unknown));
  expect_none(mlirLocationNameGet(session.context, string("name"), file));
  expect_none(mlirLocationCallSiteGet(file, file));
  expect_none(mlirLocationFusedGet(
      session.context, 2, (MlirLocation[]){file, file_location("b.mlir")},
      mlirAttributeGetNull()));
  expect_none(mlirLocationFileLineColRangeGet(session.context, string("a.mlir"),
                                              1, 2, 3, 4));
}
