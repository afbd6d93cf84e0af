# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""count-marked: a record of how many operations have the attribute."""

import mlirplug


@mlirplug.pass_("count-marked", anchor="builtin.module",
                options={"attribute": mlirplug.String("marked", "Name of the attribute")})
def count_marked(module, run):
    """Count the operations that are marked"""
    marked = 0
    for function in module.regions[0].blocks[0].operations:
        marked += run.options.attribute in function.attributes
    run.record({"marked": marked})
