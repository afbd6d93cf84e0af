# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same as ../in_place.py by the package mlirplug, with passes in Python, too.

in_place.py REPLACE.SO PACKAGE... where a PACKAGE is one of those below.
Ends with 0 if each of them did what it should."""

import importlib
import os
import signal
import sys
import threading
from pathlib import Path

import mlirplug

HERE = Path(__file__).resolve().parent
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


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"in_place.py: found {found}, expected {wanted}")


def parse(package, source):
    """A module of Python bindings that are made as upstream's are."""
    bindings = importlib.import_module(package)
    ir = importlib.import_module(package + ".ir")
    with ir.Context() as context, ir.Location.unknown():
        if hasattr(bindings, "register_dialects"):
            bindings.register_dialects(context)
        return ir.Module.parse(source)


def jax_module(package, source):
    import jax
    return jax.jit(lambda x: x + 1).lower(1.0).compiler_ir()


PACKAGES = {
    # how a module is made, of which package and text; what is replaced, how often
    "jaxlib": (jax_module, "jaxlib.mlir", "", "stablehlo.add", "stablehlo.subtract", 1),
    "mlir": (parse, "mlir", ARITH, "arith.addi", "arith.muli", 2),
    "iree": (parse, "iree.compiler", ARITH, "arith.addi", "arith.muli", 2),
    "torch_mlir": (parse, "torch_mlir", ARITH, "arith.addi", "arith.muli", 2),
    "flydsl": (parse, "flydsl._mlir", ARITH, "arith.addi", "arith.muli", 2),
    "cutlass": (parse, "cutlass._mlir", ARITH, "arith.addi", "arith.muli", 2),
    "circt": (parse, "circt", COMB, "comb.sub", "comb.divu", 2),
}


def replace(module, old, new, count):
    """A C plugin."""
    pipeline = f"builtin.module(replace{{from={old} to={new}}})"
    for replaced in (count, 0):
        result = mlirplug.run(module, pipeline)
        expect([value for value in result.statistics.values()], [replaced])
    text = str(module)
    expect((text.count(old + " "), text.count(new + " ")), (0, count))


def package_objects(module, package):
    """A pass in Python that gets the package's objects."""
    operation = importlib.import_module(package + ".ir").Operation
    result = mlirplug.run(module, "builtin.module(demo-package{text=seen})")
    expect([record["class"] for record in result.records], [repr(operation)])
    expect('demo.text = "seen"' in str(module), True)


def own_objects(module):
    """A pass in Python that gets objects of mlirplug.ir."""
    result = mlirplug.run(module, "builtin.module(demo-own)")
    expect(result.records[0]["operations"] > 3, True)
    expect('demo.own = "builtin.module"' in str(module), True)


def exception(module):
    try:
        mlirplug.run(module, "builtin.module(demo-divide)")
    except mlirplug.Error as error:
        expect(error.doing, "cannot run the pipeline on")
        expect("a pass failed" in error.found, True)
        expect("ZeroDivisionError: division by zero" in str(error), True)
    else:
        sys.exit("in_place.py: an exception in a pass was lost")


def wrong_option(module):
    try:
        mlirplug.run(module, "builtin.module(demo-package{txt=seen})")
    except mlirplug.Error as error:
        expect("did you mean 'text'" in str(error), True)
    else:
        sys.exit("in_place.py: a wrong option was taken")


def interrupt(module):
    """^C ends a pass that never ends."""
    # Whoever runs the tests in the background may have it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        mlirplug.run(module, "builtin.module(demo-forever)")
    except KeyboardInterrupt:
        pass
    else:
        sys.exit("in_place.py: the pass that never ends has ended")
    finally:
        timer.join()


def threads(package, source, make):
    """Runs on several threads at once, each on a module of its own."""
    problems = []

    def work():
        try:
            module = make(package, source)
            for _ in range(20):
                mlirplug.run(module, "builtin.module(demo-package{text=again})")
        except BaseException as problem:
            problems.append(problem)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    expect(problems, [])


def main():
    mlirplug.load(sys.argv[1])
    mlirplug.load(HERE.parent / "passes/package.py")
    expect([plugin.language for plugin in mlirplug.list()], [None, "Python"])
    names = sys.argv[2:]
    for name in names + names:
        make, package, source, old, new, count = PACKAGES[name]
        module = make(package, source)
        replace(module, old, new, count)
        package_objects(module, package)
        own_objects(module)
        exception(module)
        wrong_option(module)
        interrupt(module)
        threads(package, source, make)
        module.operation.verify()
    print("in_place.py: all is well")


main()
