# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entries of the ledger as C: comments, functions, types, layouts."""

import re
import textwrap

WIDTH = 80


def comment(text, indent="", mark="///"):
    """Text as comment lines of at most WIDTH columns."""
    prefix = f"{indent}{mark} "
    return "".join(
        line + "\n"
        for line in textwrap.wrap(
            text,
            WIDTH,
            initial_indent=prefix,
            subsequent_indent=prefix,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def pack(opening, *groups):
    """Puts groups of tokens behind `opening`, on as few lines as WIDTH allows.

    A group is kept on one line if it fits, else broken at its commas.
    """
    pieces = []
    for group in groups:
        if len(opening) + len(group) <= WIDTH:
            pieces.append(group)
        else:
            pieces += re.split(r"(?<=,) ", group)
    lines = [opening + pieces[0]]
    for piece in pieces[1:]:
        if len(lines[-1]) + 1 + len(piece) <= WIDTH:
            lines[-1] += " " + piece
        else:
            lines.append(" " * len(opening) + piece)
    return "\n".join(lines) + "\n"


def split_parameters(text):
    """Splits a parameter list at the commas outside parentheses."""
    parts = re.split(r",\s*(?![^()]*\))", text)
    return [part.strip() for part in parts if part.strip()]


def declared_name(declaration):
    """The name that a declaration of a parameter or field introduces."""
    match = re.search(r"\(\*(\w+)\)\(|(\w+)$", declaration)
    return match.group(1) or match.group(2)


def join(values):
    """Values as English: 13, 14 and 15."""
    if len(values) == 1:
        return values[0]
    return ", ".join(values[:-1]) + " and " + values[-1]


def seen_text(seen, looked_at):
    """Says in which looked_at a function was seen."""
    present = seen.split()
    absent = [v for v in looked_at if v not in present]
    if not absent:
        return f"Seen in MLIR {looked_at[0]} to {looked_at[-1]}."
    if absent == looked_at[: len(absent)]:
        return f"Absent in MLIR {absent[-1]}, seen in {join(present)}."
    return f"Seen in MLIR {join(present)}, absent in {join(absent)}."


def function_text(function, looked_at):
    """A function with its comment."""
    text = comment(function["comment"])
    if "body" not in function:
        text += comment(seen_text(function["seen"], looked_at))
    older = function.get("older")
    if older:
        text += comment(
            f"Had other parameters in {join(older['seen'].split())}: "
            f"{older['signature']}."
        )
    name, result = function["name"], function["result"]
    parameters = function["parameters"] or "void"
    if "body" in function:
        text += pack(f"MLIRPLUG_INLINE {result} {name}(", f"{parameters}) {{")
        text += "".join(f"  {line}\n" for line in function["body"])
        return text + "}\n"
    arguments = map(declared_name, split_parameters(function["parameters"]))
    groups = [f"{name},", f"({parameters}),", f"({', '.join(arguments)}))"]
    if result == "void":
        return text + pack("MLIRPLUG_PROCEDURE(", *groups)
    return text + pack("MLIRPLUG_FUNCTION(", f"{result},", *groups)


def section_text(section):
    """What a group of functions has in common."""
    introduction = comment(section["introduction"], mark="//")
    return f"// {section['title']}\n//\n{introduction}"


def assertion(condition, message):
    """A static assertion."""
    return pack("MLIRPLUG_STATIC_ASSERT(", f"{condition},", f'"{message}");')


def handle_text(handle):
    """A struct that holds one pointer."""
    name = handle["name"]
    return (
        comment(handle["comment"])
        + f"struct {name} {{\n  {handle['pointee']} *ptr;\n}};\n"
        + f"typedef struct {name} {name};\n"
    )


def alias_text(alias):
    """Another name for a type."""
    declaration = f"typedef {alias['type']} {alias['name']};\n"
    return comment(alias["comment"]) + declaration


def enumeration_text(enumeration):
    """An enumeration whose constants count from 0."""
    name = enumeration["name"]
    tag = f"{name} " if enumeration.get("tagged") else ""
    text = comment(enumeration["comment"]) + f"typedef enum {tag}{{\n"
    for value, constant in enumerate(enumeration["constants"]):
        if "comment" in constant:
            text += comment(constant["comment"], "  ")
        text += f"  {constant['name']} = {value},\n"
    return text + f"}} {name};\n"


def structure_text(structure):
    """A structure."""
    name = structure["name"]
    tagged = structure.get("tagged")
    text = comment(structure["comment"])
    text += f"struct {name} {{\n" if tagged else "typedef struct {\n"
    for field in structure["fields"]:
        if "comment" in field:
            text += comment(field["comment"], "  ")
        text += field_text(field["declaration"])
    if tagged:
        text += f"}};\ntypedef struct {name} {name};\n"
    else:
        text += f"}} {name};\n"
    return text


def field_text(declaration):
    """A field of a structure, perhaps a pointer to a function."""
    head, bracket, parameters = declaration.rpartition("(")
    if bracket:
        return pack(f"  {head}(", f"{parameters};")
    return f"  {declaration};\n"


def callback_text(callback):
    """A pointer to a function that user code provides."""
    opening = f"typedef {callback['result']} (*{callback['name']})("
    parameters = f"{callback['parameters']});"
    if len(opening) + len(parameters) > WIDTH:
        lines = opening + "\n" + pack("    ", parameters)
        return comment(callback["comment"]) + lines
    return comment(callback["comment"]) + opening + parameters + "\n"


TYPES = (
    ("handle", handle_text),
    ("alias", alias_text),
    ("enumeration", enumeration_text),
    ("structure", structure_text),
    ("callback", callback_text),
)


# Layouts


def handle_layout(handle):
    """What must be true of a handle."""
    name = handle["name"]
    return assertion(f"sizeof({name}) == 8", f"{name} is a pointer")


def enumeration_layout(enumeration):
    """What must be true of an enumeration."""
    name = enumeration["name"]
    return assertion(f"sizeof({name}) == 4", f"{name} is an int")


def structure_layout(structure):
    """What must be true of a structure."""
    name, size = structure["name"], structure["size"]
    text = assertion(f"sizeof({name}) == {size}", f"{name} has {size} bytes")
    for field in structure["fields"]:
        member = declared_name(field["declaration"])
        text += assertion(
            f"offsetof({name}, {member}) == {field['offset']}",
            f"{name}.{member} moved",
        )
    return text


LAYOUTS = (
    ("handle", handle_layout),
    ("enumeration", enumeration_layout),
    ("structure", structure_layout),
)
