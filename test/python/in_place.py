# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a plugin in place on the modules of compilers in this Python process.

in_place.py LIBMLIRPLUG REPLACE.SO PACKAGE... where a PACKAGE is one of those
below. Ends with 0 if each of them did what it should."""

import importlib
import sys

from mlirplug import Host, Library, Refused, capsule_of

ARITH = """
func.func @f(%a: i32, %b: i32) -> i32 {
  %c = arith.addi %a, %b : i32
  %d = arith.addi %c, %b : i32
  return %d : i32
}
"""
COMB = """
hw.module @f(in %a: i32, in %b: i32, out c: i32) {
  %d = comb.sub %a, %b : i32
  %e = comb.sub %d, %b : i32
  hw.output %e : i32
}
"""


def host_for(library, thing):
    """A host on the copy of MLIR that `thing` is of."""
    host = Host(library)
    host.attach_package(capsule_of(thing)[0])
    return host


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"in_place.py: found {found}, expected {wanted}")


def jaxlib_case(library, plugin):
    """What is compiled afterwards computes something else."""
    import jax
    import numpy
    x = numpy.arange(0, 8, 2, dtype=numpy.float32)

    def compute(change):
        # A function of its own each time: jax caches what it has compiled.
        lowered = jax.jit(lambda x: x + 1).lower(x)
        module = lowered.compiler_ir()
        if change:
            change(module)
        return lowered.compile()(x).tolist()

    def subtract(module):
        run(library, plugin, module, "stablehlo.add", "stablehlo.subtract", 1)

    expect(compute(None), [1, 3, 5, 7])
    expect(compute(subtract), [-1, 1, 3, 5])
    expect(compute(None), [1, 3, 5, 7])
    expect(compute(subtract), [-1, 1, 3, 5])


def run(library, plugin, module, old, new, count):
    """Runs the plugin on a module, twice: there is nothing left to do then."""
    host = host_for(library, module)
    host.add_plugin(plugin)
    pipeline = f"builtin.module(replace{{from={old} to={new}}})"
    for replaced in (count, 0):
        _, statistics = host.run(pipeline, module.operation, module.context)
        expect(statistics, {"replaced": replaced})
    text = str(module)
    expect((text.count(old + " "), text.count(new + " ")), (0, count))
    print(f"  {pipeline} ran on {host.provider()}")


def parse(package, source):
    """A module of Python bindings that are made as upstream's are."""
    bindings = importlib.import_module(package)
    ir = importlib.import_module(package + ".ir")
    with ir.Context() as context, ir.Location.unknown():
        if hasattr(bindings, "register_dialects"):
            bindings.register_dialects(context)
        return ir.Module.parse(source)


def bindings_case(package, source, old, new):
    def case(library, plugin):
        module = parse(package, source)
        run(library, plugin, module, old, new, 2)
        module.operation.verify()

    return case


CASES = {
    "jaxlib": jaxlib_case,
    "mlir": bindings_case("mlir", ARITH, "arith.addi", "arith.muli"),
    "iree": bindings_case("iree.compiler", ARITH, "arith.addi", "arith.muli"),
    "torch_mlir": bindings_case("torch_mlir", ARITH, "arith.addi",
                                "arith.muli"),
    "flydsl": bindings_case("flydsl._mlir", ARITH, "arith.addi", "arith.muli"),
    "cutlass": bindings_case("cutlass._mlir", ARITH, "arith.addi",
                             "arith.muli"),
    "circt": bindings_case("circt", COMB, "comb.sub", "comb.divu"),
}


# A module of each, for the test of refusals.
PACKAGES = {
    "jaxlib": "jaxlib.mlir",
    "mlir": "mlir",
    "iree": "iree.compiler",
    "torch_mlir": "torch_mlir",
    "flydsl": "flydsl._mlir",
    "cutlass": "cutlass._mlir",
    "circt": "circt",
}


def expect_refused(words, action, *arguments):
    try:
        action(*arguments)
    except Refused as refusal:
        if words not in str(refusal):
            raise
        print(f"  refused: {refusal}")
    else:
        sys.exit(f"in_place.py: not refused: {words}")


def refuse_elsewhere(library, plugin, names):
    """What is not there, or cannot be told apart, or is another's."""
    expect_refused("import it", Host(library).attach_package, "no.such.package")
    if len(names) == 1:
        Host(library).attach_process()
        return
    expect_refused("several copies", Host(library).attach_process)
    hosts = {}
    for name in names:
        hosts[name] = Host(library)
        hosts[name].attach_package(PACKAGES[name])
        hosts[name].add_plugin(plugin)
    modules = {name: parse(PACKAGES[name], "module {}") for name in names}
    for name in names:
        for other in names:
            mine, others = modules[name], modules[other]
            if name == other:
                hosts[name].run("builtin.module(replace)", mine.operation,
                                mine.context)
                continue
            for operation, context in ((others.operation, others.context),
                                       (others.operation, mine.context)):
                expect_refused("it was made by the MLIR in", hosts[name].run,
                               "builtin.module(replace)", operation, context)


def main():
    library, plugin, names = Library(sys.argv[1]), sys.argv[2], sys.argv[3:]
    for name in names:
        CASES[name](library, plugin)
    for name in reversed(names):  # in turn: none has disturbed the other
        CASES[name](library, plugin)
    refuse_elsewhere(library, plugin, names)
    print("in_place.py: all is well")


main()
