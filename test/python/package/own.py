# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plugins on modules of mlirplug.ir: own.py ADD-TO-MUL.SO SPIN-IN-C.SO"""

import os
import pathlib
import signal
import sys
import threading
import time

import mlirplug
from mlirplug import ir

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
SOURCE = (ROOT / "test/cases/04-add-to-mul/input.mlir").read_text()
EXPECTED = (ROOT / "test/cases/04-add-to-mul/expected.mlir").read_text()


def check(condition, what):
    if not condition:
        sys.exit(f"own.py: {what}")


def parse(text=SOURCE):
    return ir.Module.parse(text, ir.Context())


def rewrites(pipeline):
    module = parse()
    mlirplug.run(module, pipeline)
    check(str(module).strip() == EXPECTED.strip(), f"{pipeline} gives {module}")


def reports():
    module = parse()
    result = mlirplug.run(module, "builtin.module(demo-report,demo-kept)")
    messages = [one.message for one in result.diagnostics]
    check(messages == ["nowhere", "at the module", "at its location", "elsewhere", "kept 1"],
          messages)
    check("other.mlir" in str(result.diagnostics[3].location), result.diagnostics[3].location)


def raises():
    module = parse()
    try:
        mlirplug.run(module, "builtin.module(func.func(demo-raise{function=mix}))")
    except mlirplug.Error as error:
        check("ZeroDivisionError: division by zero" in str(error), error)
        check("in divide: return 1 / number" in str(error), error)
        check(error.found.startswith("a pass failed"), error.found)
    else:
        sys.exit("own.py: an exception was lost")
    check(str(module) != "", "the module is gone")
    for text, part in (("builtin.module(func.func(totals{x=1}))", "has no option 'x'"),
                       ("builtin.module(no-such-pass)", "no-such-pass"),
                       ("builtin.module(", "pipeline")):
        for action in (lambda: mlirplug.run(module, text), lambda: mlirplug.pipeline(text)):
            try:
                action()
            except mlirplug.Error as error:
                check(part in str(error), error)
                check(error.doing and error.found, "an error without parts")


def interrupts(pipeline):
    module = parse()
    # Whoever runs the tests in the background may have it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    try:
        mlirplug.run(module, pipeline)
    except KeyboardInterrupt:
        check(time.monotonic() - begun < 5, "the interrupt came late")
    else:
        sys.exit(f"own.py: {pipeline} has ended")
    finally:
        timer.join()


def threads():
    """Runs at once, each on a module of its own."""
    problems = []

    def work():
        try:
            for _ in range(10):
                rewrites("builtin.module(func.func(totals),add-to-mul)")
        except BaseException as problem:
            problems.append(problem)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    check(not problems, problems)


def main():
    for path in sys.argv[1:]:
        mlirplug.load(path)
    for name in ("raise", "report"):
        mlirplug.load(HERE / f"passes/{name}.py")
    mlirplug.load(ROOT / "examples/python/totals.py")
    check(mlirplug.pipeline("builtin.module( func.func(totals) )") ==
          "builtin.module(func.func(totals))", "the pipeline is not what it was")
    rewrites("builtin.module(add-to-mul)")
    result = mlirplug.run(parse(), "builtin.module(func.func(totals))")
    check(result.records == [{"pass": "totals", "operations": 10}], result.records)
    check(result.statistics == {("totals", 0, "functions"): 1}, result.statistics)
    reports()
    raises()
    threads()
    interrupts("builtin.module(demo-spin)")
    rewrites("builtin.module(add-to-mul)")
    print("own.py: all is well")


main()
