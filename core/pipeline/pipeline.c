// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/pipeline.h"

#include "pipeline/fault.h"
#include "pipeline/insert.h"

#include <stdlib.h>
#include <string.h>

static mlirplug_status pass_find(void *user_data, const char *name,
                                 struct pipeline_match *match,
                                 mlirplug_error **error) {
  size_t index;
  const struct plugin *found = catalogue_find_pass(user_data, name, &index);
  if (!found)
    return MLIRPLUG_OK;
  match->plugin = plugin_describe(found, error);
  if (!match->plugin)
    return MLIRPLUG_FAILED;
  match->pass = match->plugin->passes[index];
  const struct plugin *other = catalogue_find_other(user_data, name, found);
  match->other = other ? other->path : NULL;
  return MLIRPLUG_OK;
}

mlirplug_status pipeline_resolve(const mlirplug_pipeline *pipeline,
                                 struct pipeline_node *root, const char *text,
                                 struct arena *arena, mlirplug_error **error) {
  struct pipeline_lookup lookup = {pass_find, pipeline->catalogue};
  return pipeline_tree_resolve(root, &lookup, false, text, arena, error);
}

/// From a parsed tree to a pipeline that can be built.
static mlirplug_status pipeline_complete(mlirplug_pipeline *pipeline,
                                         bool nest_freely, const char *text,
                                         mlirplug_error **error) {
  struct pipeline_lookup lookup = {pass_find, pipeline->catalogue};
  if (pipeline_tree_resolve(pipeline->root, &lookup, nest_freely, text,
                            &pipeline->arena, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  pipeline->source = arena_copy(&pipeline->arena, text);
  pipeline->text = pipeline_tree_print(pipeline->root, &pipeline->arena);
  if (!pipeline->source || !pipeline->text)
    return error_set_memory(error);
  host_log(pipeline->host, "pipeline: %s", pipeline->text);
  return MLIRPLUG_OK;
}

/// Opens files of other languages that may have the passes that nobody has.
static void passes_seek(mlirplug_pipeline *pipeline, mlirplug_host *host,
                        const struct pipeline_node *list) {
  for (const struct pipeline_node *node = list->first_child; node;
       node = node->next) {
    if (node->is_nest) {
      passes_seek(pipeline, host, node);
    } else if (!catalogue_find_pass(pipeline->catalogue, node->name, NULL) &&
               host_open_found(host, node->name)) {
      catalogue_release(pipeline->catalogue);
      pipeline->catalogue = host_catalogue(host);
    }
  }
}

/// Takes the snapshot of the catalogue.
static mlirplug_pipeline *pipeline_make(const mlirplug_host *host,
                                        struct catalogue *catalogue,
                                        mlirplug_error **error) {
  mlirplug_pipeline *pipeline = calloc(1, sizeof *pipeline);
  if (!pipeline) {
    catalogue_release(catalogue);
    error_set_memory(error);
    return NULL;
  }
  pipeline->host = host;
  pipeline->catalogue = catalogue;
  return pipeline;
}

static mlirplug_pipeline *pipeline_create(const mlirplug_host *host,
                                          mlirplug_error **error) {
  return pipeline_make(host, host_catalogue(host), error);
}

static bool has_plugin_pass(const struct pipeline_node *list,
                            struct catalogue *catalogue) {
  bool found = false;
  for (const struct pipeline_node *node = list->first_child; node;
       node = node->next) {
    if (node->is_nest || strchr(node->name, '.'))
      return false; // What goes where is not that plain.
    found = found || catalogue_find_pass(catalogue, node->name, NULL);
  }
  return found;
}

/// How a list of passes, some of them from plugins, is written as a pipeline:
/// each nested by its anchor. Null if `text` is something else.
static const char *pipeline_around(mlirplug_pipeline *pipeline,
                                   const char *text) {
  struct pipeline_lookup lookup = {pass_find, pipeline->catalogue};
  struct arena *arena = &pipeline->arena;
  struct pipeline_node *root;
  if (pipeline_tree_parse_elements("builtin.module", text, arena, &root,
                                   NULL) != MLIRPLUG_OK ||
      !has_plugin_pass(root, pipeline->catalogue) ||
      pipeline_tree_resolve(root, &lookup, true, text, arena, NULL) !=
          MLIRPLUG_OK)
    return NULL;
  return pipeline_tree_print(root, arena);
}

/// The parser knows no passes, so it cannot say where they are nested.
static mlirplug_status pipeline_read(mlirplug_pipeline *pipeline,
                                     const char *text, mlirplug_error **error) {
  mlirplug_error *inner = NULL;
  if (pipeline_tree_parse(text, &pipeline->arena, &pipeline->root, &inner) ==
      MLIRPLUG_OK)
    return MLIRPLUG_OK;
  if (!inner->subject) { // Out of memory.
    mlirplug_error_destroy(inner);
    return error_set_memory(error);
  }
  struct fault fault = {.doing = inner->doing, .subject = inner->subject};
  text_add(&fault.found, inner->found);
  text_add(&fault.expected, inner->expected ? inner->expected : "");
  const char *around = pipeline_around(pipeline, text);
  if (around)
    text_format(&fault.remedy, "write %s", around);
  else
    text_add(&fault.remedy, inner->remedy ? inner->remedy : "");
  (void)fault_raise(&fault, error);
  mlirplug_error_destroy(inner);
  return MLIRPLUG_FAILED;
}

mlirplug_status mlirplug_pipeline_parse(mlirplug_host *host, const char *text,
                                        mlirplug_pipeline **pipeline,
                                        mlirplug_error **error) {
  mlirplug_pipeline *made = pipeline_create(host, error);
  if (!made)
    return MLIRPLUG_FAILED;
  mlirplug_status status = pipeline_read(made, text, error);
  if (status == MLIRPLUG_OK) {
    passes_seek(made, host, made->root);
    status = pipeline_complete(made, false, text, error);
  }
  if (status != MLIRPLUG_OK) {
    mlirplug_pipeline_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *pipeline = made;
  return MLIRPLUG_OK;
}

mlirplug_status mlirplug_pipeline_parse_passes(mlirplug_host *host,
                                               const char *anchor,
                                               const char *text,
                                               mlirplug_pipeline **pipeline,
                                               mlirplug_error **error) {
  mlirplug_pipeline *made = pipeline_create(host, error);
  if (!made)
    return MLIRPLUG_FAILED;
  mlirplug_status status = pipeline_tree_parse_elements(
      anchor, text, &made->arena, &made->root, error);
  if (status == MLIRPLUG_OK) {
    passes_seek(made, host, made->root);
    status = pipeline_complete(made, true, text, error);
  }
  if (status != MLIRPLUG_OK) {
    mlirplug_pipeline_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *pipeline = made;
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// Inserting
//===----------------------------------------------------------------------===//

static void choice_warn(void *host, const char *line) {
  host_warn(host, "%s", line);
}

/// Where the passes of requests are looked for.
struct request_source {
  mlirplug_host *host;
  struct catalogue *catalogue; ///< A snapshot of its own.
};

/// Also in files of other languages that are not open yet.
static mlirplug_status request_find(void *user_data, const char *name,
                                    struct pipeline_match *match,
                                    mlirplug_error **error) {
  struct request_source *source = user_data;
  if (!catalogue_find_pass(source->catalogue, name, NULL) &&
      host_open_found(source->host, name)) {
    catalogue_release(source->catalogue);
    source->catalogue = host_catalogue(source->host);
  }
  return pass_find(source->catalogue, name, match, error);
}

/// The text of `pipeline` after all requests, one on the result of the other,
/// made in `arena`.
static mlirplug_status requests_apply(const mlirplug_pipeline *pipeline,
                                      struct request_source *source,
                                      const char *const *requests, size_t count,
                                      struct arena *arena, const char **text,
                                      mlirplug_error **error) {
  struct pipeline_lookup lookup = {request_find, source};
  *text = pipeline->text;
  for (size_t i = 0; i < count; ++i) {
    struct pipeline_node *root;
    if (pipeline_tree_parse(*text, arena, &root, error) != MLIRPLUG_OK ||
        pipeline_tree_insert(root, *text, requests[i], &lookup, choice_warn,
                             source->host, arena, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    *text = pipeline_tree_print(root, arena);
    if (!*text)
      return error_set_memory(error);
  }
  return MLIRPLUG_OK;
}

static mlirplug_status inserted_make(const struct request_source *source,
                                     const char *text,
                                     mlirplug_pipeline **result,
                                     mlirplug_error **error) {
  mlirplug_pipeline *made =
      pipeline_make(source->host, catalogue_retain(source->catalogue), error);
  if (!made)
    return MLIRPLUG_FAILED;
  if (pipeline_tree_parse(text, &made->arena, &made->root, error) !=
          MLIRPLUG_OK ||
      pipeline_complete(made, false, text, error) != MLIRPLUG_OK) {
    mlirplug_pipeline_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *result = made;
  return MLIRPLUG_OK;
}

mlirplug_status mlirplug_pipeline_insert(const mlirplug_pipeline *pipeline,
                                         const char *const *requests,
                                         size_t count,
                                         mlirplug_pipeline **result,
                                         mlirplug_error **error) {
  struct arena arena = {0};
  struct request_source source = {(mlirplug_host *)pipeline->host,
                                  catalogue_retain(pipeline->catalogue)};
  const char *text;
  mlirplug_status status =
      requests_apply(pipeline, &source, requests, count, &arena, &text, error);
  if (status == MLIRPLUG_OK)
    status = inserted_make(&source, text, result, error);
  catalogue_release(source.catalogue);
  arena_release(&arena);
  return status;
}

mlirplug_status
mlirplug_pipeline_insert_configured(const mlirplug_pipeline *pipeline,
                                    mlirplug_pipeline **result,
                                    mlirplug_error **error) {
  const mlirplug_host *host = pipeline->host;
  mlirplug_pipeline *made;
  if (mlirplug_pipeline_insert(pipeline, NULL, 0, &made, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const char *request;
  for (size_t i = 0; (request = mlirplug_host_insertion(host, i)); ++i) {
    mlirplug_pipeline *next = NULL;
    mlirplug_error *problem = NULL;
    mlirplug_status status =
        mlirplug_pipeline_insert(made, &request, 1, &next, &problem);
    if (status != MLIRPLUG_OK && !problem->is_exhausted &&
        !host->insertions_are_named) {
      host_warn(host, "the configuration '%s': %s",
                mlirplug_host_configuration_file(host), problem->message);
      mlirplug_error_destroy(problem);
      continue;
    }
    mlirplug_pipeline_destroy(made);
    if (status != MLIRPLUG_OK)
      return host_pass_error(problem, error);
    made = next;
  }
  *result = made;
  return MLIRPLUG_OK;
}

const char *mlirplug_pipeline_text(const mlirplug_pipeline *pipeline) {
  return pipeline->text;
}

void mlirplug_pipeline_destroy(mlirplug_pipeline *pipeline) {
  if (!pipeline)
    return;
  arena_release(&pipeline->arena);
  catalogue_release(pipeline->catalogue);
  free(pipeline);
}
