"""A picture of a program: its values as boxes, what reads them as arrows."""

from __future__ import annotations

from autodiff.compiler.program import Operand, Program, Value
from autodiff.drawing import Drawing
from autodiff.graphs import Graph, Part


def drawn(program: Program) -> Drawing:
    """Return the picture of a program, from its arguments down to its outputs."""
    names = program.names()
    outputs = {one for one in program.outputs if isinstance(one, Value)}
    graph = Graph()
    places: dict[Value, int] = {}
    for value in (*program.inputs, *program.constants):
        what = "constant" if value in program.constants else "argument"
        places[value] = len(graph.parts)
        lines = [names[value], value.type, what]
        graph.parts.append(Part("leaf", lines, result=value in outputs))
    for each in program.instructions:
        number = len(graph.parts)
        left = ", ".join(names[value] for value in each.results)
        types = ", ".join(value.type for value in each.results)
        result = not outputs.isdisjoint(each.results)
        lines = [f"{left} = {each.operation.text([_text(one, names) for one in each.operands])}"]
        graph.parts.append(Part("operation", [*lines[0].splitlines(), types], result=result))
        graph.arrows += [(places[value], number, "") for value in dict.fromkeys(each.values)]
        places.update(dict.fromkeys(each.results, number))
    return Drawing(graph)


def _text(operand: Operand, names: dict[Value, str]) -> str:
    return names[operand] if isinstance(operand, Value) else repr(operand)
