# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""demo-count: how often each place of a pipeline ran."""

import mlirplug


@mlirplug.pass_("demo-count", anchor="func.func")
class Count:
    def __init__(self):
        self.runs = 0

    def run(self, op):
        self.runs += 1

    def merge(self, other):
        self.runs += other.runs

    def finish(self, run):
        run.record({"runs": self.runs})
