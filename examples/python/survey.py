# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""py-survey: which kernels have a reduction? As linalg-survey, in Python."""

import mlirplug
from mlirplug import ir


def has_reduction(generic):
    """Iterator types are #linalg.iterator_type<reduction>, or strings."""
    return any("reduction" in str(kind) for kind in generic.attributes["iterator_types"])


def input_maps(generic):
    """The indexing maps of what is read; those of the results come behind."""
    maps = [attribute.value for attribute in generic.attributes["indexing_maps"]]
    return maps[: generic.attributes["operandSegmentSizes"][0]]


def is_identity(affine_map):
    return affine_map == ir.AffineMap.get_identity(affine_map.n_dims)


def function_of(op):
    """The name of the function around `op`, or None."""
    while op is not None and op.name != "builtin.module":
        if "sym_name" in op.attributes:
            return op.attributes["sym_name"].value
        op = op.parent
    return None


@mlirplug.pass_("py-survey", dialects="linalg")
def survey(module, run):
    """Write a record about the linalg operations of a kernel"""
    found = {"ops": 0, "generics": 0, "reduction_generics": 0, "non_identity_input_maps": 0,
             "functions_with_reduction": []}

    def visit(op):
        found["ops"] += 1
        if op.name == "linalg.generic":
            found["generics"] += 1
            found["non_identity_input_maps"] += sum(not is_identity(m) for m in input_maps(op))
            if has_reduction(op):
                found["reduction_generics"] += 1
                name = function_of(op)
                if name not in found["functions_with_reduction"]:
                    found["functions_with_reduction"].append(name)
        return ir.WalkResult.ADVANCE

    module.walk(visit, ir.WalkOrder.PRE_ORDER)
    run.record(found)
