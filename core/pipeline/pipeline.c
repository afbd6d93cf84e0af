// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/pipeline.h"

#include <stdlib.h>

static bool pass_find(void *user_data, const char *name,
                      const mlirplug_pass_description **pass,
                      const mlirplug_plugin_description **plugin) {
  size_t index;
  const struct plugin *found = catalogue_find_pass(user_data, name, &index);
  if (!found)
    return false;
  *plugin = found->description;
  *pass = &found->description->passes[index];
  return true;
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

static mlirplug_pipeline *pipeline_create(const mlirplug_host *host,
                                          mlirplug_error **error) {
  mlirplug_pipeline *pipeline = calloc(1, sizeof *pipeline);
  if (!pipeline) {
    error_set_memory(error);
    return NULL;
  }
  pipeline->host = host;
  pipeline->catalogue = host_catalogue(host);
  return pipeline;
}

mlirplug_status mlirplug_pipeline_parse(mlirplug_host *host, const char *text,
                                        mlirplug_pipeline **pipeline,
                                        mlirplug_error **error) {
  mlirplug_pipeline *made = pipeline_create(host, error);
  if (!made)
    return MLIRPLUG_FAILED;
  if (pipeline_tree_parse(text, &made->arena, &made->root, error) !=
          MLIRPLUG_OK ||
      pipeline_complete(made, false, text, error) != MLIRPLUG_OK) {
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
  if (pipeline_tree_parse_elements(anchor, text, &made->arena, &made->root,
                                   error) != MLIRPLUG_OK ||
      pipeline_complete(made, true, text, error) != MLIRPLUG_OK) {
    mlirplug_pipeline_destroy(made);
    return MLIRPLUG_FAILED;
  }
  *pipeline = made;
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
