// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "object/entry.h"

#include <stdlib.h>
#include <string.h>

static MlirAttribute attribute_of(const struct object_api *api,
                                  MlirOperation operation, const char *name) {
  return api->mlirOperationGetAttributeByName(operation, provider_string(name));
}

static bool has_name(const struct object_api *api, MlirOperation operation,
                     const char *name) {
  const struct provider_api *basic = binding_api(api->binding);
  MlirStringRef own =
      basic->mlirIdentifierStr(basic->mlirOperationGetName(operation));
  return own.length == strlen(name) && !memcmp(own.data, name, own.length);
}

static bool is_public(const struct object_api *api, MlirOperation function) {
  MlirAttribute visibility = attribute_of(api, function, "sym_visibility");
  if (!visibility.ptr)
    return true;
  MlirStringRef text = api->mlirStringAttrGetValue(visibility);
  return text.length == strlen("public") && !memcmp(text.data, "public", 6);
}

static bool has_body(const struct object_api *api, MlirOperation function) {
  const struct provider_api *basic = binding_api(api->binding);
  return basic
      ->mlirRegionGetFirstBlock(basic->mlirOperationGetRegion(function, 0))
      .ptr;
}

static bool is_entry(const struct object_api *api, MlirOperation operation) {
  return has_name(api, operation, "func.func") && is_public(api, operation) &&
         has_body(api, operation);
}

static void functions_each(const struct object_api *api, MlirModule module,
                           bool (*is_wanted)(const struct object_api *api,
                                             MlirOperation operation),
                           entry_visit visit, void *data) {
  const struct provider_api *basic = binding_api(api->binding);
  MlirBlock body = basic->mlirRegionGetFirstBlock(
      basic->mlirOperationGetRegion(api->mlirModuleGetOperation(module), 0));
  for (MlirOperation operation = basic->mlirBlockGetFirstOperation(body);
       operation.ptr; operation = basic->mlirOperationGetNextInBlock(operation))
    if (is_wanted(api, operation))
      visit(api, operation, data);
}

void entry_each(const struct object_api *api, MlirModule module,
                entry_visit visit, void *data) {
  functions_each(api, module, is_entry, visit, data);
}

MlirType entry_type(const struct object_api *api, MlirOperation function) {
  return api->mlirTypeAttrGetValue(
      attribute_of(api, function, "function_type"));
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

/// `attributes`, a dictionary or null, and one more.
static MlirAttribute dictionary_extend(const struct object_api *api,
                                       MlirContext context,
                                       MlirAttribute attributes,
                                       MlirNamedAttribute more) {
  intptr_t count =
      attributes.ptr ? api->mlirDictionaryAttrGetNumElements(attributes) : 0;
  MlirNamedAttribute *all = calloc((size_t)count + 1, sizeof *all);
  if (!all)
    return attributes;
  for (intptr_t i = 0; i < count; ++i)
    all[i] = api->mlirDictionaryAttrGetElement(attributes, i);
  all[count] = more;
  MlirAttribute extended = api->mlirDictionaryAttrGet(context, count + 1, all);
  free(all);
  return extended;
}

static bool has_writability(const struct object_api *api,
                            MlirAttribute attributes, const void *name) {
  intptr_t count =
      attributes.ptr ? api->mlirDictionaryAttrGetNumElements(attributes) : 0;
  bool has = false;
  for (intptr_t i = 0; i < count && !has; ++i)
    has = api->mlirDictionaryAttrGetElement(attributes, i).name.ptr == name;
  return has;
}

/// One-shot bufferization takes every argument's buffer for its own otherwise.
static MlirAttribute argument_protect(const struct object_api *api,
                                      MlirContext context, MlirType type,
                                      MlirAttribute attributes) {
  MlirNamedAttribute mark = {
      binding_api(api->binding)
          ->mlirIdentifierGet(context,
                              provider_string("bufferization.writable")),
      api->mlirBoolAttrGet(context, false)};
  bool is_tensor = api->mlirTypeIsARankedTensor(type) ||
                   api->mlirTypeIsAUnrankedTensor(type);
  if (is_tensor && !has_writability(api, attributes, mark.name.ptr))
    return dictionary_extend(api, context, attributes, mark);
  return attributes.ptr ? attributes
                        : api->mlirDictionaryAttrGet(context, 0, NULL);
}

static void arguments_protect(const struct object_api *api,
                              MlirOperation function, MlirType type) {
  MlirContext context = api->mlirOperationGetContext(function);
  intptr_t count = api->mlirFunctionTypeGetNumInputs(type);
  MlirAttribute *marked = calloc((size_t)count + 1, sizeof *marked);
  if (!marked)
    return;
  MlirAttribute old = attribute_of(api, function, "arg_attrs");
  for (intptr_t i = 0; i < count; ++i) {
    MlirAttribute none = {NULL};
    marked[i] =
        argument_protect(api, context, api->mlirFunctionTypeGetInput(type, i),
                         old.ptr ? api->mlirArrayAttrGetElement(old, i) : none);
  }
  if (count)
    api->mlirOperationSetAttributeByName(
        function, provider_string("arg_attrs"),
        api->mlirArrayAttrGet(context, count, marked));
  free(marked);
}

static void function_mark(const struct object_api *api, MlirOperation function,
                          void *data) {
  (void)data;
  arguments_protect(api, function, entry_type(api, function));
  api->mlirOperationSetAttributeByName(
      function, provider_string("llvm.emit_c_interface"),
      api->mlirUnitAttrGet(api->mlirOperationGetContext(function)));
}

//===----------------------------------------------------------------------===//
// What is hidden
//===----------------------------------------------------------------------===//

/// `data` is the name of the attribute for it.
static void linkage_set(const struct object_api *api, MlirOperation function,
                        void *data) {
  MlirContext context = api->mlirOperationGetContext(function);
  binding_api(api->binding)
      ->mlirContextGetOrLoadDialect(context, provider_string("llvm"));
  api->mlirOperationSetAttributeByName(
      function, provider_string(data),
      api->mlirAttributeParseGet(context,
                                 provider_string("#llvm.linkage<internal>")));
}

static bool is_private(const struct object_api *api, MlirOperation operation) {
  return has_name(api, operation, "func.func") && !is_public(api, operation) &&
         has_body(api, operation);
}

void entry_mark(const struct object_api *api, MlirModule module) {
  entry_each(api, module, function_mark, NULL);
  // They become LLVM's external functions otherwise.
  functions_each(api, module, is_private, linkage_set, "llvm.linkage");
}

static bool is_wrapper(const struct object_api *api, MlirOperation function) {
  static const char prefix[] = "_mlir_ciface_";
  MlirStringRef name =
      api->mlirStringAttrGetValue(attribute_of(api, function, "sym_name"));
  return name.length > strlen(prefix) &&
         !memcmp(name.data, prefix, strlen(prefix));
}

static bool is_wrapped(const struct object_api *api, MlirOperation operation) {
  return has_name(api, operation, "llvm.func") && has_body(api, operation) &&
         attribute_of(api, operation, "llvm.emit_c_interface").ptr &&
         !is_wrapper(api, operation);
}

void entry_hide(const struct object_api *api, MlirModule module) {
  functions_each(api, module, is_wrapped, linkage_set, "linkage");
}
