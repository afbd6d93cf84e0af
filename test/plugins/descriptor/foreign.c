// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared object of another kind: it exports EXPORT or uses NEED, or neither.

#ifdef EXPORT
__attribute__((visibility("default"))) int EXPORT = 1;
#endif

#ifdef EXPORT_FUNCTION
__attribute__((visibility("default"))) void EXPORT_FUNCTION(void);
void EXPORT_FUNCTION(void) {}
#endif

#ifdef NEED
extern char NEED[];
__attribute__((visibility("default"))) char *keep = NEED;
#endif

extern int unrelated_symbol;
__attribute__((visibility("default"))) int unrelated_symbol;
