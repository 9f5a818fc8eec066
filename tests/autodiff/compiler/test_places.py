"""Views of memory against NumPy's, and a workspace in which nothing that is alive overlaps."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided

from autodiff.compiler.c.places import Buffer, View, assign_offsets, contiguous, whole

SHAPES = st.lists(st.integers(1, 4), min_size=0, max_size=4).map(tuple)
CHECKED = settings(derandomize=True, deadline=None, max_examples=150)


def entries(view, memory):
    """Return what a view shows of memory."""
    steps = [stride * memory.itemsize for stride in view.strides]
    return as_strided(memory[view.offset :], view.shape, steps)


def drawn_view(data):
    """Return a view made by a few steps, the memory, and NumPy's array after the same steps."""
    shape = data.draw(SHAPES)
    size = int(np.prod(shape))
    memory = np.arange(float(size))
    view, array = whole(Buffer(memory.dtype, size), shape), memory.reshape(shape)
    for kind in data.draw(
        st.lists(st.sampled_from(["transpose", "take", "broadcast"]), max_size=3)
    ):
        if kind == "transpose":
            axes = tuple(data.draw(st.permutations(range(array.ndim))))
            view, array = view.transposed(axes), array.transpose(axes)
        elif kind == "take":
            index, parts = [], []
            for length in array.shape:
                form = data.draw(st.sampled_from(["number", "all", "back", "some"]))
                start = data.draw(st.integers(0, length - 1))
                step = {"back": -1, "some": 2}.get(form, 1)
                if form == "number":
                    index.append(start)
                    parts.append((start, None, 1))
                    continue
                part = {"all": slice(None), "back": slice(start, None, -1)}.get(
                    form, slice(start, None, 2)
                )
                places = range(length)[part]
                index.append(part)
                parts.append((places.start, len(places), step))
            view, array = view.taken(tuple(parts)), array[tuple(index)]
        elif array.ndim < 4:
            wide = (2, *(3 if n == 1 else n for n in array.shape))
            view, array = view.broadcast(wide), np.broadcast_to(array, wide)
    return view, memory, array


@CHECKED
@given(st.data())
def test_views_show_what_numpy_shows(data):
    view, memory, array = drawn_view(data)
    assert view.shape == array.shape
    np.testing.assert_array_equal(entries(view, memory), array)
    if view.is_contiguous:
        assert np.ravel(array).tolist() == memory[view.offset :][: array.size].tolist()


@CHECKED
@given(st.data())
def test_reshaped_views(data):
    view, memory, array = drawn_view(data)
    ones = [n for n in array.shape if n != 1]
    shapes = [array.shape, (array.size,), (1, *array.shape), (*ones, 1), tuple(ones)]
    for shape in shapes:
        found = view.reshaped(shape)
        if found is not None:
            np.testing.assert_array_equal(entries(found, memory), array.reshape(shape))
        else:
            assert not view.is_contiguous
    # Axes of size 1 can always be added and dropped.
    assert view.reshaped((1, *array.shape)) is not None
    assert view.reshaped(tuple(ones)) is not None


@CHECKED
@given(SHAPES)
def test_strides_of_contiguous_arrays(shape):
    array = np.zeros(shape)
    assert contiguous(shape) == tuple(stride // 8 for stride in array.strides)


BUFFERS = st.lists(
    st.tuples(st.integers(0, 50), st.integers(0, 12), st.integers(0, 6), st.sampled_from("df?")),
    max_size=25,
)


@CHECKED
@given(BUFFERS)
def test_what_is_alive_together_does_not_overlap(given_buffers):
    buffers = [
        Buffer(np.dtype(kind), size, first=first, last=first + more)
        for size, first, more, kind in given_buffers
    ]
    total = assign_offsets(buffers)
    for i, one in enumerate(buffers):
        assert one.offset % 64 == 0
        assert one.offset + one.nbytes <= total
        for other in buffers[:i]:
            together = one.first <= other.last and other.first <= one.last
            apart = (
                one.offset + one.nbytes <= other.offset or other.offset + other.nbytes <= one.offset
            )
            assert apart or not together or 0 in (one.size, other.size)


def test_places_are_used_again():
    buffers = [Buffer(np.dtype("d"), 1000, first=i, last=i + 1) for i in range(10)]
    assert assign_offsets(buffers) <= 2 * 8064


def test_views_are_compared_by_value():
    buffer = Buffer(np.dtype("d"), 6)
    assert whole(buffer, (2, 3)) == View(buffer, (2, 3), (3, 1))
    assert whole(buffer, (2, 3)) != whole(Buffer(np.dtype("d"), 6), (2, 3))
