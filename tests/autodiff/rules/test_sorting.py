"""Sorting, sets and bins."""

import numpy as np
import pytest

import autodiff as ad

RNG = np.random.default_rng(17)
X = RNG.permutation(12).reshape(2, 3, 2) * 0.7 - 3.0
V = np.array([2.0, 5.0, 2.0, 1.0, 5.0, 2.0])


def name(value):
    return value.__name__


@pytest.mark.parametrize("axis", [None, 0, 1, -1], ids=str)
def test_sort(check_rule, axis):
    check_rule(lambda x: np.sort(x, axis=axis), X)


@pytest.mark.parametrize(
    "how", [{"kind": "heapsort"}, {"kind": "stable"}, {"stable": True}], ids=str
)
def test_kinds_of_sort(check_rule, how):
    check_rule(lambda x: np.sort(x, **how), X)


def test_ties_keep_their_order():
    wanted = np.eye(6)[[3, 0, 2, 5, 1, 4]]
    np.testing.assert_array_equal(ad.jacobian(np.sort)(V), wanted)
    np.testing.assert_array_equal(ad.jacobian(np.sort, mode="forward")(V), wanted)


def test_nan_is_last():
    found = ad.jacobian(np.sort)(np.array([np.nan, 2.0, 1.0]))
    np.testing.assert_array_equal(found, np.eye(3)[[2, 1, 0]])


@pytest.mark.parametrize("shape", [(0,), (1,), (2, 0)], ids=str)
def test_sort_of_small_shapes(shape):
    value, pullback = ad.vjp(np.sort, np.ones(shape))
    np.testing.assert_array_equal(pullback(value)[0], np.ones(shape))


def test_a_number_has_no_axis_to_sort():
    with pytest.raises(np.exceptions.AxisError):
        np.sort(ad.Variable(2.0))
    assert np.sort(ad.Variable(2.0), axis=None).shape == (1,)


@pytest.mark.parametrize(("kth", "axis"), [(1, 1), (0, -1), ([1, 4], None), (-1, 0)], ids=str)
def test_partition(check_rule, kth, axis):
    check_rule(lambda x: np.partition(x, kth, axis=axis), X)


def test_partition_of_many_and_of_ties():
    x = RNG.normal(size=1000)
    np.testing.assert_array_equal(np.partition(ad.Variable(x), 300).value, np.partition(x, 300))
    found = ad.grad(lambda x: np.partition(x, 1)[1])(V)
    np.testing.assert_array_equal(found, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def test_sort_complex():
    value, pullback = ad.vjp(np.sort_complex, np.array([2.0, 1.0]))
    np.testing.assert_array_equal(value, np.sort_complex([2.0, 1.0]))
    assert value.dtype == np.complex128
    np.testing.assert_array_equal(pullback(np.array([1.0 + 0j, 2.0]))[0], [2.0, 1.0])
    z = np.array([1 + 2j, 1 - 1j, 0.5])
    (found,) = ad.vjp(np.sort_complex, z)[1](np.array([1.0, 2.0j, 3.0]))
    np.testing.assert_array_equal(found, [3.0, 2.0j, 1.0])


class TestUnique:
    def test_values(self, check_rule):
        check_rule(np.unique, X)
        found = ad.grad(lambda x: np.unique(x) @ np.array([1.0, 2.0, 3.0]))(V)
        np.testing.assert_array_equal(found, [2.0, 3.0, 0.0, 1.0, 0.0, 0.0])

    def test_slices(self, check_rule):
        x = np.stack([X[0], X[1], X[0]])
        rows = np.unique(x, axis=0)
        value, pullback = ad.vjp(lambda x: np.unique(x, axis=0), x)
        np.testing.assert_array_equal(value, rows)
        (found,) = pullback(rows)
        np.testing.assert_array_equal(found, np.stack([X[0], X[1], np.zeros_like(X[0])]))

    @pytest.mark.parametrize("index", [False, True])
    @pytest.mark.parametrize("inverse", [False, True])
    @pytest.mark.parametrize("counts", [False, True])
    def test_what_comes_with_them(self, index, inverse, counts):
        found = np.unique(ad.Variable(V), index, inverse, counts)
        wanted = np.unique(V, index, inverse, counts)
        if not (index or inverse or counts):
            found, wanted = (found,), (wanted,)
        assert len(found) == len(wanted)
        np.testing.assert_array_equal(found[0].value, wanted[0])
        for ours, theirs in zip(found[1:], wanted[1:], strict=True):
            assert type(ours) is np.ndarray
            np.testing.assert_array_equal(ours, theirs)

    def test_nan(self):
        x = ad.Variable([np.nan, 1.0, np.nan])
        assert np.unique(x).shape == (2,)
        assert np.unique(x, equal_nan=False).shape == (3,)

    @pytest.mark.parametrize(
        "function", [np.unique_all, np.unique_counts, np.unique_inverse], ids=name
    )
    def test_array_api(self, function):
        found, wanted = function(ad.Variable(V)), function(V)
        assert found._fields == wanted._fields
        np.testing.assert_array_equal(found.values.value, wanted.values)
        for ours, theirs in zip(found[1:], wanted[1:], strict=True):
            np.testing.assert_array_equal(ours, theirs)

    def test_values_of_array_api(self):
        value, pullback = ad.vjp(np.unique_values, V)
        np.testing.assert_array_equal(value, np.unique_values(V))
        np.testing.assert_array_equal(pullback(value)[0], [2.0, 5.0, 0.0, 1.0, 0.0, 0.0])


class TestSets:
    OTHER = np.array([5.0, 7.0, 2.0])

    def both(self, function, wanted_of_first, wanted_of_second):
        value, pullback = ad.vjp(function, V, self.OTHER)
        np.testing.assert_array_equal(value, function(V, self.OTHER))
        first, second = pullback(np.arange(1.0, 1.0 + value.size))
        np.testing.assert_array_equal(first, wanted_of_first)
        np.testing.assert_array_equal(second, wanted_of_second)

    def test_union(self):
        self.both(np.union1d, [2.0, 3.0, 0.0, 1.0, 0.0, 0.0], [0.0, 4.0, 0.0])

    def test_intersection(self):
        self.both(np.intersect1d, [1.0, 2.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0])

    def test_difference(self):
        self.both(np.setdiff1d, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0])

    def test_in_one_only(self):
        self.both(np.setxor1d, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 2.0, 0.0])

    def test_assume_unique(self):
        x, y = ad.Variable([3.0, 1.0, 2.0]), [2.0, 9.0]
        assert np.setdiff1d(x, y, assume_unique=True).value.tolist() == [3.0, 1.0]
        assert np.setxor1d(x, y, assume_unique=True).value.tolist() == [1.0, 3.0, 9.0]
        values, first, second = np.intersect1d(x, y, True, return_indices=True)
        assert values.value.tolist() == [2.0]
        assert (first.tolist(), second.tolist()) == ([2], [0])


class TestBins:
    def test_bincount(self, check_rule):
        bins = [0, 3, 1, 3, 3]
        check_rule(lambda w: np.bincount(bins, w, 6), np.arange(5.0), complex=False)
        check_rule(lambda w: np.bincount(bins, weights=w), np.arange(5.0), complex=False)

    @pytest.mark.parametrize(
        ("function", "count"),
        [(np.histogram, 1), (np.histogram2d, 2), (np.histogramdd, 1), (np.histogram_bin_edges, 1)],
    )
    def test_histograms_are_refused(self, function, count):
        with pytest.raises(TypeError, match=f"np.{function.__name__} .*plain arrays"):
            function(*[ad.Variable(V)] * count)
