"""Move out of loops what does not have to be in them.

What depends on no carry and no item is computed once, before. Products of an item with what
stays the same are one product of all items, before; sums of products over the rounds, as the
gradients of weights are, are one product of what the rounds stack, after. These products add
in another order than the rounds do, as matrix products do anyway.
"""

from __future__ import annotations

import math
from collections import Counter

from autodiff.compiler.blocks import Block, Scan
from autodiff.compiler.operations import CarefulProduct, Kernel, Matmul, Reshape, Transpose
from autodiff.compiler.program import Instruction, Operand, Program, Value
from autodiff.elementwise import rule_named


def hoist(program: Program) -> Program:
    """Return the program with smaller loops."""
    kept: list[Instruction] = []
    for each in program.instructions:
        operation = each.operation
        if isinstance(operation, Scan) and operation.length > 1:
            loop = _Loop(each, operation)
            loop.move_invariants()
            loop.move_products_of_items()
            loop.move_sums_of_products()
            kept += [*loop.before, loop.instruction(), *loop.after]
        else:
            kept.append(each)
    return program.with_instructions(kept)


class _Loop:
    """A scan taken apart.

    Attributes
    ----------
    before, after : list of Instruction
        What was moved out of it.
    """

    def __init__(self, each: Instruction, scan: Scan) -> None:
        body, carries, end = scan.body, scan.carries, scan.carries + scan.items
        self.before: list[Instruction] = []
        self.after: list[Instruction] = []
        self.scan = scan
        pairs = list(zip(body.inputs, each.operands, strict=True))
        self.carries, self.items, self.rest = pairs[:carries], dict(pairs[carries:end]), dict(
            pairs[end:]
        )  # fmt: skip
        self.instructions = list(body.instructions)
        outs = list(zip(body.outputs, each.results, strict=True))
        self.next, self.stacked = outs[:carries], outs[carries:]

    def instruction(self) -> Instruction:
        """Return the scan put together again."""
        outs = [*self.next, *self.stacked]
        inputs = [*(value for value, _ in self.carries), *self.items, *self.rest]
        body = Program(inputs, {}, self.instructions, [out for out, _ in outs])
        scan = Scan(body, len(self.carries), len(self.items), self.scan.length, self.scan.reverse)
        given = [one for _, one in self.carries]
        operands = (*given, *self.items.values(), *self.rest.values())
        return Instruction(scan, operands, tuple(result for _, result in outs))

    def _outside(self, operation: Matmul | Reshape | Transpose, shape: tuple[int, ...],
                 *operands: Operand, after: bool = False) -> Value:  # fmt: skip
        first = next(one for one in operands if isinstance(one, Value))
        result = Value(shape, first.dtype)
        instructions = self.after if after else self.before
        instructions.append(Instruction(operation, operands, (result,)))
        return result

    def move_invariants(self) -> None:
        """Compute before the loop what is the same in all rounds."""
        kept = []
        for each in self.instructions:
            still = all(value in self.rest for value in each.values) and any(each.values)
            if not still or each.operation.key is None or isinstance(each.operation, Block):
                kept.append(each)
                continue
            operands = tuple(
                self.rest[one] if isinstance(one, Value) else one for one in each.operands
            )
            results = tuple(Value(one.shape, one.dtype, one.weak) for one in each.results)
            self.before.append(Instruction(each.operation, operands, results))
            self.rest |= dict(zip(each.results, results, strict=True))
        self.instructions = kept

    def move_products_of_items(self) -> None:
        """Multiply all items at once by a matrix that stays the same."""
        kept = []
        for each in self.instructions:
            found = self._product_of_items(each) if isinstance(each.operation, Matmul) else None
            if found is None:
                kept.append(each)
            else:
                self.items[each.results[0]] = found
        self.instructions = kept

    def _product_of_items(self, each: Instruction) -> Operand:
        operation, length = each.operation, self.scan.length
        assert isinstance(operation, Matmul)
        left, right = each.operands
        if not (isinstance(left, Value) and isinstance(right, Value)) or left.dtype != right.dtype:
            return None
        (result,) = each.results
        if left in self.items and right in self.rest and len(right.shape) == 2:
            if len(left.shape) not in (1, 2):
                return None
            rows = length * math.prod(left.shape[:-1])
            stack = self._rows(self.items[left], (rows, left.shape[-1]))
            found = self._outside(operation, (rows, right.shape[1]), stack, self.rest[right])
            return self._rows(found, (length, *result.shape))
        if right in self.items and left in self.rest and len(left.shape) == 2:
            if len(right.shape) != 1:
                return None
            careful = None if operation.careful is None else 1 - operation.careful
            turned = self._outside(Transpose((1, 0)), left.shape[::-1], self.rest[left])
            shape = length, left.shape[0]
            return self._outside(Matmul(careful), shape, self.items[right], turned)
        return None

    def _rows(self, value: Operand, shape: tuple[int, ...], after: bool = False) -> Operand:
        if isinstance(value, Value) and value.shape == shape:
            return value
        return self._outside(Reshape(shape), shape, value, after=after)

    def move_sums_of_products(self) -> None:
        """Multiply once, after the loop, what is added up over the rounds."""
        readers = Counter(one for each in self.instructions for one in each.operands
                          if isinstance(one, Value))  # fmt: skip
        readers.update(one for one, _ in (*self.next, *self.stacked) if isinstance(one, Value))
        makers = {result: each for each in self.instructions for result in each.results}
        for number in reversed(range(len(self.carries))):
            carry, init = self.carries[number]
            out, result = self.next[number]
            added = makers.get(out) if isinstance(out, Value) else None
            if added is None or not _is_kernel(added, "add") or readers[carry] != 1:
                continue
            if carry not in added.operands or readers[out] != 1:
                continue
            (term,) = [one for one in added.operands if one is not carry] or [None]
            maker = makers.get(term) if isinstance(term, Value) else None
            if maker is None or readers[term] != 1 or term.shape != carry.shape:
                continue
            factors = _factors(maker, makers)
            if factors is None or {one.dtype for one in factors[:2]} != {carry.dtype}:
                continue
            self._sum_after(number, init, result, *factors)
            self.instructions = [one for one in self.instructions if one not in (added, maker)]

    def _sum_after(
        self, number: int, init: Operand, result: Value, x: Value, y: Value, careful: int | None
    ) -> None:
        rows = self.scan.length * math.prod(x.shape[:-1])
        tall = self._rows(self._stack(x), (rows, x.shape[-1]), after=True)
        wide = self._rows(self._stack(y), (rows, y.shape[-1]), after=True)
        shape = x.shape[-1], y.shape[-1]
        turned = self._outside(Transpose((1, 0)), (shape[0], rows), tall, after=True)
        total = self._outside(Matmul(careful), shape, turned, wide, after=True)
        rule = rule_named("add")
        assert rule is not None
        self.after.append(Instruction(Kernel(rule), (init, total), (result,)))
        del self.carries[number], self.next[number]

    def _stack(self, value: Value) -> Operand:
        """Return a value of all rounds."""
        if value in self.items:
            return self.items[value]
        for out, result in self.stacked:
            if out is value:
                return result
        result = Value((self.scan.length, *value.shape), value.dtype)
        self.stacked.append((value, result))
        return result


