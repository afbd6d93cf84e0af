// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The messages in docs/errors.md, compared with those that are really said.

#ifndef MLIRPLUG_TEST_ERRORS_DOC_H
#define MLIRPLUG_TEST_ERRORS_DOC_H

#include <mlirplug/host.h>

/// Reads the document. Each of its entries has a cause and a cure.
void errors_doc_open(void);

/// `message` is in the document. The entry that has most of its words counts as
/// said.
void errors_doc_expect(const char *message);

/// The same for an error, which must be one; destroys it.
void errors_doc_expect_error(mlirplug_error *error);

/// The same for a function that ends with `status`, which must be a failure.
/// `*error` is null afterwards.
void errors_doc_expect_failure(mlirplug_status status, mlirplug_error **error);

/// All entries have been said but those in `silent`, a list that ends with
/// null, which are in the document and have not been said.
void errors_doc_expect_all(const char *const *silent);

void errors_doc_close(void);

/// What the extension has to watch passes, for binding_open_without: one list,
/// as a process has room for few bindings.
extern const char *const errors_doc_blind[];

// What provokes them, by what it is about.

void bad_files_say(void);
void closed_directory_says(void);
void other_languages_say(void);
void other_files_say(void);
void descriptors_say(void);
void descriptions_say(void);
void cached_plugins_say(void);
void pipelines_say(void);
void inserting_says(void);
void attaching_says(void);
void providers_say(void);
void hosts_say(void);
void loading_says(void);
void building_says(void);
void partial_provider_says(void);
void foreign_objects_say(void);
void direct_mode_says(void);
void runs_say(void);
void isolation_says(void);
void watching_says(void);
void reproducers_say(void);
void searches_say(void);
void signing_says(void);
void configurations_say(void);
void stock_tools_say(void); ///< Comes first: nothing has MLIR's registry yet.
void objects_say(void);
void guests_say(void);
void trust_says(void); ///< Comes last: the test is another user from there on.

#endif // MLIRPLUG_TEST_ERRORS_DOC_H
