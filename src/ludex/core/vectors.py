"""Arithmetic on vectors inside kernels, over flat float32 arrays that do not overlap. No bounds are checked.

Numba leaves it to LLVM to make vectors of loops, and LLVM does not where too many arrays might overlap or sums should
stay in registers. Here both are written out.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

LANES: Final = 8
"""Numbers in a vector: two registers of 128 bits or one of 256."""
FUSED: Final = ("contract",)
"""Multiply and add in one instruction, where there is one."""

Matrix: TypeAlias = Sequence[Sequence[float]]
MatrixMap: TypeAlias = Callable[[Any, int, int, Any, int, int, int], None]
BlockProduct: TypeAlias = Callable[[Any, int, int, Any, int, int, int, Any, int, int], None]


def matrix_map(matrix: Matrix, *, adds: bool = False) -> MatrixMap:
    """A constant matrix times long vectors, which `target` is set to, or grows by if it `adds`.

    It takes `(source, at, step, target, to, pace, count)`. The matrix' column j is multiplied with the `count` numbers
    from `source[at + j * step]` on; row i makes those from `target[to + i * pace]` on.
    """

    @intrinsic
    def mapped(_: Any, source: Any, at: Any, step: Any, target: Any, to: Any, pace: Any, count: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            given, at, step, made, to, pace, count = arguments
            sources = _places(builder, _begin(context, builder, source, given, at), step, len(matrix[0]))
            targets = _places(builder, _begin(context, builder, target, made, to), pace, len(matrix))
            whole = builder.and_(count, ir.Constant(count.type, -LANES))
            for first, last, lanes in ((ir.Constant(count.type, 0), whole, LANES), (whole, count, 1)):
                step = ir.Constant(count.type, lanes)
                with cgutils.for_range_slice(builder, first, last, step, count.type) as (offset, _):
                    columns = [_load(builder, builder.gep(place, [offset]), lanes) for place in sources]
                    for row, place in zip(matrix, targets, strict=True):
                        end = builder.gep(place, [offset])
                        begun = _load(builder, end, lanes) if adds else None
                        _store(builder, _combined(builder, row, columns, begun), end)
            return context.get_dummy_value()

        _check(source, target)
        return types.void(source, *_sizes(2), target, *_sizes(3)), generate

    return cast(MatrixMap, mapped)


def block_product(rows: int, lanes: int, *, transposed: bool = False, adds: bool = False) -> BlockProduct:
    """A product of two matrices, which a block of `rows` by `lanes` numbers is set to, or grows by if it `adds`.

    It takes `(left, at, step, right, begin, stride, count, target, to, pace)`. The block's number (i, j), which is
    `target[to + i * pace + j]`, is the sum over k < count of `left[at + i * step + k] * right[begin + k * stride + j]`;
    where left is `transposed`, of `left[at + k * step + i] * right[begin + k * stride + j]`.
    """

    @intrinsic
    def multiplied(
        _: Any,
        left: Any,
        at: Any,
        step: Any,
        right: Any,
        begin: Any,
        stride: Any,
        count: Any,
        target: Any,
        to: Any,
        pace: Any,
    ) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            given, at, step, other, begin, stride, count, block, to, pace = arguments
            first = _begin(context, builder, left, given, at)
            second = _begin(context, builder, right, other, begin)
            ends = _places(builder, _begin(context, builder, target, block, to), pace, rows)
            nothing = ir.Constant(_kind(lanes), None)
            # These become registers.
            sums = [cgutils.alloca_once_value(builder, nothing) for _ in ends]  # type: ignore[no-untyped-call]

            def add(k: Any, factors: Sequence[Any]) -> None:
                line = _load(builder, builder.gep(second, [builder.mul(k, stride)]), lanes)
                for factor, total in zip(factors, sums, strict=True):
                    term = builder.fmul(_spread(builder, factor, lanes), line, flags=FUSED)
                    builder.store(builder.fadd(builder.load(total), term, flags=FUSED), total)

            if transposed:
                with cgutils.for_range(builder, count, intp=count.type) as loop:
                    column = _load(builder, builder.gep(first, [builder.mul(loop.index, step)]), rows)
                    add(loop.index, _numbers(builder, column))
            else:
                heads = _places(builder, first, step, rows)
                whole = builder.and_(count, ir.Constant(count.type, -4))
                # One load brings four numbers of a row.
                for least, most, width in ((ir.Constant(count.type, 0), whole, 4), (whole, count, 1)):
                    pitch = ir.Constant(count.type, width)
                    with cgutils.for_range_slice(builder, least, most, pitch, count.type) as (k, _):
                        lines = [_numbers(builder, _load(builder, builder.gep(head, [k]), width)) for head in heads]
                        for ahead, factors in enumerate(zip(*lines, strict=True)):
                            add(builder.add(k, ir.Constant(count.type, ahead)), factors)
            for total, end in zip(sums, ends, strict=True):
                made = builder.load(total)
                _store(builder, builder.fadd(_load(builder, end, lanes), made) if adds else made, end)
            return context.get_dummy_value()

        _check(left, right, target)
        return types.void(left, *_sizes(2), right, *_sizes(3), target, *_sizes(2)), generate

    return cast(BlockProduct, multiplied)


def _check(*arrays: Any) -> None:
    for array in arrays:
        if array != types.Array(types.float32, 1, "C"):
            raise TypingError(f"expected a flat array of float32, found {array}")


def _sizes(count: int) -> list[Any]:
    return [types.intp] * count


def _begin(context: Any, builder: ir.IRBuilder, kind: Any, array: Any, at: Any) -> Any:
    """Where an array's number is kept."""
    return builder.gep(context.make_array(kind)(context, builder, array).data, [at])