def _is_kernel(each: Instruction, name: str) -> bool:
    operation = each.operation
    return isinstance(operation, Kernel) and operation.index is None and operation.name == name


def _factors(
    each: Instruction, makers: dict[Value, Instruction]
) -> tuple[Value, Value, int | None] | None:
    """Return x and y of the product of each entry of x with each of y, or of the rows of both.

    With them comes which of the two is a cotangent, None if the product is a plain one.
    """
    if not all(isinstance(one, Value) for one in each.operands) or len(each.operands) != 2:
        return None
    sources = [makers.get(one) for one in each.operands]
    if isinstance(each.operation, Matmul):
        first = sources[0]
        y = each.operands[1]
        if first is None or first.operation != Transpose((1, 0)) or len(y.shape) != 2:
            return None
        return first.operands[0], y, each.operation.careful
    if not (isinstance(each.operation, CarefulProduct) or _is_kernel(each, "multiply")):
        return None
    found: dict[int, Value] = {}
    sides = []
    for operand, source in zip(each.operands, sources, strict=True):
        if len(operand.shape) == 1:
            found[1] = operand  # a vector stands for its row
            sides.append(1)
            continue
        if source is None or not isinstance(source.operation, Reshape):
            return None
        (x,) = source.operands
        shape = source.operation.shape
        if not isinstance(x, Value) or len(x.shape) != 1 or len(shape) != 2:
            return None
        sides.append(0 if shape[1] == 1 and 0 not in found else 1)
        found[sides[-1]] = x
    careful = sides[0] if isinstance(each.operation, CarefulProduct) else None
    return (found[0], found[1], careful) if len(found) == 2 else None
