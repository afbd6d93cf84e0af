# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the plugin in C into the package. The result belongs to no version
of Python, nor of MLIR."""

import os
import subprocess

from mlirplug import sdk
from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py


class BuildPlugins(build_py):
    def run(self):
        super().run()
        directory = os.path.join(self.build_lib, "mlirplug_example", "plugins")
        compiler = os.environ.get("CC", "cc")
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-O2", *sdk.cflags(), "mark_functions.c",
             "-o", os.path.join(directory, "mark-functions.so")],
            check=True,
        )


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(cmdclass={"build_py": BuildPlugins, "bdist_wheel": PlatformWheel})