def _places(builder: ir.IRBuilder, first: Any, step: Any, count: int) -> list[Any]:
    return [builder.gep(first, [builder.mul(step, ir.Constant(step.type, i))]) for i in range(count)]


def _kind(lanes: int) -> Any:
    return ir.VectorType(ir.FloatType(), lanes) if lanes > 1 else ir.FloatType()


def _load(builder: ir.IRBuilder, place: Any, lanes: int) -> Any:
    load = builder.load(builder.bitcast(place, _kind(lanes).as_pointer()))
    # Numbers may begin anywhere, not only where a vector could.
    load.align = 4
    return load


def _store(builder: ir.IRBuilder, vector: Any, place: Any) -> None:
    builder.store(vector, builder.bitcast(place, vector.type.as_pointer())).align = 4


def _numbers(builder: ir.IRBuilder, vector: Any) -> list[Any]:
    """What a vector is made of."""
    if not isinstance(vector.type, ir.VectorType):
        return [vector]
    return [builder.extract_element(vector, ir.Constant(ir.IntType(32), i)) for i in range(vector.type.count)]


def _spread(builder: ir.IRBuilder, number: Any, lanes: int) -> Any:
    """A vector of one number."""
    if lanes == 1:
        return number
    one = builder.insert_element(ir.Constant(_kind(lanes), ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes))


def _combined(builder: ir.IRBuilder, row: Sequence[float], columns: Sequence[Any], total: Any) -> Any:
    """The sum of the columns by their coefficients, and of what there is already."""
    for coefficient, column in zip(row, columns, strict=True):
        if coefficient == 0:
            continue
        term, size = column, abs(float(coefficient))
        if size != 1:
            wide = [size] * LANES if isinstance(column.type, ir.VectorType) else size
            term = builder.fmul(column, ir.Constant(column.type, wide), flags=FUSED)
        if total is None:
            total = term if coefficient > 0 else builder.fneg(term)
        else:
            total = (builder.fadd if coefficient > 0 else builder.fsub)(total, term, flags=FUSED)
    return total
