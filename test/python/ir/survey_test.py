#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""survey_test.py BUILD: examples/python/survey.py over test/kernels finds what
reference.tsv says."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def reference():
    lines = (ROOT / "test/kernels/reference.tsv").read_text().splitlines()
    columns = lines[0].split("\t")
    return [dict(zip(columns, line.split("\t"))) for line in lines[1:]]


def main():
    command = [
        f"{sys.argv[1]}/bin/mlirplug", "opt",
        f"--load-pass-plugin={ROOT}/examples/python/survey.py",
        "--pass-pipeline=builtin.module(linalg-generalize-named-ops,py-survey)",
        "--records=-", "-o", "/dev/null", f"{ROOT}/test/kernels",
    ]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True)
    records = {}
    for line in ran.stdout.splitlines():
        record = json.loads(line)
        records[Path(record["file"]).stem] = record
    wrong = []
    rows = reference()
    for row in rows:
        record = records.pop(row["kernel"], None)
        if row["status"] != "ok":
            if record:
                wrong.append(f"{row['kernel']}: a record of what cannot be parsed")
            continue
        if not record:
            wrong.append(f"{row['kernel']}: no record")
            continue
        for key in ("ops", "generics", "reduction_generics", "non_identity_input_maps"):
            if record[key] != int(row[key]):
                wrong.append(f"{row['kernel']}: {key} is {record[key]}, expected {row[key]}")
        functions = ",".join(record["functions_with_reduction"])
        if functions != row["functions_with_reduction"]:
            wrong.append(f"{row['kernel']}: functions {functions}")
    wrong += [f"{kernel}: not in the reference" for kernel in records]
    if wrong:
        print(*wrong[:10], ran.stderr[:2000], sep="\n")
        return 1
    print(f"{len(rows)} kernels as in the reference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
